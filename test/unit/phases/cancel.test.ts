import assert from 'node:assert/strict';
import { once } from 'node:events';
import * as z from 'zod';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';
import type { HandlerDefinition } from '../../../src/engine/run/run.ts';
import { cancel } from '../../../src/phases/cancel.ts';
import { partCache } from '../../../src/phases/shared/ask/partCache.ts';
import { behaviourOf, EngineWorld } from '../../support/engine/engineWorld.ts';
import { FakeAgent } from '../../support/models/fakeAgent.ts';
import { tempStores } from '../../support/engine/tempStore.ts';
import { until } from '../../support/until.ts';

describe('cancel', () => {
  const stores = tempStores();
  const directory = '/repo.worktrees/TST-1';
  let world: EngineWorld;
  let agent: FakeAgent;
  let id: string;
  beforeEach(async () => {
    agent = new FakeAgent();
    world = new EngineWorld(stores(), { agent });
    id = (await world.ticket()).id;
  });

  /**
   * A handler in the middle of a model call, whose session is noted; with `recorded` an earlier one of its
   * has a row too.
   */
  const calling = (recorded: boolean): HandlerDefinition<string> => ({
    version: 1,
    run: async (run) => {
      if (recorded)
        await run.step('earlier', z.null(), (io) => {
          const row = {
            id: 'ses_1',
            ticket: id,
            run: run.runId,
            step: 'earlier',
            member: 'demo/main',
            bead: null,
            iteration: null,
          };
          io.save({ type: 'session', session: { ...row, directory, title: 'earlier', state: 'active' } });
          return Promise.resolve(null);
        });
      await run.step('ask', z.null(), async (io) => {
        await io.note({ type: 'session', id: 'ses_2', directory, title: 'ask', reason: 'first' });
        await once(io.signal, 'abort');
        throw new BeadsmithError('UNEXPECTED', { reason: 'cut off' });
      });
      return { exit: 'ready' };
    },
  });
  const noted = async (): Promise<boolean> => (await world.kinds(id)).includes('step.note');

  for (const recorded of [false, true])
    it(`stops the session of a call in the middle${recorded ? ', and those on record' : ', which nobody has put on record'}`, async () => {
      const engine = world.start(
        behaviourOf({ scanRelevantFiles: calling(recorded) }, { prepared: { cancel } }),
      );
      await until(noted, 'the call is noted');
      partCache.set(id, 'prd', { content: 'text', timestamp: 1_000, tokens: 7 });
      await world.post(id, 'cancel', { reason: 'Enough', deleteWorktree: false });
      await until(async () => (await world.read(id)).status === 'CANCELED', 'the ticket is canceled');
      await engine.stop();
      assert.deepEqual(agent.aborted, recorded ? ['ses_1', 'ses_2'] : ['ses_2']);
      assert.deepEqual(
        (await world.store.sessions(id)).map(({ state }) => state),
        recorded ? ['abandoned'] : [],
      );
      assert.deepEqual(
        (await world.store.inbox(id)).map(({ state }) => state),
        ['consumed'],
      );
      assert.ok(await world.store.artifact(id, 'skip_receipt:cancel_ticket'), 'the reason is kept');
      assert.equal(
        partCache.get(id, 'prd', 'text', 1_000),
        undefined,
        'the parts of its prompts are forgotten',
      );
    });
});
