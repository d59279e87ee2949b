import assert from 'node:assert/strict';
import * as z from 'zod';
import { type ErrorCode, BeadsmithError } from '../../../../src/domain/core/errors.ts';
import { Settings } from '../../../../src/domain/settings/settings.ts';
import type { HandlerDefinition, Run, StageHandlers, StageMachine } from '../../../../src/engine/run/run.ts';
import { checkStage } from '../../../../src/phases/coding/checkStage.ts';
import { codeStage } from '../../../../src/phases/coding/codeStage.ts';
import { finalizeStage } from '../../../../src/phases/coding/finalizeStage.ts';
import { behaviourOf, EngineWorld, stay } from '../../../support/engine/engineWorld.ts';
import { testBead } from '../../../support/engine/executionWorld.ts';
import { tempStores } from '../../../support/engine/tempStore.ts';
import { testStages } from '../../../support/engine/testStages.ts';
import { until } from '../../../support/until.ts';

const Outcome = z.object({
  end: z.enum(['accepted', 'rejected']),
  result: z.object({ visit: z.number(), problem: z.string() }),
});
const passing: StageMachine['handlers'] = {
  code: () => Promise.resolve({ exit: 'done', output: { visit: 1 } }),
  check: () => Promise.resolve({ exit: 'passed', output: { problem: 'none' } }),
};

describe('the stages of an iteration', () => {
  let world: EngineWorld;
  let outcomes: unknown[];
  const stores = tempStores();
  beforeEach(async () => {
    world = new EngineWorld(stores());
    outcomes = [];
    await world.ticket();
  });

  function behaviour(
    handlers: StageMachine['handlers'],
    then: HandlerDefinition<string>['run'] = () => Promise.resolve({ exit: 'complete' }),
    table: StageMachine['table'] = testStages,
  ) {
    const run: HandlerDefinition<string>['run'] = async (own, ticket) => {
      outcomes.push(await own.child('bead:a:1', Outcome, 'kickoff', { visit: 0, problem: '' }));
      return then(own, ticket);
    };
    return behaviourOf(
      { coding: { version: 1, run }, finalTest: stay },
      { stages: { version: 1, table, handlers } },
    );
  }

  async function drive(
    handlers: StageMachine['handlers'],
    options: { readonly optional?: boolean } = {},
  ): Promise<void> {
    await enterCoding(options.optional ?? false);
    await world.driveUntilIdle(behaviour(handlers), 'TST-1');
  }

  async function enterCoding(optional: boolean, more: Partial<Settings> = {}): Promise<void> {
    const settings = Settings.parse({ mainImplementer: 'demo/main', manualQaEnabled: optional, ...more });
    const { status } = await world.read('TST-1');
    await world.store.commit({
      ticket: 'TST-1',
      journal: [{ kind: 'status', from: status, to: 'CODING', by: 'test' }],
      changes: [{ type: 'ticket', set: { status: 'CODING', settings } }],
    });
  }

  async function stageSteps(): Promise<readonly string[]> {
    const child = (await world.store.runs('TST-1')).find(({ parent }) => parent !== null);
    const steps = await world.store.steps(child?.id ?? '');
    return steps
      .filter(({ key }) => !key.includes('/'))
      .map(({ key, state, error }) => [key, state, ...(error ? [error.code] : [])].join(' '));
  }

  it('journals each stage as one step, and hands each the fields of its input', async () => {
    const inputs: unknown[] = [];
    await drive({
      code: (_run, _ticket, input) => {
        inputs.push(input);
        return Promise.resolve({ exit: 'done', output: { visit: 1 } });
      },
      check: (_run, _ticket, input) => {
        inputs.push(input);
        return Promise.resolve({ exit: 'passed', output: { problem: 'none' } });
      },
    });
    assert.deepEqual(inputs, [{ visit: 0, problem: '' }, { visit: 1 }]);
    assert.deepEqual(outcomes, [{ end: 'accepted', result: { visit: 1, problem: 'none' } }]);
    assert.deepEqual(await stageSteps(), ['code:1 done', 'check:1 done']);
  });

  for (const [what, result] of [
    ['a field of another type', { exit: 'done', output: { visit: 'one' } }],
    ['a missing field', { exit: 'done', output: {} }],
    ['a field that the row does not name', { exit: 'done', output: { visit: 1, problem: '' } }],
    ['an exit that the row does not have', { exit: 'perhaps', output: { visit: 1 } }],
    ['nothing', undefined],
  ] as const)
    it(`fails with a typed error when a stage returns ${what}`, async () => {
      await drive({ ...passing, code: () => Promise.resolve(result as never) });
      const { status, error } = await world.read('TST-1');
      assert.deepEqual(
        [status, error?.code, error?.args['stage']],
        ['BLOCKED_ERROR', 'STAGE_RESULT_INVALID', 'Coding'],
      );
      assert.deepEqual(await stageSteps(), ['code:1 failed STAGE_RESULT_INVALID']);
    });

  it('refuses a journaled result of another shape', async () => {
    await enterCoding(false);
    const hang: StageMachine['handlers'] = {
      ...passing,
      check: (run: Run) => run.wait('never', ['merge']) as never,
    };
    await world.driveUntilIdle(behaviour(hang), 'TST-1');
    const narrow = { ...testStages, code: { ...testStages.code, output: z.object({ visit: z.string() }) } };
    const other = behaviour(passing);
    await world.driveUntilIdle({ ...other, stages: { ...other.stages, table: narrow } }, 'TST-1');
    assert.equal((await world.read('TST-1')).error?.code, 'REPLAY_MISMATCH');
  });

  it('asks a stage that is over for nothing again', async () => {
    await enterCoding(false);
    let asked = 0;
    const code = async (run: Run): Promise<{ readonly exit: string; readonly output: unknown }> => {
      asked += 1;
      await run.step('ask', z.null(), () => Promise.resolve(null));
      return { exit: 'done', output: { visit: 1 } };
    };
    await world.driveUntilIdle(
      behaviour({ code, check: (run: Run) => run.wait('never', ['merge']) as never }),
      'TST-1',
    );
    await world.driveUntilIdle(behaviour({ ...passing, code }), 'TST-1');
    assert.deepEqual([asked, (await world.read('TST-1')).status], [1, 'RUNNING_FINAL_TEST']);
  });

  it('passes over an optional stage that is off, and one without a handler', async () => {
    let entered = 0;
    const kickoff = () => {
      entered += 1;
      return Promise.resolve({ exit: 'done', output: { problem: 'found' } });
    };
    await drive({ ...passing, kickoff });
    assert.deepEqual([entered, await stageSteps()], [0, ['code:1 done', 'check:1 done']]);
  });

  it('passes over an optional stage that is on and has no handler', async () => {
    await drive(passing, { optional: true });
    assert.deepEqual(await stageSteps(), ['code:1 done', 'check:1 done']);
  });

  it('enters an optional stage that is on', async () => {
    await drive(
      { ...passing, kickoff: () => Promise.resolve({ exit: 'done', output: { problem: 'found' } }) },
      { optional: true },
    );
    assert.deepEqual(await stageSteps(), ['kickoff:1 done', 'code:1 done', 'check:1 done']);
  });

  it('takes `auto` for on, except for reviews, which are decided at a ticket’s start', async () => {
    const told = { exit: 'done', output: { problem: 'found' } };
    for (const [setting, entered] of [
      ['failureAnalysis', true],
      ['review', false],
    ] as const) {
      const table = { ...testStages, kickoff: { ...testStages.kickoff, setting } };
      const handlers = { ...passing, kickoff: () => Promise.resolve(told) };
      world = new EngineWorld(stores());
      await world.ticket();
      await enterCoding(false, { [setting]: 'auto' });
      await world.driveUntilIdle(behaviour(handlers, undefined, table), 'TST-1');
      assert.equal((await stageSteps()).includes('kickoff:1 done'), entered, setting);
    }
  });

  it('records what an optional stage throws, and continues without it, now and after a restart', async () => {
    await enterCoding(true);
    let entered = 0;
    const kickoff = async (run: Run): Promise<never> => {
      entered += 1;
      await run.step('ask', z.null(), () => Promise.resolve(null));
      throw new BeadsmithError('RESPONSE_INVALID', { model: 'demo/main', what: 'insights', reason: 'empty' });
    };
    await world.driveUntilIdle(
      behaviour({ ...passing, kickoff, check: (run: Run) => run.wait('never', ['merge']) as never }),
      'TST-1',
    );
    await world.driveUntilIdle(behaviour({ ...passing, kickoff }), 'TST-1');
    assert.deepEqual([entered, (await world.read('TST-1')).status], [1, 'RUNNING_FINAL_TEST']);
    assert.deepEqual(await stageSteps(), [
      'kickoff:1 failed RESPONSE_INVALID',
      'code:1 done',
      'check:1 done',
    ]);
  });

  it('tells live views of each stage, and lists the stage an iteration is in', async () => {
    const bead = testBead({ id: 'a', status: 'in_progress' });
    await world.store.commit({ ticket: 'TST-1', journal: [], changes: [{ type: 'beads', beads: [bead] }] });
    await enterCoding(true);
    const stuck = (run: Run) => run.wait('never', ['merge'], { afterMs: 1_000_000 }) as never;
    await world.driveUntilIdle(
      behaviour({
        ...passing,
        kickoff: () => Promise.reject(new BeadsmithError('SESSION_LOST')),
        check: stuck,
      }),
      'TST-1',
    );
    const told = world.events.flatMap((event) => (event.type === 'stage' ? [event] : []));
    assert.deepEqual(
      told.map(({ bead: of, iteration, label, state, exit, error, skipped }) => [
        of,
        iteration,
        label,
        state,
        exit ?? error?.code,
        skipped,
      ]),
      [
        ['a', 1, 'Kickoff', 'started', undefined, false],
        ['a', 1, 'Kickoff', 'failed', 'SESSION_LOST', true],
        ['a', 1, 'Coding', 'started', undefined, false],
        ['a', 1, 'Coding', 'done', 'done', false],
        ['a', 1, 'Checking', 'started', undefined, false],
      ],
    );
    assert.equal((await world.store.summaries(['TST-1']))[0]?.coding?.stage, 'check');
  });

  for (const code of [
    'EPOCH_LOST',
    'DATABASE_READ_ONLY',
    'REPLAY_MISMATCH',
    'STEP_KEY_REUSED',
  ] as const satisfies readonly ErrorCode[])
    it(`does not pass over ${code} in an optional stage`, async () => {
      const failing = drive(
        { ...passing, kickoff: () => Promise.reject(new BeadsmithError(code)) },
        { optional: true },
      );
      const thrown = await failing.then(
        async () => (await world.read('TST-1')).error?.code,
        (error: unknown) => (error instanceof BeadsmithError ? error.code : error),
      );
      assert.deepEqual([thrown, outcomes], [code, []]);
    });

  it('does not pass over an error after which a person can continue', async () => {
    await drive(
      {
        ...passing,
        kickoff: () => Promise.reject(new BeadsmithError('PROVIDER_QUOTA', {}, { continuable: true })),
      },
      { optional: true },
    );
    const { status, error } = await world.read('TST-1');
    assert.deepEqual(
      [status, error?.code, await stageSteps()],
      ['BLOCKED_ERROR', 'PROVIDER_QUOTA', ['kickoff:1 intent']],
    );
  });

  /** At work until it is aborted; counts its entries. */
  function busyKickoff(entries: string[]) {
    return async (run: Run): Promise<never> => {
      await run.step('ask', z.null(), (io) => {
        entries.push(io.resume);
        return new Promise<null>((_, reject) => {
          io.signal.addEventListener('abort', () => {
            reject(new BeadsmithError('SESSION_LOST'));
          });
        });
      });
      throw new BeadsmithError('SESSION_LOST');
    };
  }

  it('enters an optional stage again after a stop in the middle of it, instead of passing over it', async () => {
    await enterCoding(true);
    const entries: string[] = [];
    const engine = world.start(behaviour({ ...passing, kickoff: busyKickoff(entries) }));
    await until(() => entries.length === 1, 'the step of the optional stage');
    await engine.stop();
    assert.deepEqual(
      [await stageSteps(), (await world.read('TST-1')).status],
      [['kickoff:1 intent'], 'CODING'],
    );
    const kickoff = () => Promise.resolve({ exit: 'done', output: { problem: 'found' } });
    await world.driveUntilIdle(behaviour({ ...passing, kickoff }), 'TST-1');
    assert.deepEqual(await stageSteps(), ['kickoff:1 done', 'code:1 done', 'check:1 done']);
  });

  it('does not continue an iteration that is canceled in an optional stage', async () => {
    await enterCoding(true);
    const entries: string[] = [];
    const engine = world.start(behaviour({ ...passing, kickoff: busyKickoff(entries) }));
    await until(() => entries.length === 1, 'the step of the optional stage');
    await world.post('TST-1', 'cancel', { reason: '', deleteWorktree: false });
    await until(async () => (await world.read('TST-1')).status === 'CANCELED', 'the cancel');
    await engine.stop();
    assert.deepEqual([await stageSteps(), outcomes], [['kickoff:1 intent'], []]);
  });

  it('waits for room when the disk is full in an optional stage, and then does what that stage does', async () => {
    await enterCoding(true);
    let entered = 0;
    const kickoff = async (run: Run): Promise<{ readonly exit: string; readonly output: unknown }> => {
      await run.step('ask', z.null(), () => {
        entered += 1;
        return entered === 1 ? Promise.reject(new BeadsmithError('DISK_FULL')) : Promise.resolve(null);
      });
      return { exit: 'done', output: { problem: 'found' } };
    };
    const settled = world.driveUntilIdle(behaviour({ ...passing, kickoff }), 'TST-1');
    await until(
      () => world.events.some((event) => event.type === 'hold' && event.hold === 'disk'),
      'the hold',
    );
    assert.deepEqual(
      [(await world.read('TST-1')).status, await stageSteps()],
      ['CODING', ['kickoff:1 intent']],
    );
    await world.clock.advance(5_000);
    await settled;
    assert.deepEqual([entered, await stageSteps()], [2, ['kickoff:1 done', 'code:1 done', 'check:1 done']]);
  });

  it('blocks when a required stage has no handler', async () => {
    await drive({ check: passing['check'] });
    assert.match(JSON.stringify((await world.read('TST-1')).error), /stage \\"code\\" has no handler/);
  });

  it('compiles only with a handler for every required stage, of its own input, output and exits', () => {
    const complete: StageHandlers = { code: codeStage, check: checkStage, finalize: finalizeStage };
    // @ts-expect-error A required stage without a handler
    const missing: StageHandlers = { code: codeStage, check: checkStage };
    const wrongExit: StageHandlers = {
      ...complete,
      // @ts-expect-error An exit of another stage
      finalize: () => Promise.resolve({ exit: 'passed', output: {} }),
    };
    const wrongOutput: StageHandlers = {
      ...complete,
      // @ts-expect-error Fields of another type
      check: () => Promise.resolve({ exit: 'passed', output: { evidence: 1 } }),
    };
    assert.equal([missing, wrongExit, wrongOutput].length, 3);
  });
});
