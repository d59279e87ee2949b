import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import { behaviour } from '../../../../src/phases/index.ts';
import {
  type ExecutionWorld,
  executionWorlds,
  testSetupPlan,
} from '../../../support/engine/executionWorld.ts';

const { setupPlan, prepareEnvironment, approve } = behaviour.handlers;
const handlers = { setupPlan, prepareEnvironment, approve };
const manifest = {
  'package.json': '{}\n',
  'tools/install.sh': 'touch made.ignored\n',
  'src/app.js': 'export {};\n',
};
const checks = { workspace: 'pass', tooling: 'pass', temp_scope: 'pass', policy: 'pass' };
const planning = (fields: object = {}): string => {
  const {
    ticket_id: _ticket,
    artifact: _kind,
    schema_version: _version,
    status: _status,
    ...draft
  } = testSetupPlan(['sh tools/install.sh']);
  return `<EXECUTION_SETUP_PLAN>\n${stringify({ ...draft, ...fields })}</EXECUTION_SETUP_PLAN>`;
};

describe('the setup of a quick ticket', () => {
  const newWorld = executionWorlds();

  /** A person approved the setup, and the engine proved it. */
  async function prepared(gaps: readonly string[] = []): Promise<ExecutionWorld> {
    const world = await newWorld(manifest);
    world.answers({
      'setup-plan': planning({ readiness: { status: 'partial', actions_required: true, gaps } }),
      setup: () => {
        world.write('made.ignored', '');
        const said = {
          bootstrap_commands: ['sh tools/install.sh'],
          tooling_probe_commands: ['test -f made.ignored'],
        };
        return `<EXECUTION_SETUP_RESULT>\n${stringify({ status: 'ready', checks, ...said })}</EXECUTION_SETUP_RESULT>`;
      },
    });
    await world.begin('GENERATING_EXECUTION_SETUP_PLAN');
    await world.enter('GENERATING_EXECUTION_SETUP_PLAN', { by: 'passed', body: null });
    await world.drive(handlers);
    const plan = await world.store.artifact(world.ticket, 'execution_setup_plan');
    await world.post('approve', { sha256: plan?.info.sha256 ?? '', reason: 'It is enough.' });
    await world.drive(handlers);
    await world.isIn('CODING');
    return world;
  }

  /** Gets as far as it can without a person; answers the models it asked. */
  async function next(
    world: ExecutionWorld,
    depth: 'quick' | 'solo' = 'quick',
  ): Promise<readonly [status: string, tasks: readonly string[]]> {
    const before = world.agent.tasks.length;
    await world.begin('GENERATING_EXECUTION_SETUP_PLAN', { settings: { depth } });
    await world.enter('GENERATING_EXECUTION_SETUP_PLAN', { by: 'passed', body: null });
    await world.drive(handlers);
    return [(await world.read()).status, world.agent.tasks.slice(before)];
  }

  const why = async (world: ExecutionWorld): Promise<unknown> =>
    (await world.json('setup_reuse'))?.['reason'];

  it('is the one that was approved last, proved again by the engine alone', async () => {
    const world = await prepared();
    await world.repository.commit({ 'src/app.js': 'export const a = 1;\n' });
    assert.deepEqual(await next(world), ['CODING', []]);
    assert.equal((await world.json('setup_reuse'))?.['from'], 'TST-1');
    const profile = await world.json('execution_setup_profile');
    assert.deepEqual(
      [profile?.['ticket_id'], profile?.['bootstrap_commands']],
      ['TST-2', ['sh tools/install.sh']],
    );
    assert.equal(world.readWorktree('made.ignored'), '');
    assert.deepEqual(await next(world), ['CODING', []], 'the next one, too');
    assert.equal((await world.json('setup_reuse'))?.['from'], 'TST-1', 'from the one that a person approved');
  });

  it('is planned and approved as usual at any other depth', async () => {
    assert.deepEqual(await next(await prepared(), 'solo'), [
      'WAITING_EXECUTION_SETUP_APPROVAL',
      ['setup-plan'],
    ]);
  });

  it('is planned and approved as usual where none was approved', async () => {
    const world = await newWorld(manifest);
    world.answers({ 'setup-plan': planning() });
    assert.deepEqual(await next(world), ['WAITING_EXECUTION_SETUP_APPROVAL', ['setup-plan']]);
    assert.equal(await why(world), 'no setup was approved in this repository yet');
  });

  const changes: readonly [what: string, reason: RegExp, change: (world: ExecutionWorld) => unknown][] = [
    [
      'a manifest',
      /^package\.json changed since/,
      (world) => world.repository.commit({ 'package.json': '{"name":"a"}\n' }),
    ],
    [
      'a new lock file',
      /^package-lock\.json changed since/,
      (world) => world.repository.commit({ 'package-lock.json': '{}\n' }),
    ],
    [
      'a script that the bootstrap runs',
      /^tools\/install\.sh changed since/,
      (world) => world.repository.commit({ 'tools/install.sh': 'true\n' }),
    ],
    ['a version', /^node is 26\.0\.0, and was 24\.0\.0/, (world) => (world.workplace.node = '26.0.0')],
    [
      'a file that nobody decided on',
      /^there are inputs that nobody decided on/,
      (world) => world.repository.write({ 'secret.ignored': 'x\n', '.worktreeinclude': 'secret.ignored\n' }),
    ],
  ];
  for (const [what, reason, change] of changes)
    it(`is planned and approved as usual after a change of ${what}`, async () => {
      const world = await prepared();
      await change(world);
      assert.deepEqual(await next(world), ['WAITING_EXECUTION_SETUP_APPROVAL', ['setup-plan']]);
      assert.match(String(await why(world)), reason);
    });

  it('is planned and approved as usual after one that was approved with gaps', async () => {
    const world = await prepared(['No database']);
    assert.deepEqual(await next(world), ['WAITING_EXECUTION_SETUP_APPROVAL', ['setup-plan']]);
  });

  it('is planned and approved as usual if it no longer prepares the environment', async () => {
    const world = await prepared();
    // Nothing that is compared says so.
    const { runner } = world;
    world.runner = {
      run: (command, options) =>
        runner.run(command.includes('tools/install.sh') ? 'exit 1' : command, options),
    };
    assert.deepEqual(await next(world), ['WAITING_EXECUTION_SETUP_APPROVAL', ['setup-plan']]);
  });
});
