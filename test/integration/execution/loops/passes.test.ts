import assert from 'node:assert/strict';
import { withNonce } from '../../../../src/demo/answer.ts';
import { Limits, type Settings } from '../../../../src/domain/settings/settings.ts';
import { BeadRecord, brokenAt } from '../../../../src/domain/records/records.ts';
import { readPrompt } from '../../../../src/demo/script/promptParts.ts';
import { coding } from '../../../../src/phases/coding/coding.ts';
import { type ExecutionWorld, executionWorlds, report } from '../../../support/engine/executionWorld.ts';
import { type FakeCall, hang } from '../../../support/models/fakeAgent.ts';
import { until } from '../../../support/until.ts';
import { sampleUsage } from '../../../support/samples.ts';

describe('passes of an iteration', () => {
  const newWorld = executionWorlds();
  let world: ExecutionWorld;
  beforeEach(async () => (world = await newWorld()));

  const begin = (settings: Partial<Settings>, limits: Record<string, number> = {}) =>
    world.begin('CODING', { settings, limits: { maxIterations: 1, maxContinuations: 1, ...limits } });
  const part = ({ whole }: FakeCall, name: string): string | undefined => readPrompt(whole).parts.get(name);
  const calls = (task = 'coding') => world.agent.calls.filter((call) => call.task === task);
  const passes = async () => {
    const stored = (await world.store.artifact(world.ticket, 'bead_records'))?.content ?? '';
    const entries = stored.split('\n').filter((line) => line !== '');
    return entries.flatMap((line) => {
      const { payload } = JSON.parse(line) as {
        payload: { pass?: number; outcome: string; end: string | null };
      };
      return payload.pass === undefined
        ? []
        : [`${String(payload.pass)} ${payload.outcome} ${String(payload.end)}`];
    });
  };
  const isDone = () => world.isIn('RUNNING_FINAL_TEST');
  const worked = (text = 'hello\n') => {
    world.write('greet.txt', text);
    return report('greet');
  };

  it('AT-29: records a claim that comes too early, says it back with what to verify, and ends with the least number', async () => {
    await begin({ minPasses: 3, maxPasses: 5 });
    world.answers({ coding: ({ turn }) => worked(`hello ${String(turn)}\n`) });
    await world.drive({ coding });
    await isDone();
    assert.deepEqual(world.agent.tasks, ['coding', 'coding', 'coding']);
    assert.equal(new Set(calls().map(({ session }) => session)).size, 3, 'each pass has a fresh session');
    assert.deepEqual(await passes(), [
      '1 claimed_early null',
      '2 claimed_early null',
      '3 passed validated_complete',
    ]);
    const [first, second, third] = calls();
    assert.ok(first && second && third);
    assert.equal(part(first, 'pass_report'), undefined);
    assert.match(
      part(second, 'pass_report') ?? '',
      /Pass 1 reported[^]*2 more passes[^]*greet\.txt says hello/,
    );
    assert.match(part(third, 'pass_report') ?? '', /Pass 2 reported[^]*1 more pass is/);
    assert.match(
      part(second, 'iteration') ?? '',
      /^Pass 2 of at most 5, and of at least 3\. Iteration 1 of 1/,
    );
    assert.equal(world.readWorktree('greet.txt'), 'hello 3\n', 'on the same tree');
    assert.ok(
      world.events.some(
        (event) =>
          event.type === 'activity' && event.text.includes('The loop ended: done, and the checks pass.'),
      ),
    );
  });

  it('AT-29: validates the last claim, too', async () => {
    await begin({ minPasses: 2, maxPasses: 2 });
    world.answers({
      coding: ({ turn }) => worked(turn === 1 ? 'hello\n' : 'broken\n'),
      'coding-note': 'It broke.',
    });
    await world.drive({ coding });
    assert.deepEqual(await passes(), ['1 claimed_early null', '2 rejected max_passes']);
    const { error } = await world.read();
    assert.equal(error?.code, 'BEAD_RETRY_BUDGET_EXHAUSTED');
    assert.equal(error.diagnostics['end'], 'max_passes');
    assert.equal(
      await world.repository.git('show', 'refs/beadsmith/TST-1/greet/1:greet.txt'),
      'broken',
      'its work is kept',
    );
  });

  it('AT-30: tells the next pass what failed, once, and no other after it passed', async () => {
    await begin({ minPasses: 3, maxPasses: 6 });
    world.answers({ coding: ({ turn }) => worked(turn === 1 ? 'wrong\n' : `hello ${String(turn)}\n`) });
    await world.drive({ coding });
    await isDone();
    assert.deepEqual(await passes(), [
      '1 rejected null',
      '2 claimed_early null',
      '3 passed validated_complete',
    ]);
    const evidence = calls().map((call) => part(call, 'failing_evidence'));
    assert.deepEqual([evidence[0], evidence[2]], [undefined, undefined]);
    assert.match(evidence[1] ?? '', /grep -q hello greet\.txt/);
    const second = calls()[1];
    assert.equal(second?.whole.split('## failing_evidence').length, 2, 'once');
  });

  it('keep one session where that is set, with the least number as well', async () => {
    await begin({ minPasses: 2, maxPasses: 4, freshPasses: false });
    world.answers({ coding: () => worked(), 'coding-continue': () => worked('hello again\n') });
    await world.drive({ coding });
    await isDone();
    assert.deepEqual(world.agent.tasks, ['coding', 'coding-continue']);
    assert.equal(new Set(world.agent.calls.map(({ session }) => session)).size, 1);
    const [again] = calls('coding-continue');
    assert.ok(again);
    assert.match(part(again, 'pass_report') ?? '', /Pass 1 reported/);
    assert.notEqual(part(again, 'report_nonce'), part(calls()[0] ?? again, 'report_nonce'));
  });

  it('AT-33: tell a coder who gets nowhere to take another approach, in the session that knows what was tried', async () => {
    await begin({ maxPasses: 5 });
    world.answers({ coding: () => worked('same\n'), pivot: () => worked('hello\n') });
    await world.drive({ coding });
    await isDone();
    assert.deepEqual(world.agent.tasks, ['coding', 'coding', 'coding', 'pivot']);
    const [third, pivot] = world.agent.calls.slice(-2);
    assert.equal(pivot?.session, third?.session);
  });

  it('AT-32: end as stuck, as blocked by the agent, and by their number, each with an end of its own', async () => {
    const ends: Record<string, string[]> = {};
    const play = async (name: string, answer: (call: FakeCall, number: number) => string) => {
      world = await newWorld();
      await begin({ maxPasses: 3 });
      world.answers({ coding: (call) => answer(call, call.turn), 'coding-note': 'It failed.' });
      await world.drive({ coding });
      const { error } = await world.read();
      ends[name] = [
        String(error?.diagnostics['end']),
        ...(await passes()).map((line) => line.replace(/ \S+$/, '')),
      ];
    };
    await play('stuck', () => worked('same\n'));
    await play(
      'blocked',
      (call) => `${part(call, 'report_nonce') ?? ''}\nIMPLEMENTATION BLOCKED: greet - no greeting is known`,
    );
    await play('number', (_call, number) =>
      number === 1 ? report('greet', { status: 'error' }) : worked(`wrong ${'!'.repeat(number)}\n`),
    );
    assert.deepEqual(ends, {
      stuck: ['stuck', '1 rejected', '2 rejected', '3 rejected'],
      blocked: ['aborted', '1 not_done'],
      number: ['max_passes', '1 not_done', '2 rejected', '3 rejected'],
    });
  });

  it('AT-32: end by a person who cancels in the middle of a pass, once, also after a crash; the work is kept', async () => {
    await begin({ minPasses: 2, maxPasses: 3 });
    world.answers({
      coding: async ({ turn }) => {
        if (turn === 1) return worked();
        world.write('greet.txt', 'half\n');
        await world.post('cancel', { reason: 'Enough.', deleteWorktree: false });
        return hang;
      },
    });
    const abort = world.agent.abort.bind(world.agent);
    world.agent.abort = async (session) => {
      world.crash();
      await abort(session);
    };
    await world.driveUntilKilled({ coding });
    world.agent.abort = abort;
    await world.drive({ coding }, 'CANCELED');
    assert.deepEqual(await passes(), ['1 claimed_early null', '2 stopped user_stop']);
    const { content = '' } = (await world.store.artifact(world.ticket, 'bead_records')) ?? {};
    const records = content.split('\n').filter((line) => line !== '');
    assert.equal(brokenAt(records.map((line) => BeadRecord.parse(JSON.parse(line)))), undefined);
    assert.equal(world.readWorktree('greet.txt'), 'half\n');
  });

  it('AT-32: aren’t ended by a pause, nor again by a cancel once they ended otherwise', async () => {
    await begin({ minPasses: 2, maxPasses: 2 });
    world.answers({
      coding: async ({ turn }) => {
        if (turn === 1) await world.post('pause', {});
        return worked(turn < 2 ? 'hello\n' : 'broken\n');
      },
      'coding-note': 'It broke.',
    });
    assert.equal((await world.drive({ coding })).state, 'held');
    assert.doesNotMatch((await passes()).join(), /user_stop/);
    await world.post('resume', {});
    await world.drive({ coding });
    await world.post('cancel', { reason: '', deleteWorktree: false });
    await world.drive({ coding }, 'CANCELED');
    assert.match((await passes()).at(-1) ?? '', / max_passes$/);
    assert.doesNotMatch((await passes()).join(), /user_stop/);
  });

  describe('AT-32: with a limit of the ticket that is crossed', () => {
    const usage = (cost: number) => sampleUsage({ input: 400, output: 100, cost });
    const capped = (cost: number) => {
      world.write('greet.txt', 'half\n');
      const failure = { kind: 'capped', message: 'too much', statusCode: null, continuable: true } as const;
      return {
        ok: false,
        failure,
        partial: '',
        usage: { ...usage(cost), messageId: 'm2' },
        tools: [],
      } as const;
    };
    const costing = (call: FakeCall, text: string, cost: number) => {
      const nonce = part(call, 'report_nonce');
      return {
        ok: true,
        text: withNonce(text, nonce),
        messageId: 'm',
        usage: usage(cost),
        tools: [],
        truncated: false,
      } as const;
    };
    /** It stands with its work, and continues in its pass's session once the limit is higher. */
    const continues = async (limits: Partial<Limits>, code: string) => {
      const { error, ...ticket } = await world.read();
      assert.equal(error?.code, code, JSON.stringify(error));
      assert.deepEqual([ticket.status, ticket.hold?.kind], ['CODING', 'budget']);
      assert.equal(error.continuable, true);
      assert.equal(world.readWorktree('greet.txt'), 'half\n', 'the work is kept');
      assert.deepEqual(await passes(), ['1 claimed_early null']);
      await world.store.commit({
        ticket: world.ticket,
        journal: [],
        changes: [{ type: 'ticket', set: { limits: { ...Limits.parse(ticket.limits), ...limits } } }],
      });
      const before = world.agent.calls.length;
      world.answers({ 'continue please': () => worked('hello 2\n') });
      await world.post('resume', {});
      await world.drive({ coding });
      await isDone();
      const after = world.agent.calls.slice(before);
      assert.deepEqual(
        after.map(({ text, session }) => [text, session]),
        [['continue please', calls()[1]?.session]],
      );
      assert.deepEqual(await passes(), ['1 claimed_early null', '2 passed validated_complete']);
    };

    it('of tokens, in mid-pass', async () => {
      await begin({ minPasses: 2, maxPasses: 2 }, { tokenCap: 900 });
      world.answers({ coding: (call) => (call.turn === 1 ? costing(call, worked(), 0) : capped(0)) });
      await world.drive({ coding });
      await continues({ tokenCap: 0 }, 'BUDGET_EXHAUSTED');
    });

    it('of cost, in mid-pass', async () => {
      await begin({ minPasses: 2, maxPasses: 2 }, { costCap: 100 });
      world.answers({ coding: (call) => (call.turn === 1 ? costing(call, worked(), 0.6) : capped(0.5)) });
      await world.drive({ coding });
      assert.equal((await world.read()).error?.args['used'], '110.0');
      await continues({ costCap: 0 }, 'COST_CAP_REACHED');
    });

    it('of time, in mid-pass', async () => {
      await begin({ minPasses: 2, maxPasses: 2 }, { timeCap: 2 });
      world.answers({
        coding: ({ turn }) => {
          if (turn === 1) return worked();
          world.write('greet.txt', 'half\n');
          return hang;
        },
      });
      const driven = world.drive({ coding });
      await until(() => calls().length === 2, 'the second pass works');
      await until(async () => {
        await world.clock.advance(10_000);
        return (await world.read()).error !== null;
      }, 'the ticket pauses');
      await driven;
      assert.ok(world.agent.aborted.includes(calls()[1]?.session ?? ''), 'the session was ended');
      const told = world.events.flatMap((event) =>
        event.type === 'activity' && event.text.includes('limit is used') ? [event.text] : [],
      );
      assert.equal(told.length, 1, told.join());
      assert.match(told[0] ?? '', /of 2 minutes\.$/);
      await continues({ timeCap: 0 }, 'TIME_CAP_REACHED');
    });
  });

  it('AT-37: a quota holds the ticket and uses up no pass', async () => {
    await begin({ minPasses: 2, maxPasses: 2 });
    const quota = {
      kind: 'quota',
      message: 'too many requests',
      statusCode: 429,
      continuable: true,
      retryAfterMs: 1,
    } as const;
    world.answers({
      coding: ({ turn }) => (turn === 2 ? quota : worked()),
      'continue please': () => worked('hello 2\n'),
    });
    const driven = world.drive({ coding });
    await until(async () => (await world.read()).hold?.kind === 'quota', 'the ticket holds', 60_000);
    assert.equal((await world.read()).hold?.kind, 'quota');
    await world.clock.advance(60_000);
    await driven;
    await isDone();
    assert.deepEqual(await passes(), ['1 claimed_early null', '2 passed validated_complete']);
    assert.equal((await world.bead('greet')).iteration, 1);
    assert.equal(new Set(calls().map(({ session }) => session)).size, 2);
  });

  it('AT-38: a process that ends in a pass leaves its session to the next, and the earlier passes as they were', async () => {
    await begin({ minPasses: 2, maxPasses: 2 });
    world.answers({ coding: ({ turn }) => (turn === 2 ? hang : worked()) });
    const killed = world.driveUntilKilled({ coding });
    await until(() => calls().length === 2, 'the second pass works', 60_000);
    world.crash();
    const session = calls()[1]?.session ?? '';
    const driven = world.drive({ coding });
    await until(() => world.agent.awaited > 0, 'the session is found again', 60_000);
    world.agent.finish(session, worked('hello 2\n'));
    await Promise.all([killed, driven]);
    await isDone();
    assert.equal(calls().length, 2, 'no prompt is sent twice');
    assert.deepEqual(await passes(), ['1 claimed_early null', '2 passed validated_complete']);
    assert.equal((await world.bead('greet')).iteration, 1);
  });

  it('AT-38: a session that is gone is replaced on the same files', async () => {
    await begin({ minPasses: 2, maxPasses: 2 });
    world.answers({
      coding: ({ turn }) => {
        if (turn !== 2) return worked(turn === 1 ? 'hello\n' : `${world.readWorktree('greet.txt')}again\n`);
        world.write('greet.txt', 'hello\nhalf\n');
        return hang;
      },
    });
    const killed = world.driveUntilKilled({ coding });
    await until(() => calls().length === 2, 'the second pass works', 60_000);
    world.crash();
    world.agent.sessions.delete(calls()[1]?.session ?? '');
    await world.drive({ coding });
    await isDone();
    assert.deepEqual(await passes(), ['1 claimed_early null', '2 passed validated_complete']);
    void killed;
    assert.equal(world.readWorktree('greet.txt'), 'hello\nhalf\nagain\n', 'the work of both passes is there');
  });

  it('AT-27: come with the preamble first where that order is set', async () => {
    await begin({ maxPasses: 2, promptOrder: 'seed' });
    await world.post('context', { text: 'Use brevity.', scope: 'once' });
    world.answers({ coding: () => worked() });
    await world.drive({ coding });
    await isDone();
    const [call] = calls();
    const heads = call?.whole.split('\n\n---\n\n').map((text) => text.split('\n')[0]);
    const context = '## Additional Context (added by user mid-loop)';
    assert.deepEqual(heads, [
      '## preamble',
      context,
      '## Change Proposal (TST-1)',
      '## Module (greet)',
      '# Beadsmith task: coding',
    ]);
    assert.match(call?.whole ?? '', /TST-1: Greet people/);
  });

  it('cost nothing where there is one: the same calls, and no word of a loop', async () => {
    await begin({});
    world.answers({ coding: () => worked() });
    await world.drive({ coding });
    await isDone();
    assert.deepEqual(world.agent.tasks, ['coding']);
    const [call] = calls();
    assert.ok(call);
    for (const name of ['preamble', 'iteration', 'pass_report'])
      assert.equal(part(call, name), undefined, name);
    assert.deepEqual(await passes(), []);
  });
});
