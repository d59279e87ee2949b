import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contextOf, readKept } from '../../../src/app/tickets/ticketView.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import { type ExecutionWorld, executionWorlds, report } from '../../support/engine/executionWorld.ts';
import { die, hang } from '../../support/models/fakeAgent.ts';
import { until } from '../../support/until.ts';

/** From the inbox to the iterations, and what becomes of it. */
describe('the context inbox of a ticket', () => {
  const newWorld = executionWorlds();
  const second = { id: 'second', testCommands: ['grep -q two second.txt'] };
  let world: ExecutionWorld;
  let prompts: string[];

  beforeEach(async () => {
    world = await newWorld();
    prompts = [];
  });

  /** `during` is called with each prompt; the ids it answers are acknowledged. */
  function codes(
    during: (whole: string, number: number) => Promise<readonly string[] | void> | readonly string[] | void,
  ): void {
    world.answers({
      coding: async ({ whole }) => {
        prompts.push(whole);
        const acknowledged = (await during(whole, prompts.length)) ?? [];
        const bead = whole.includes('"id": "second"') ? 'second' : 'greet';
        world.write(bead === 'greet' ? 'greet.txt' : 'second.txt', bead === 'greet' ? 'hello\n' : 'two\n');
        return report(bead, { acknowledged });
      },
    });
  }

  async function entries() {
    const kept = readKept((await world.store.artifact(world.ticket, 'context_entries'))?.content);
    return contextOf(await world.store.inbox(world.ticket), kept);
  }

  async function states(): Promise<readonly string[]> {
    return (await entries()).map(({ text, state }) => `${text} ${state}`);
  }

  const got = (text: string): readonly boolean[] => prompts.map((prompt) => prompt.includes(text));

  async function ended(): Promise<void> {
    await world.isIn('RUNNING_FINAL_TEST');
  }

  it('AT-31: delivers once-context to the next iteration only, as one section with ids, and consumes it when that has ended', async () => {
    await world.begin('CODING', { beads: [{}, second] });
    const id = await world.post('context', { text: 'Be brief.', scope: 'once' });
    codes(async () => {
      assert.deepEqual(await states(), [`Be brief. ${prompts.length === 1 ? 'delivered' : 'consumed'}`]);
      return [id];
    });
    await world.drive({ coding });
    await ended();
    assert.deepEqual(got('Be brief.'), [true, false]);
    assert.match(
      prompts[0] ?? '',
      new RegExp(
        `added_context[^]*Additional context \\(added by the user mid-loop\\)[^]*\\[${id}\\] Be brief\\.`,
      ),
    );
    const [entry] = await entries();
    assert.deepEqual([entry?.acknowledged, entry?.deliveredIn], [true, [{ bead: 'greet', iteration: 1 }]]);
  });

  it('delivers what a person changed while it waited in the inbox', async () => {
    await world.begin('CODING', { beads: [{}, second] });
    const entry = await world.post('context', { text: 'Be brief.', scope: 'once' });
    const edit = await world.post('edit_context', { entry, text: 'Be thorough.' });
    codes(() => [entry]);
    await world.drive({ coding });
    await ended();
    assert.equal(await world.outcome(edit), 'consumed');
    assert.deepEqual(
      [got('Be brief.'), got('Be thorough.')],
      [
        [false, false],
        [true, false],
      ],
    );
  });

  it('AT-31: does not consume by an iteration what was added while it ran', async () => {
    await world.begin('CODING', { beads: [{}, second] });
    codes(async (_whole, number) => {
      if (number === 1) await world.post('context', { text: 'Too late for greet.', scope: 'once' });
      assert.deepEqual(await states(), [`Too late for greet. ${number === 1 ? 'queued' : 'delivered'}`]);
    });
    await world.drive({ coding });
    assert.deepEqual(got('Too late for greet.'), [false, true]);
  });

  it('AT-31: queues it again when the iteration is lost or the process is killed', async () => {
    await world.begin('CODING', { beads: [{}, second], limits: { maxIterations: 2 } });
    const id = await world.post('context', { text: 'Be brief.', scope: 'once' });
    codes((_whole, number) => (number > 1 ? [id] : undefined));
    const coded = world.agent.answer;
    world.agent.answer = (call) => {
      if (prompts.length > 0) return coded(call);
      prompts.push(call.whole);
      world.crash();
      return die;
    };
    await world.driveUntilKilled({ coding });
    await world.drive({ coding: { ...coding, version: coding.version + 1 } });
    await ended();
    assert.deepEqual(got('Be brief.'), [true, true, false]);
    assert.deepEqual(await states(), ['Be brief. consumed']);
    const [entry] = await entries();
    assert.deepEqual(entry?.deliveredIn.length, 1, 'an iteration that never ended is not counted');
  });

  it('AT-31: delivers what was not acknowledged once more, and shows that it never was', async () => {
    await world.begin('CODING', {
      beads: [{}, second, { ...second, id: 'third', testCommands: ['true'], unprovedReason: 'Nothing.' }],
    });
    await world.post('context', { text: 'Be brief.', scope: 'once' });
    world.answers({
      coding: ({ whole }) => {
        prompts.push(whole);
        const bead = ['greet', 'second', 'third'].find((one) => whole.includes(`"id": "${one}"`)) ?? '';
        if (bead !== 'third') world.write(`${bead}.txt`, bead === 'greet' ? 'hello\n' : 'two\n');
        return report(bead);
      },
    });
    await world.drive({ coding });
    await ended();
    assert.deepEqual(got('Be brief.'), [true, true, false]);
    assert.deepEqual(
      (await entries()).map(({ state, acknowledged }) => [state, acknowledged]),
      [['consumed', false]],
    );
  });

  it('AT-31: keeps pinned context for every later call, and until-done context until its bead is done', async () => {
    await world.begin('CODING', { beads: [{}, second], limits: { maxContinuations: 0 } });
    await world.post('context', { text: 'Pinned.', scope: 'pinned' });
    await world.post('context', { text: 'As before.', scope: 'always' });
    await world.post('context', { text: 'Until done.', scope: 'until_done' });
    world.answers({
      coding: ({ whole }) => {
        prompts.push(whole);
        const bead = whole.includes('"id": "second"') ? 'second' : 'greet';
        if (prompts.length > 1) world.write(`${bead}.txt`, bead === 'greet' ? 'hello\n' : 'two\n');
        return report(bead);
      },
      'coding-note': ({ whole }) => {
        prompts.push(whole);
        return 'It forgot the file.';
      },
    });
    await world.drive({ coding });
    await ended();
    assert.deepEqual(got('Until done.'), [true, false, true, false]);
    assert.deepEqual(got('Pinned.'), [true, true, true, true]);
    assert.deepEqual(got('As before.'), [true, true, true, true]);
    assert.equal((prompts[0] ?? '').split('Pinned.').length, 2, 'it stands in the prompt once');
    assert.deepEqual(await states(), ['Pinned. delivered', 'As before. delivered', 'Until done. consumed']);
  });

  it('AT-31: lets a person withdraw what no agent has, and says why it is too late later', async () => {
    await world.begin('CODING', { beads: [{}, second] });
    const first = await world.post('context', { text: 'Delivered.', scope: 'once' });
    let asked = { early: '', late: '', unknown: '' };
    codes(async (_whole, number) => {
      if (number > 1) return [first];
      const entry = await world.post('context', { text: 'Withdrawn.', scope: 'once' });
      asked = {
        early: await world.post('withdraw_context', { entry }),
        late: await world.post('withdraw_context', { entry: first }),
        unknown: await world.post('withdraw_context', { entry: 'nothing' }),
      };
      await until(
        async () => (await world.outcome(asked.unknown)) !== 'pending',
        'the requests are settled',
        20_000,
      );
      return [first];
    });
    await world.drive({ coding });
    await ended();
    assert.deepEqual(
      [await world.outcome(asked.early), await world.outcome(asked.late), await world.outcome(asked.unknown)],
      ['consumed', 'CONTEXT_DELIVERED', 'CONTEXT_UNKNOWN'],
    );
    assert.match(await world.said(asked.late), /can't be changed anymore because an agent has received it/);
    assert.deepEqual(got('Withdrawn.'), [false, false]);
    assert.deepEqual(await states(), ['Delivered. consumed', 'Withdrawn. withdrawn']);
  });

  it('restarts the iteration at once with context that interrupts, keeps the attempt, and uses up no iteration', async () => {
    await world.begin('CODING', { limits: { maxIterations: 1 } });
    world.answers({
      coding: async ({ whole }) => {
        prompts.push(whole);
        world.write('greet.txt', prompts.length < 4 ? 'half\n' : 'hello\n');
        if (prompts.length === 4) return report('greet');
        await world.post('context', {
          text: `Say hello, ${String(prompts.length)}.`,
          scope: 'until_done',
          interrupt: true,
        });
        return hang;
      },
    });
    await world.drive({ coding });
    await ended();
    assert.deepEqual(got('Say hello, 1.'), [false, true, true, true]);
    assert.deepEqual(
      world.agent.tasks,
      ['coding', 'coding', 'coding', 'coding'],
      'nobody is asked for a note',
    );
    assert.equal(
      await world.repository.git('show', `refs/beadsmith/${world.ticket}/greet/1:greet.txt`),
      'half',
    );
    assert.match((await world.bead('greet')).notes, /Iteration 1 was interrupted[^]*A person added context/);
  });

  describe('a dropped context.txt', () => {
    const folderOf = (): string => join(world.stateFolder, 'tickets', world.ticket);
    const drop = (content: string | Uint8Array): void => {
      world.workplace.ticketFolders = join(world.stateFolder, 'tickets');
      mkdirSync(folderOf(), { recursive: true });
      writeFileSync(join(folderOf(), 'context.txt'), content);
    };

    it('is taken once, as one entry for the next iteration', async () => {
      await world.begin('CODING', { beads: [{}, second] });
      drop('Be brief.\n');
      codes(async () => (await entries()).map(({ id }) => id));
      await world.drive({ coding });
      await ended();
      assert.deepEqual(got('Be brief.'), [true, false]);
      assert.ok(!existsSync(join(folderOf(), 'context.txt')));
      const found = (await entries()).map(({ author, mode, state }) => [author, mode, state]);
      assert.deepEqual(found, [['context.txt', 'once', 'consumed']]);
    });

    it('is taken once, even if the process is killed while it is taken', async () => {
      await world.begin('CODING', { beads: [{}, second] });
      drop('Be brief.');
      codes(async () => (await entries()).map(({ id }) => id));
      const take = world.workplace.takeContext.bind(world.workplace);
      world.workplace.takeContext = async (...args) => {
        world.workplace.takeContext = take;
        await take(...args);
        world.crash();
        return take(...args);
      };
      await world.driveUntilKilled({ coding });
      await world.drive({ coding });
      await ended();
      assert.deepEqual(got('Be brief.'), [true, false]);
      assert.equal(readdirSync(folderOf()).length, 1);
    });

    it('is refused in the log and stays where it is when it is too long or no text', async () => {
      for (const [content, why] of [
        ['x'.repeat(1_000_000), /more than 20000 characters/],
        [new Uint8Array([0xff, 0xfe, 0x41]), /not UTF-8/],
      ] as const) {
        world = await newWorld();
        prompts = [];
        await world.begin('CODING');
        drop(content);
        codes(() => undefined);
        await world.drive({ coding });
        await ended();
        assert.deepEqual(readdirSync(folderOf()), ['context.txt']);
        const said = world.events.flatMap((event) =>
          event.type === 'activity' && event.kind === 'info' ? [event.text] : [],
        );
        assert.match(said.join('\n'), why);
        assert.deepEqual(await entries(), []);
      }
    });
  });
});
