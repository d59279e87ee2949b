import assert from 'node:assert/strict';
import * as z from 'zod';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import { limitsHash, limitsOf, type LimitsChange } from '../../../../src/domain/settings/limits.ts';
import { LimitsReceipt } from '../../../../src/domain/workflow/receipts.ts';
import { Limits, Settings } from '../../../../src/domain/settings/settings.ts';
import { budgetReached } from '../../../../src/domain/usage/budgets.ts';
import type { HandlerDefinition, Run } from '../../../../src/engine/run/run.ts';
import type { Behaviour } from '../../../../src/engine/drive/runner.ts';
import { behaviourOf, EngineWorld, stay } from '../../../support/engine/engineWorld.ts';
import { tempStores } from '../../../support/engine/tempStore.ts';
import { until } from '../../../support/until.ts';

const settings = Settings.parse({ mainImplementer: 'demo/main', review: 'off' });
const limits = Limits.parse({ maxIterations: 2, tokenCap: 1_000 });
const startedHash = limitsHash({ ...limits, tokenBudget: settings.tokenBudget });

describe('Limits changed after the start', () => {
  let world: EngineWorld;
  let id: string;
  const stores = tempStores();
  beforeEach(async () => {
    world = new EngineWorld(stores());
    id = (await world.ticket()).id;
  });

  const start: HandlerDefinition<string> = {
    version: 1,
    run: () => Promise.resolve({ exit: 'start', patch: { settings, limits } }),
  };
  const scanning = (scan: (run: Run) => Promise<unknown>): Behaviour =>
    behaviourOf({
      draft: start,
      scanRelevantFiles: { version: 1, run: async (run) => ({ exit: await scan(run).then(() => 'ready') }) },
      draftInterview: stay,
    });
  const change = (body: LimitsChange, baseSha256 = startedHash): Promise<string> =>
    world.post(id, 'limits', { baseSha256, limits: body, reason: 'It needs more.' });
  const outcome = async (post: string): Promise<string | undefined> => {
    const entry = (await world.store.inbox(id)).find((found) => found.id === post);
    return entry?.outcome?.code ?? entry?.state;
  };

  it('interrupt nobody, leave the open run its own, and hold from the next run on', async () => {
    const release = Promise.withResolvers<null>();
    const seen: number[] = [];
    const scan = async (run: Run): Promise<void> => {
      await run.step('work', z.null(), (io) => {
        io.signal.addEventListener('abort', () => release.reject(new Error('it was interrupted')));
        return release.promise;
      });
      seen.push(run.limits.maxIterations);
    };
    world.start(scanning(scan));
    await until(async () => (await world.kinds(id)).includes('step.intent'), 'the step');
    const post = await change({ maxIterations: 9 });
    await until(async () => (await outcome(post)) === 'consumed', 'the change');
    release.resolve(null);
    await until(async () => (await world.read(id)).status === 'COUNCIL_DELIBERATING', 'the next status');
    await until(async () => (await world.store.openRun(id, 'COUNCIL_DELIBERATING')) !== undefined, 'its run');
    assert.deepEqual(
      [seen, (await world.store.openRun(id, 'COUNCIL_DELIBERATING'))?.limits.maxIterations],
      [[2], 9],
    );
  });

  it('let a run that was cut off replay with those it began with', async () => {
    const release = Promise.withResolvers<null>();
    const steps: string[] = [];
    const scan = async (run: Run): Promise<void> => {
      for (let number = 1; number <= run.limits.maxIterations; number += 1) {
        await run.step(`try:${String(number)}`, z.null(), () => {
          steps.push(String(number));
          return number === 2 ? release.promise : Promise.resolve(null);
        });
      }
    };
    world.start(scanning(scan));
    await until(() => Promise.resolve(steps.length === 2), 'the second step');
    const post = await change({ maxIterations: 1 });
    await until(async () => (await outcome(post)) === 'consumed', 'the change');
    world.crash();
    release.resolve(null);
    await world.driveUntilIdle(scanning(scan), id);
    assert.deepEqual(steps, ['1', '2', '2'], 'the lower limit would have left out a step that is journaled');
    assert.equal((await world.read(id)).status, 'COUNCIL_DELIBERATING');
  });

  it('are what a retry of a blocked ticket works with, in whatever order both came', async () => {
    const scan = async (run: Run): Promise<void> => {
      if (run.limits.maxIterations < 5)
        throw new BeadsmithError('FINAL_TEST_FAILED', { attempts: 3, reason: 'no' });
      return Promise.resolve();
    };
    const behaviour = scanning(scan);
    assert.deepEqual(await world.driveUntilIdle(behaviour, id), { state: 'blocked' });
    await world.post(id, 'retry', { note: '' });
    await change({ maxIterations: 5 });
    await world.driveUntilIdle(behaviour, id);
    assert.equal((await world.read(id)).status, 'COUNCIL_DELIBERATING');
    assert.equal((await world.store.verify(id)).ok, true);
  });

  it('leave a receipt of what a person decided, and change nothing else', async () => {
    await world.driveUntilIdle(behaviourOf({ draft: start, scanRelevantFiles: stay }), id);
    await change({ tokenCap: 5_000, tokenBudget: 200_000 });
    await world.driveUntilIdle(behaviourOf({ scanRelevantFiles: stay }), id);
    const ticket = await world.read(id);
    assert.deepEqual(
      [ticket.limits, ticket.settings],
      [
        { ...limits, tokenCap: 5_000 },
        { ...settings, tokenBudget: 200_000 },
      ],
    );
    const receipt = LimitsReceipt.parse(
      JSON.parse((await world.store.artifact(id, 'limits_receipt'))?.content ?? ''),
    );
    assert.deepEqual(
      [receipt.before.tokenCap, receipt.after, receipt.reason, receipt.changed_by],
      [1_000, limitsOf(ticket), 'It needs more.', 'user'],
    );
  });

  it('are refused when someone else changed them since, also when both are pending', async () => {
    await world.driveUntilIdle(behaviourOf({ draft: start, scanRelevantFiles: stay }), id);
    const [first, second] = [await change({ maxIterations: 7 }), await change({ tokenCap: 0 })];
    await world.driveUntilIdle(behaviourOf({ scanRelevantFiles: stay }), id);
    assert.deepEqual([await outcome(first), await outcome(second)], ['consumed', 'EDIT_CONFLICT']);
    assert.deepEqual((await world.read(id)).limits, { ...limits, maxIterations: 7 });
  });

  it('are refused of a paused ticket when they aren’t above what is used, and let it continue when they are', async () => {
    const resumed: string[] = [];
    const call = (run: Run): Promise<null> =>
      run.step('call', z.null(), async (io) => {
        const cap = (await io.ports.store.ticket(id))?.limits?.tokenCap ?? 0;
        const reached = budgetReached([
          { scope: 'ticket', unit: 'tokens', limit: 'tokenCap', used: 1_500, cap },
        ]);
        if (reached) throw reached;
        resumed.push(io.resume);
        return null;
      });
    const behaviour = scanning(call);
    assert.deepEqual(await world.driveUntilIdle(behaviour, id), { state: 'held' });
    const { status, hold } = await world.read(id);
    assert.deepEqual([status, hold?.kind], ['SCANNING_RELEVANT_FILES', 'budget']);
    const [refused, pause] = [await change({ tokenCap: 1_500 }), await world.post(id, 'pause', {})];
    await world.driveUntilIdle(behaviour, id);
    assert.deepEqual([await outcome(refused), await outcome(pause)], ['INVALID_INPUT', 'ALREADY_PAUSED']);
    await change({ tokenCap: 2_000 });
    await world.post(id, 'resume', {});
    await world.driveUntilIdle(behaviour, id);
    assert.equal((await world.read(id)).status, 'COUNCIL_DELIBERATING');
    assert.deepEqual(resumed, ['continue']);
    assert.equal((await world.store.verify(id)).ok, true);
  });

  it('aren’t there before the start', async () => {
    const post = await change({ maxIterations: 7 });
    await world.driveUntilIdle(behaviourOf({ draft: stay }), id);
    assert.equal(await outcome(post), 'ACTION_NOT_ALLOWED');
  });
});
