import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { WorktreeFiles } from '../../../../src/adapters/files/ticketFiles.ts';
import { failureBehind } from '../../../../src/domain/beads/failure.ts';
import { GitAdapter } from '../../../../src/adapters/git/gitAdapter.ts';
import { followMovedWorktrees } from '../../../../src/app/driverParts.ts';
import { coding } from '../../../../src/phases/coding/coding.ts';
import { prepareEnvironment } from '../../../../src/phases/setup/prepareEnvironment.ts';
import { setupPlan } from '../../../../src/phases/setup/setupPlan.ts';
import {
  type ExecutionWorld,
  executionWorlds,
  report,
  testSetupPlan,
} from '../../../support/engine/executionWorld.ts';
import { reservationIn } from '../../../support/fakes/fakeWorkplace.ts';

describe('the environment of a ticket', () => {
  const newWorld = executionWorlds();

  async function prepared(
    world: ExecutionWorld,
    options: Parameters<ExecutionWorld['begin']>[1],
    plan = {},
  ): Promise<void> {
    await world.begin('PREPARING_EXECUTION_ENV', options);
    await world.put(
      'execution_setup_plan',
      stringify({ ...testSetupPlan(), ...plan }),
      'GENERATING_EXECUTION_SETUP_PLAN',
    );
    await world.drive({ prepareEnvironment });
  }

  it('is planned from what the engine saw of the machine and the repository', async () => {
    const world = await newWorld.in('GENERATING_EXECUTION_SETUP_PLAN');
    const checks = [
      {
        name: 'Submodules',
        category: 'repository',
        result: 'warning',
        message: 'part are empty in worktrees.',
      },
      { name: 'Beads', category: 'plan', result: 'pass', message: '2 beads.' },
    ];
    await world.put('preflight_report', { schema_version: 1, checks });
    world.answers({
      'setup-plan':
        '<EXECUTION_SETUP_PLAN>\nreadiness: { status: ready, actions_required: false }\n</EXECUTION_SETUP_PLAN>',
    });
    await world.drive({ setupPlan });
    const { whole } = world.agent.calls[0] ?? assert.fail('no model was asked');
    assert.match(whole, /What this machine has/);
    assert.match(
      whole,
      /On PATH: git 2\.39\.5, node 24\.0\.0\.\nNot on PATH: cargo\.\nContainers: no engine answers\.\nSubmodules: part are empty/,
    );
    assert.ok(!whole.includes('2 beads.'));
  });

  it('is ready only if every program that commands start with is there', async () => {
    const world = await newWorld();
    const beads = [{ testCommands: ['cd . && no-such-tool --check', './written-later.sh'] }];
    await prepared(
      world,
      { beads },
      { project_commands: { test_full: ['other-missing-tool test'], lint_full: ['sh -n x'] } },
    );
    const { error } = await world.read();
    assert.equal(error?.code, 'SETUP_FAILED');
    assert.equal(failureBehind(error.diagnostics)?.cause, 'tool_missing');
    const reason = String(error.args['reason']);
    assert.match(reason, /`no-such-tool` is not on the search path of the prepared environment/);
    assert.match(reason, /`other-missing-tool` is not/);
    assert.doesNotMatch(reason, /written-later|`sh`/);
  });

  it('keeps its probes in the profile, for every later proof', async () => {
    const world = await newWorld({ 'check.sh': 'true\n' });
    await prepared(world, { beads: [{ testCommands: ['sh check.sh', 'grep -q x README.md'] }] });
    assert.deepEqual((await world.json('execution_setup_profile'))?.['tooling_probe_commands'], [
      'command -v sh',
      'command -v grep',
    ]);
  });

  it('is made again for a worktree that is made again', async () => {
    const world = await newWorld({ '.gitignore': 'deps/\n.env\n' });
    Object.assign(world, { files: new WorktreeFiles() });
    await world.repository.write({ '.env': 'A=1\n' });
    await world.begin('CODING');
    await world.prepared({
      bootstrap_commands: ['mkdir -p deps && echo ready > deps/tool'],
      inputs: [{ path: '.env', use: 'copy' }],
    });
    const found: boolean[] = [];
    world.answers({
      coding: async () => {
        found.push(existsSync(join(world.worktree, 'deps/tool')) && existsSync(join(world.worktree, '.env')));
        if (found.length === 1) await rm(world.worktree, { recursive: true });
        else world.write('greet.txt', 'hello\n');
        return report('greet');
      },
    });
    await world.drive({ coding });
    assert.equal((await world.read()).error?.code, 'WORKTREE_LOST');
    await world.post('retry', { note: '' });
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done', JSON.stringify((await world.read()).error));
    assert.deepEqual(found, [false, true]);
  });

  it('is made again for a worktree that was moved with its repository, and what lies in it stays', async () => {
    const world = await newWorld({ '.gitignore': 'deps/\n*.ignored\n' });
    Object.assign(world, { files: new WorktreeFiles() });
    await world.begin('CODING');
    await world.prepared({ bootstrap_commands: ['mkdir -p deps && pwd > deps/place'] });
    world.write('half.ignored', 'half of the work\n');
    const from = world.repository.root;
    const to = join(from, '..', 'renamed');
    await rename(from, to);
    await rename(`${from}.worktrees`, `${to}.worktrees`);
    Object.assign(world, { git: new GitAdapter({ folder: to }) });
    await followMovedWorktrees(world.store, world.git);
    const worktree = join(`${to}.worktrees`, 'TST-1');
    assert.equal((await world.read()).worktree, worktree);
    await world.enter('CODING', { by: 'retry', body: { note: '' } });
    Object.assign(world, { worktree });
    const found: string[] = [];
    world.answers({
      coding: () => {
        found.push(
          world.readWorktree('deps/place').trim(),
          String(existsSync(join(worktree, 'half.ignored'))),
        );
        world.write('greet.txt', 'hello\n');
        return report('greet');
      },
    });
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done', JSON.stringify((await world.read()).error));
    assert.deepEqual(found, [worktree, 'true']);
  });

  it('is made again after a reset that takes other dependencies away', async () => {
    const world = await newWorld.in('CODING', {
      limits: { maxIterations: 2, maxContinuations: 0 },
      files: { '.gitignore': 'deps/\n', 'requirements.txt': 'one\n' },
    });
    await world.prepared({ bootstrap_commands: ['mkdir -p deps && cp requirements.txt deps/installed'] });
    const installed: string[] = [];
    world.answers({
      coding: () => {
        if (installed.length > 0) world.write('greet.txt', 'hello\n');
        installed.push(
          existsSync(join(world.worktree, 'deps/installed')) ? world.readWorktree('deps/installed') : '',
        );
        if (installed.length === 1) world.write('requirements.txt', 'two\n');
        return report('greet');
      },
    });
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done', JSON.stringify((await world.read()).error));
    assert.deepEqual(installed, ['', 'one\n']);
  });

  it('has ports and a temporary folder of its own, until the ticket ends', async () => {
    const world = await newWorld();
    world.workplace.reservation = reservationIn(join(world.repository.root, '..', 'own folder'), 21_040);
    const { temporary } = world.workplace.reservation.proof;
    const test = `test "$BEADSMITH_PORT_BASE" = 21040 && test "$BEADSMITH_PORTS" = 20 && test "$TMPDIR" = '${temporary}' && touch "$TMPDIR/x" && test -f greet.txt`;
    await world.begin('CODING', { beads: [{ testCommands: [test] }] });
    world.answersGreeting();
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done', JSON.stringify((await world.read()).error));
    assert.ok(existsSync(join(temporary, 'x')));
  });
});
