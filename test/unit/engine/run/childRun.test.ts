import assert from 'node:assert/strict';
import * as z from 'zod';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import type { Behaviour } from '../../../../src/engine/drive/runner.ts';
import type { HandlerDefinition, Run, StageMachine } from '../../../../src/engine/run/run.ts';
import { behaviourOf, EngineWorld, stay } from '../../../support/engine/engineWorld.ts';
import { testStages } from '../../../support/engine/testStages.ts';
import { tempStores } from '../../../support/engine/tempStore.ts';
import { until } from '../../../support/until.ts';

const Outcome = z.object({ end: z.enum(['accepted', 'rejected']), result: z.object({ visit: z.number() }) });

describe('A child run', () => {
  let world: EngineWorld;
  let id: string;
  const stores = tempStores();
  beforeEach(async () => {
    world = new EngineWorld(stores());
    id = (await world.ticket()).id;
  });

  function coding(handlers: StageMachine['handlers'], outcomes: unknown[] = []) {
    return behaviourOf(
      {
        coding: {
          version: 1,
          run: async (run) => {
            outcomes.push(await run.child('bead:a:1', Outcome, 'kickoff', { visit: 0, problem: '' }));
            return { exit: 'complete' };
          },
        },
        finalTest: stay,
      },
      { stages: { version: 1, table: testStages, handlers } },
    );
  }

  it('follows the table of stages, passes over absent optional ones, and is one entry of its parent', async () => {
    const outcomes: unknown[] = [];
    const seen: string[] = [];
    const behaviour = coding(
      {
        code: async (run: Run, _ticket, { visit }: { visit: number }) => {
          await run.step('ask', z.null(), () => Promise.resolve(null));
          seen.push('code');
          return { exit: 'done', output: { visit: visit + 1 } };
        },
        check: (_run, _ticket, { visit }: { visit: number }) =>
          Promise.resolve({ exit: visit === 1 ? 'problems' : 'passed', output: { problem: 'none' } }),
      },
      outcomes,
    );
    await world.driveUntilIdle(behaviour, id);
    assert.deepEqual(seen, ['code', 'code']);
    assert.deepEqual(outcomes, [{ end: 'accepted', result: { visit: 2 } }]);
    const runs = await world.store.runs(id);
    const parent = runs.find((run) => run.status === 'CODING' && run.parent === null);
    assert.deepEqual(
      (await world.store.steps(parent?.id ?? '')).map((step) => step.key),
      ['bead:a:1'],
    );
  });

  it('continues where it was cut off, and blocks at the third crash within ten minutes', async () => {
    const never = new Promise<null>(() => undefined);
    let entered = 0;
    const hanging = coding({
      code: async (run: Run) => {
        await run.step('ask', z.null(), () => {
          entered++;
          return never;
        });
        return { exit: 'done', output: { visit: 1 } };
      },
    });
    for (let crash = 1; crash <= 3; crash++) {
      world.start(hanging);
      await until(() => Promise.resolve(entered === crash), `entry ${String(crash)}`);
      world.crash();
    }
    await world.driveUntilIdle(hanging, id);
    const ticket = await world.read(id);
    assert.deepEqual([ticket.status, ticket.error?.code, entered], ['BLOCKED_ERROR', 'CRASH_LOOP', 3]);
  });

  it('does not take an orderly stop for a crash', async () => {
    let entered = 0;
    const hanging = coding({
      code: async (run: Run) => {
        await run.step('ask', z.null(), (io) => {
          entered++;
          return new Promise<null>((_, reject) => {
            io.signal.addEventListener('abort', () => {
              reject(new Error('stopped'));
            });
          });
        });
        return { exit: 'done', output: { visit: 1 } };
      },
    });
    for (let stop = 1; stop <= 5; stop++) {
      const engine = world.start(hanging);
      await until(() => Promise.resolve(entered === stop), `entry ${String(stop)}`);
      await engine.stop();
    }
    assert.equal((await world.read(id)).status, 'CODING');
  });

  it('does not take a full disk for a crash', async () => {
    let entered = 0;
    const filling = coding({
      code: async (run: Run) => {
        await run.step('ask', z.null(), () => {
          if (++entered < 6) throw new BeadsmithError('DISK_FULL');
          return Promise.resolve(null);
        });
        return { exit: 'done', output: { visit: 1 } };
      },
      check: () => Promise.resolve({ exit: 'passed', output: { problem: '' } }),
    });
    const settled = world.driveUntilIdle(filling, id);
    const holds = () => world.events.filter((event) => event.type === 'hold' && event.hold === 'disk').length;
    for (let full = 1; full < 6; full++) {
      await until(() => holds() === full, `hold ${String(full)}`);
      await world.clock.advance(5_000);
    }
    await settled;
    assert.deepEqual([(await world.read(id)).status, entered], ['RUNNING_FINAL_TEST', 6]);
  });

  describe('under stages of another version', () => {
    const waiting: StageMachine['handlers'] = {
      code: async (run: Run) => {
        await run.step('ask', z.null(), () => Promise.resolve(null));
        return { exit: 'done', output: { visit: 1 } };
      },
      check: (run: Run) => run.wait('never', ['merge']) as never,
    };
    let coded: number;
    const passing: StageMachine['handlers'] = {
      code: () => {
        coded += 1;
        return Promise.resolve({ exit: 'done', output: { visit: coded } });
      },
      check: () => Promise.resolve({ exit: 'passed', output: { problem: '' } }),
    };
    beforeEach(() => (coded = 0));

    const at = (version: number, handlers: StageMachine['handlers'], outcomes: unknown[] = []) => {
      const behaviour = coding(handlers, outcomes);
      return { ...behaviour, stages: { ...behaviour.stages, version } };
    };

    it('is superseded with its parent, and its stages are done again, those that were recorded, too', async () => {
      await world.driveUntilIdle(at(1, waiting), id);
      const outcomes: unknown[] = [];
      await world.driveUntilIdle(at(2, passing, outcomes), id);
      assert.deepEqual([coded, outcomes], [1, [{ end: 'accepted', result: { visit: 1 } }]]);
      const runs = (await world.store.runs(id)).filter(({ status }) => status === 'CODING');
      assert.deepEqual(
        runs.map(({ parent, state, handlerVersion }) => [
          parent === null ? 'parent' : 'child',
          state,
          handlerVersion,
        ]),
        [
          ['parent', 'superseded', 1],
          ['child', 'superseded', 1],
          ['parent', 'closed', 1],
          ['child', 'closed', 2],
        ],
      );
      assert.equal((await world.read(id)).status, 'RUNNING_FINAL_TEST');
    });

    it('is not taken for a crash, however often the version changes', async () => {
      for (let version = 1; version <= 5; version++) await world.driveUntilIdle(at(version, waiting), id);
      await world.driveUntilIdle(at(6, passing), id);
      assert.equal((await world.read(id)).status, 'RUNNING_FINAL_TEST');
    });

    it('continues where it was under the same version', async () => {
      await world.driveUntilIdle(at(2, waiting), id);
      await world.driveUntilIdle(at(2, passing), id);
      assert.deepEqual([coded, (await world.read(id)).status], [0, 'RUNNING_FINAL_TEST']);
    });

    it('keeps the result of an iteration that is over', async () => {
      const parked = at(1, passing);
      const run: HandlerDefinition<string>['run'] = async (own) => {
        await own.child('bead:a:1', Outcome, 'kickoff', { visit: 0, problem: '' });
        await own.wait('merge', ['merge']);
        return { exit: 'complete' };
      };
      const handlers = { ...parked.handlers, coding: { version: 1, run } } as Behaviour['handlers'];
      await world.driveUntilIdle({ ...parked, handlers }, id);
      await world.driveUntilIdle({ ...parked, handlers, stages: { ...parked.stages, version: 2 } }, id);
      assert.equal(coded, 1);
      assert.ok((await world.store.runs(id)).every(({ state }) => state !== 'superseded'));
    });
  });
});
