import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { systemClock } from '../../../../src/adapters/clock/systemClock.ts';
import { Shell } from '../../../../src/adapters/process/shell.ts';
import { failureBehind } from '../../../../src/domain/beads/failure.ts';
import { limitsBehind } from '../../../../src/domain/beads/limitsBehind.ts';
import { Failures } from '../../../../src/domain/beads/reports.ts';
import { coding } from '../../../../src/phases/coding/coding.ts';
import { prepareEnvironment } from '../../../../src/phases/setup/prepareEnvironment.ts';
import { reservationIn } from '../../../support/fakes/fakeWorkplace.ts';
import { hang } from '../../../support/models/fakeAgent.ts';
import { until } from '../../../support/until.ts';
import {
  type ExecutionWorld,
  executionWorlds,
  testBead,
  testSetupPlan as plan,
} from '../../../support/engine/executionWorld.ts';

const wrapper = '.ticket/runtime/execution-setup/run';

function result(fields: Record<string, unknown> = {}): string {
  const checks = { workspace: 'pass', tooling: 'pass', temp_scope: 'pass', policy: 'pass' };
  return `<EXECUTION_SETUP_RESULT>\n${stringify({ status: 'ready', checks, ...fields })}</EXECUTION_SETUP_RESULT>`;
}

describe('preparing the environment', () => {
  const newWorld = executionWorlds();

  async function begin(world: ExecutionWorld, steps: readonly string[]): Promise<void> {
    await world.begin('PREPARING_EXECUTION_ENV');
    await world.put('execution_setup_plan', stringify(plan(steps)), 'GENERATING_EXECUTION_SETUP_PLAN');
  }

  it('asks no model when the plan is ready, and still proves that commands run', async () => {
    const world = await newWorld();
    await begin(world, []);
    await world.drive({ prepareEnvironment }, 'CODING');
    assert.deepEqual(world.agent.tasks, []);
    assert.equal(world.shell.commands.length, 1);
    assert.equal((await world.json('execution_setup_profile'))?.['status'], 'ready');
    assert.match(world.readWorktree(wrapper), /exec "\$@"/);
  });

  it("writes the runtime itself, and values can't break out of it", async () => {
    const world = await newWorld();
    await begin(world, ['echo to be replaced by what the agent reports']);
    const value = `it's "$(touch owned)" \`id\` \\ $HOME\nsecond line`;
    const probe = `test "$GREETING" = "$(cat value.ignored)" && test ! -e owned && case "$PATH" in "$PWD/tools/a b:"*) ;; *) exit 1 ;; esac`;
    world.answers({
      setup: () => {
        world.write('value.ignored', value);
        const bootstrap_commands = [`printf %s "$GREETING" > value.ignored`];
        return result({
          bootstrap_commands,
          tooling_probe_commands: [probe],
          environment: { path_prepend: ['tools/a b'], variables: { GREETING: value } },
        });
      },
    });
    await world.drive({ prepareEnvironment }, 'CODING');
  });

  it('believes only probes that it ran itself, and leaves a note and no change', async () => {
    const world = await newWorld();
    await begin(world, ['touch tool.ignored']);
    world.answers({
      setup: ({ whole }) => {
        if (whole.includes('Make the tool first.')) {
          world.write('tool.ignored', '');
          return result({ tooling_probe_commands: ['test -f tool.ignored'] });
        }
        world.write('README.md', 'changed\n');
        return result({ tooling_probe_commands: ['test -f tool.ignored'] });
      },
      'setup-note': ({ whole }) => {
        assert.match(whole, /test -f tool\.ignored.*exited with 1/);
        assert.match(whole, /left behind: README\.md/);
        return 'Make the tool first.';
      },
    });
    await world.drive({ prepareEnvironment });
    assert.deepEqual(world.agent.tasks, ['setup', 'setup-note', 'setup']);
    await world.isIn('CODING');
    assert.equal(world.readWorktree('README.md'), '# Sample\n');
    assert.equal(await world.repository.git('show', 'refs/beadsmith/TST-1/_setup-1-1:README.md'), 'changed');
    assert.equal(((await world.json('execution_setup_report'))?.['attempts'] as unknown[]).length, 2);
  });

  it('lists the programs that commands start with: who needs them, and whether the setup brought them', async () => {
    const world = await newWorld();
    world.runner = new Shell({ clock: systemClock, environment: process.env });
    await world.begin('PREPARING_EXECUTION_ENV', {
      limits: { maxIterations: 2 },
      beads: [{ testCommands: ['made --check', 'sh -n README.md'] }],
    });
    const steps = { ...plan(['prepare']), project_commands: { test_full: ['made && made again'] } };
    await world.put('execution_setup_plan', stringify(steps), 'GENERATING_EXECUTION_SETUP_PLAN');
    const bin = '.ticket/runtime/execution-setup/bin';
    const bootstrap = `mkdir -p ${bin} && echo true > ${bin}/made && chmod +x ${bin}/made`;
    world.answers({
      setup: ({ whole }) => {
        const isSecond = whole.includes('Make it.');
        if (isSecond) execFileSync('/bin/sh', ['-c', bootstrap], { cwd: world.worktree });
        const environment = { path_prepend: [bin], variables: {} };
        return result(
          isSecond ? { bootstrap_commands: [bootstrap], environment } : { bootstrap_commands: ['true'] },
        );
      },
      'setup-note': 'Make it.',
    });
    await world.drive({ prepareEnvironment });
    assert.equal((await world.read()).error, null);
    const listed = (await world.json('execution_setup_profile'))?.['tool_requirements'] as {
      launcher: string;
      found: string;
    }[];
    const made = listed.find(({ launcher }) => launcher === 'made');
    assert.ok(made);
    assert.match(made.found, /\/bin\/made$/);
    assert.deepEqual(made, {
      launcher: 'made',
      required_by: ['made && made again', 'made --check'],
      status: 'provisioned',
      found: made.found,
    });
    assert.deepEqual(
      listed.filter(({ launcher }) => launcher === 'sh').map(({ found, ...rest }) => [rest, found !== '']),
      [[{ launcher: 'sh', required_by: ['sh -n README.md'], status: 'available' }, true]],
    );
  });

  it('says which command failed with which exit code, its last lines, or the limit: in the error, the report and the notes', async () => {
    const noisy = `printf 'line %s\\n' $(seq 1 400); echo no such package >&2; exit 7`;
    for (const [bootstrap, cause, said] of [
      [noisy, 'setup_failed', /failed with exit code 7\.$/],
      ['exec no-such-installer', 'tool_missing', /`no-such-installer` is not on the search path/],
      ['kill -9 $$', 'check_killed', /was terminated by SIGKILL\.$/],
      ['sleep 30', 'check_timed_out', /timed out after 1 s, the time limit of commands\.$/],
    ] as const) {
      const world = await newWorld();
      world.runner = new Shell({ clock: systemClock, environment: process.env });
      await world.begin('PREPARING_EXECUTION_ENV', { limits: { maxIterations: 1, commandTimeout: 1_000 } });
      await world.put(
        'execution_setup_plan',
        stringify(plan(['prepare'])),
        'GENERATING_EXECUTION_SETUP_PLAN',
      );
      world.answers({ setup: result({ bootstrap_commands: [bootstrap] }), 'setup-note': '' });
      await world.drive({ prepareEnvironment });
      const { error } = await world.read();
      assert.equal(error?.code, 'SETUP_FAILED');
      assert.match(String(error.args['reason']), said);
      const failure = failureBehind(error.diagnostics);
      assert.equal(failure?.cause, cause);
      assert.equal(failure.limit, cause === 'check_timed_out' ? 'commandTimeout' : null);
      const { attempts } = (await world.json('execution_setup_report')) as {
        attempts: { failure: unknown }[];
      };
      assert.deepEqual(attempts[0]?.failure, failure);
      const notes = JSON.stringify(await world.json('execution_setup_notes'));
      assert.match(notes, new RegExp(said.source.replace(/\$$/, '')));
      if (bootstrap !== noisy) continue;
      assert.match(failure.output, /line 400\nno such package$/);
      assert.match(notes, /line 400\\nno such package/);
    }
  });

  it('says that the agent took too long, and which limit to raise', async () => {
    const world = await newWorld.in('PREPARING_EXECUTION_ENV', {
      limits: { maxIterations: 1, executionSetupTimeout: 60_000 },
    });
    await world.put('execution_setup_plan', stringify(plan(['prepare'])), 'GENERATING_EXECUTION_SETUP_PLAN');
    world.answers({ setup: hang });
    const driven = world.drive({ prepareEnvironment });
    await until(() => world.agent.tasks.includes('setup'), 'the agent prepares');
    await world.clock.advance(61_000);
    await driven;
    const { error, previousStatus } = await world.read();
    assert.equal(error?.code, 'SETUP_FAILED');
    assert.match(String(error.args['reason']), /did not finish within 60 s, the time limit of the setup/);
    assert.deepEqual(limitsBehind(error, previousStatus), ['executionSetupTimeout', 'maxIterations']);
  });

  it("blocks after the allowed attempts, and hands the user's note to the next", async () => {
    const world = await newWorld();
    await begin(world, ['echo clang']);
    world.answers({ setup: result({ status: 'blocked', summary: 'There is no compiler.' }) });
    await world.drive({ prepareEnvironment });
    const { error } = await world.read();
    assert.equal(error?.code, 'SETUP_FAILED');
    assert.match(String(error.args['reason']), /There is no compiler\./);
    const { failures } = Failures.parse(await world.json('setup_failures'));
    assert.deepEqual(
      failures.map(({ iteration, failure, ref }) => [
        iteration,
        failure?.cause,
        failure?.args['reason'],
        ref,
      ]),
      [1, 2].map((number) => [
        number,
        'setup_blocked',
        'The agent reports "blocked". There is no compiler.',
        '',
      ]),
    );
    assert.equal(world.agent.tasks.filter((task) => task === 'setup').length, 2);
    await world.post('retry', { note: 'Use clang.' });
    world.answers({
      setup: ({ whole }) => {
        assert.match(whole, /Use clang\./);
        return result();
      },
    });
    await world.drive({ prepareEnvironment }, 'CODING');
  });

  it('is ready only where a fresh checkout gets ready by the bootstrap commands, without what an earlier attempt left', async () => {
    const world = await newWorld();
    world.workplace.reservation = reservationIn(join(world.repository.root, '..', 'own'));
    await begin(world, ['touch tool.ignored']);
    world.answers({
      setup: ({ whole }) => {
        world.write('tool.ignored', 'made by hand\n');
        const bootstrap_commands = whole.includes('Report the touch.')
          ? ['touch tool.ignored']
          : ['touch "$TMPDIR/left"'];
        return result({
          bootstrap_commands,
          tooling_probe_commands: ['test -f tool.ignored', 'test ! -e "$TMPDIR/left"'],
        });
      },
      'setup-note': ({ whole }) => {
        assert.match(
          whole,
          /A fresh checkout doesn't get ready by the bootstrap commands \(`touch "\$TMPDIR\/left"`\)/,
        );
        assert.match(whole, /test -f tool\.ignored.*exited with 1/);
        return 'Report the touch.';
      },
    });
    await world.drive({ prepareEnvironment }, 'CODING');
    const [failed] = Failures.parse(await world.json('setup_failures')).failures;
    assert.deepEqual(
      [failed?.failure?.cause, failed?.failure?.args['command']],
      ['checks_failed', 'test -f tool.ignored'],
    );
    assert.deepEqual(world.agent.tasks, ['setup', 'setup-note', 'setup']);
    assert.deepEqual((await world.json('execution_setup_profile'))?.['bootstrap_commands'], [
      'touch tool.ignored',
    ]);
  });

  it('falls back to the approved steps where the agent names no bootstrap command, and uses what that made', async () => {
    const world = await newWorld();
    await begin(world, ['touch tool.ignored']);
    world.answers({
      setup: () => {
        world.write('tool.ignored', '');
        return result({ tooling_probe_commands: ['test -f tool.ignored'] });
      },
    });
    await world.drive({ prepareEnvironment });
    assert.deepEqual((await world.json('execution_setup_profile'))?.['bootstrap_commands'], [
      'touch tool.ignored',
    ]);
    await world.store.commit({
      ticket: world.ticket,
      journal: [],
      changes: [{ type: 'beads', beads: [testBead()] }],
    });
    world.shell.commands.length = 0;
    world.answersGreeting();
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done');
    assert.ok(
      !world.shell.commands.includes('touch tool.ignored'),
      'the first proof finds the environment ready',
    );
  });
});
