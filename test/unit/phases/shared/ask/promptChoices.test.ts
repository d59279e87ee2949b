import assert from 'node:assert/strict';
import type { InboxBody } from '../../../../../src/domain/ticket/inbox.ts';
import { ask } from '../../../../../src/phases/shared/ask/ask.ts';
import type { Call } from '../../../../../src/phases/shared/structured/askTypes.ts';
import { takeUserContext } from '../../../../../src/phases/shared/ticket/ticketParts.ts';
import { testBead } from '../../../../support/engine/executionWorld.ts';
import { type PhaseWorld, phaseWorlds } from '../../../../support/engine/phaseWorld.ts';
import { colourCall } from '../../../../support/engine/colourCall.ts';
import { until } from '../../../../support/until.ts';

type Rule = InboxBody<'prompt_rule'>;

describe('the choices of people about later prompts', () => {
  const make = phaseWorlds();
  let world: PhaseWorld;
  const put = async (...questions: readonly Partial<Call<{ colour: string }>>[]) =>
    world.drive({
      version: 1,
      run: async (run, ticket) => {
        const sections = await takeUserContext(run, ticket);
        for (const [index, over] of questions.entries())
          await ask(run, ticket, { ...colourCall, key: `colour-${String(index)}`, sections, ...over });
        await run.wait('never', ['merge']);
        return { exit: 'never' };
      },
    });
  const rule = async (part: string, decided: Rule['rule'], bead: string | null = null): Promise<string> => {
    const posted = await world.post('prompt_rule', { part, rule: decided, bead });
    await world.drive({
      version: 1,
      run: async (run) => {
        await run.wait('never', ['merge']);
        return { exit: 'never' };
      },
    });
    const entry = (await world.store.inbox('TST-1')).find(({ id }) => id === posted);
    return entry?.outcome?.message ?? entry?.state ?? '';
  };
  const lastCall = async () => {
    const call = (await world.store.calls('TST-1')).at(-1);
    assert.ok(call);
    return call;
  };
  const sent = (): string => world.agent.calls.at(-1)?.whole ?? '';

  beforeEach(async () => {
    world = await make('COUNCIL_DELIBERATING', {});
    world.agent.answer = () => 'colour: red';
    await world.put('user_context', 'Paint it black.');
  });

  it('leave a part out of every later prompt, which its plan says, until it is included again', async () => {
    assert.equal(await rule('user_context', 'exclude'), 'consumed');
    await put({}, {});
    assert.ok(world.agent.calls.every(({ whole }) => !whole.includes('Paint it black.')));
    const { plan } = await lastCall();
    assert.deepEqual(
      plan.reductions.map(({ name, action, tokensAfter }) => [name, action, tokensAfter]),
      [['user_context', 'excluded', 0]],
    );
    assert.equal(
      plan.tokens,
      plan.parts.reduce((sum, { tokens }) => sum + tokens, 0) + (plan.instructions?.tokens ?? 0),
    );
    await world.enter('COUNCIL_DELIBERATING');
    assert.equal(await rule('user_context', 'none'), 'consumed');
    await put({});
    assert.match(sent(), /Paint it black\./);
  });

  it('hold for one bead, above what holds for the ticket', async () => {
    await world.change({ type: 'beads', beads: [testBead({ id: 'greet' }), testBead({ id: 'part' })] });
    assert.equal(await rule('user_context', 'exclude'), 'consumed');
    assert.equal(await rule('user_context', 'pin', 'greet'), 'consumed');
    await put({ bead: { id: 'greet', iteration: 1 } });
    assert.match(sent(), /Paint it black\./);
    assert.equal((await lastCall()).plan.parts.find(({ name }) => name === 'user_context')?.pinned, true);
    await world.enter('COUNCIL_DELIBERATING');
    await put({ bead: { id: 'part', iteration: 1 } });
    assert.doesNotMatch(sent(), /Paint it black\./);
  });

  it('keep a pinned part whole, and say so when nothing else is left to give up', async () => {
    const half = 'word '.repeat(1_800);
    await world.put('user_context', `${half}MIDDLE ${half}`);
    await world.change({ type: 'ticket', set: { settings: { ...(await settings()), tokenBudget: 12_000 } } });
    await world.enter('COUNCIL_DELIBERATING');
    await put({});
    assert.doesNotMatch(sent(), /MIDDLE/, 'it is cut to its share of the budget');
    await world.enter('COUNCIL_DELIBERATING');
    assert.equal(await rule('user_context', 'pin'), 'consumed');
    await put({});
    assert.match(sent(), /MIDDLE/);
    await world.put('user_context', 'word '.repeat(20_000));
    await world.enter('COUNCIL_DELIBERATING');
    await assert.rejects(put({}), { code: 'CONTEXT_OVER_BUDGET' });
  });

  for (const [part, decided, bead, reason] of [
    ['ticket_details', 'exclude', null, /makes no sense without it/],
    ['report_nonce', 'exclude', null, /makes no sense without it/],
    ['no_such_part', 'pin', null, /no prompt has a part of that name/],
    ['__proto__', 'exclude', null, /no prompt has a part of that name/],
    ['prd', 'exclude', 'unknown', /has no bead with that id/],
  ] as const)
    it(`are refused for ${part} (${decided}${bead === null ? '' : `, ${bead}`}), with the reason`, async () => {
      assert.match(await rule(part, decided, bead), reason);
      await put({});
      assert.match(sent(), /Paint it black\./);
    });

  it('have the next prompt wait, once, whatever the settings say', async () => {
    await world.post('preview_prompt', {});
    const asking = put({}, {});
    const request = await until(async () => (await world.ticket()).hold?.request, 'the request');
    assert.equal(world.agent.calls.length, 0, 'nothing is sent before');
    await world.post('question_reply', { request: request.id, answers: [['Leave out user_context']] });
    await asking;
    assert.deepEqual(
      world.agent.calls.map(({ whole }) => whole.includes('Paint it black.')),
      [false, true],
    );
    await world.enter('COUNCIL_DELIBERATING');
    await put({});
    assert.equal(world.agent.calls.length, 3, 'the wish is met');
  });

  it('change and take back standing context that prompts already hold', async () => {
    const pinned = await world.post('context', { text: 'Be brief.', scope: 'pinned' });
    await put({});
    assert.match(sent(), /Be brief\./);
    const tell = async (kind: 'edit_context' | 'withdraw_context', body: object): Promise<void> => {
      await world.enter('COUNCIL_DELIBERATING');
      await world.post(kind, { entry: pinned, ...body });
      await put({});
    };
    await tell('edit_context', { text: 'Be thorough.' });
    assert.match(sent(), /Be thorough\./);
    assert.doesNotMatch(sent(), /Be brief\./);
    await tell('withdraw_context', {});
    assert.doesNotMatch(sent(), /Be thorough\.|Be brief\./);
    assert.match(sent(), /Paint it black\./);
  });

  it('change context that still waits in the inbox', async () => {
    const once = await world.post('context', { text: 'Be brief.', scope: 'once' });
    await world.post('edit_context', { entry: once, text: 'Be thorough.' });
    await put({});
    assert.match(sent(), /Be thorough\./);
    assert.doesNotMatch(sent(), /Be brief\./);
  });

  async function settings() {
    const { settings: found } = await world.ticket();
    assert.ok(found);
    return found;
  }
});
