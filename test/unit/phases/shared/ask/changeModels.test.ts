import assert from 'node:assert/strict';
import { ModelsReceipt } from '../../../../../src/domain/workflow/receipts.ts';
import type { InboxBody } from '../../../../../src/domain/ticket/inbox.ts';
import { ask } from '../../../../../src/phases/shared/ask/ask.ts';
import { askIn, askSideBySide, colourCall } from '../../../../support/engine/colourCall.ts';
import { type PhaseWorld, phaseWorlds } from '../../../../support/engine/phaseWorld.ts';
import { quota } from '../../../../support/models/fakeAgent.ts';
import { until } from '../../../../support/until.ts';

describe('models that are changed in a running ticket', () => {
  const worlds = phaseWorlds();
  let world: PhaseWorld;
  beforeEach(async () => {
    world = await worlds('SCANNING_RELEVANT_FILES');
    world.agent.answer = () => 'colour: red';
  });
  const asked = (): string[] => world.agent.calls.map(({ member }) => member);
  const recorded = async (): Promise<string[]> =>
    (await world.store.calls('TST-1')).map(({ plan }) => plan.model);
  /** Once the engine took it, which it does while it works. */
  const change = async (body: InboxBody<'change_models'>): Promise<void> => {
    const post = await world.post('change_models', body);
    await until(async () => (await world.entry(post))?.state !== 'pending', 'the change');
    assert.deepEqual(await world.outcomes(post), ['consumed']);
  };
  const idle = () => askIn(world, { ...colourCall, key: 'idle' });
  /** Two questions of one run; the models change while the first is asked. */
  const askTwice = (between: () => Promise<unknown>, over: Partial<typeof colourCall> = {}) =>
    world.drive({
      version: 1,
      run: async (run, ticket) => {
        world.agent.answer = async ({ number }) => {
          if (number === 1 && world.agent.calls.length === 1) await between();
          return 'colour: red';
        };
        const { session } = await ask(run, ticket, { ...colourCall, ...over });
        await ask(run, ticket, { ...colourCall, ...over, key: 'again' });
        await ask(run, ticket, { ...colourCall, ...over, key: 'kept', session });
        await run.wait('never', ['merge']);
        return { exit: 'never' };
      },
    });

  it('ask the new one from the next call on, also in a session that is open, and each call names its own', async () => {
    await askTwice(() => change({ mainImplementer: 'demo/third' }));
    assert.deepEqual(asked(), ['demo/main', 'demo/third', 'demo/third']);
    assert.deepEqual(await recorded(), asked());
    const sessions = await world.store.sessions('TST-1');
    assert.deepEqual(
      sessions.map(({ member }) => member),
      ['demo/main', 'demo/third'],
    );
    const { before, after, replaced, changed_by } = ModelsReceipt.parse(await world.json('models_receipt'));
    assert.deepEqual(
      [before.mainImplementer, after.mainImplementer, after.councilMembers, replaced, changed_by],
      ['demo/main', 'demo/third', ['demo/second'], ['demo/main'], 'user'],
    );
  });

  it('follow a second change, in which the first one is taken back', async () => {
    await askTwice(async () => {
      await change({ mainImplementer: 'demo/third' });
      await change({ mainImplementer: 'demo/second', councilMembers: [] });
    });
    assert.deepEqual(asked(), ['demo/main', 'demo/second', 'demo/second']);
    const { depth, minCouncilQuorum } = (await world.ticket()).settings ?? {};
    assert.deepEqual([depth, minCouncilQuorum], ['solo', 1]);
    await world.post('change_models', { councilMembers: ['demo/third', 'demo/second'] });
    await idle();
    const settings = (await world.ticket()).settings;
    assert.deepEqual([settings?.depth, settings?.councilMembers], ['full', ['demo/third']]);
  });

  it('leave a model that has a place now, though it had another one before', async () => {
    await world.drive({
      version: 1,
      run: async (run, ticket) => {
        world.agent.answer = async ({ member }) => {
          if (member === 'demo/main')
            await change({ mainImplementer: 'demo/second', councilMembers: ['demo/third'] });
          return 'colour: red';
        };
        await ask(run, ticket, colourCall);
        // As an iteration that begins after the change is given its coder.
        await ask(run, ticket, { ...colourCall, key: 'coder', member: 'demo/second' });
        await run.wait('never', ['merge']);
        return { exit: 'never' };
      },
    });
    assert.deepEqual(asked(), ['demo/main', 'demo/second']);
  });

  it('replace a model that only an earlier council named, such as its winner', async () => {
    await askTwice(() => change({ councilMembers: ['demo/third'] }), { member: 'demo/second' });
    // It reviews, unless a reviewer is set.
    assert.deepEqual(asked(), ['demo/second', 'demo/third', 'demo/third']);
    await world.enter('COUNCIL_DELIBERATING');
    await askIn(world, { ...colourCall, member: 'demo/second' });
    assert.equal(asked().at(-1), 'demo/main');
    await world.enter('COUNCIL_VOTING_INTERVIEW');
    await askIn(world, { ...colourCall, member: 'own/persona' });
    assert.equal(asked().at(-1), 'own/persona', 'a model that the ticket never had');
  });

  it('leave a council at work its members', async () => {
    await askTwice(() => change({ mainImplementer: 'demo/third' }), { onProviderFailure: 'member' });
    assert.deepEqual(asked(), ['demo/main', 'demo/main', 'demo/main']);
    await askSideBySide(world, { ...colourCall, onProviderFailure: 'member' }, ['demo/main']);
    assert.equal(asked().at(-1), 'demo/main');
  });

  it('continue what a provider refused, in the same session', async () => {
    world.agent.answer = () => quota;
    await assert.rejects(askIn(world, colourCall), { code: 'PROVIDER_QUOTA' });
    await world.post('change_models', { mainImplementer: 'demo/third' });
    await world.post('continue', {});
    world.agent.answer = () => 'colour: red';
    await askIn(world, colourCall);
    assert.deepEqual(asked(), ['demo/main', 'demo/third']);
    assert.equal(world.agent.sessions.size, 1);
    assert.deepEqual(await recorded(), asked());
  });

  it('let a call that is under way finish with its model, also over a restart', async () => {
    world.agent.answer = async () => {
      await change({ mainImplementer: 'demo/third' });
      world.crash();
      return 'colour: red';
    };
    assert.equal(await askIn(world, colourCall), undefined);
    assert.equal((await askIn(world, colourCall))?.value.colour, 'red');
    assert.deepEqual([asked(), await recorded()], [['demo/main'], ['demo/main']]);
  });

  it('need no answer of OpenCode where each is in use already', async () => {
    world.agent.models = () => Promise.reject(new Error('OpenCode is away'));
    const fewer = await world.post('change_models', { councilMembers: [] });
    await idle();
    assert.deepEqual(await world.outcomes(fewer), ['consumed']);
  });

  it('are refused if no provider has them, and if nothing is left to code', async () => {
    const unknown = await world.post('change_models', { reviewer: 'nobody/knows' });
    const empty = await world.post('change_models', { mainImplementer: '' });
    await idle();
    assert.deepEqual(await world.outcomes(unknown, empty), ['MODEL_UNKNOWN', 'INVALID_INPUT']);
    assert.equal((await world.ticket()).settings?.mainImplementer, 'demo/main');
    assert.equal(await world.json('models_receipt'), undefined);
  });
});
