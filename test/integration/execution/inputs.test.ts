import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { systemClock } from '../../../src/adapters/clock/systemClock.ts';
import { Shell } from '../../../src/adapters/process/shell.ts';
import type { SetupPlan } from '../../../src/domain/documents/setupPlan.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import { prepareEnvironment } from '../../../src/phases/setup/prepareEnvironment.ts';
import { setupPlan } from '../../../src/phases/setup/setupPlan.ts';
import {
  type ExecutionWorld,
  executionWorlds,
  report,
  testSetupPlan,
} from '../../support/engine/executionWorld.ts';

const secret = 'hunter2-of-the-database';
const environment = `DATABASE_PASSWORD=${secret}\n`;
const ready =
  '<EXECUTION_SETUP_PLAN>\nsummary: Ready\nreadiness: { status: ready, actions_required: false }\n</EXECUTION_SETUP_PLAN>';

describe('what a worktree needs and git ignores', () => {
  const newWorld = executionWorlds();

  async function planned(world: ExecutionWorld): Promise<SetupPlan> {
    world.answers({ 'setup-plan': ready, 'setup-plan-regenerate': ready });
    await world.drive({ setupPlan });
    return parse(
      (await world.store.artifact(world.ticket, 'execution_setup_plan'))?.content ?? '',
    ) as SetupPlan;
  }

  /** As one text. */
  async function records(world: ExecutionWorld): Promise<string> {
    const stored = readdirSync(world.stateFolder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const texts = stored.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
    return [...texts, JSON.stringify(world.agent.calls), JSON.stringify(world.events)].join('\n');
  }

  /** Prepared without an agent. */
  async function prepared(
    world: ExecutionWorld,
    offers: Partial<SetupPlan>,
    beads: Parameters<ExecutionWorld['begin']>[1] = {},
  ): Promise<void> {
    await world.begin('PREPARING_EXECUTION_ENV', {
      limits: { maxIterations: 2, maxContinuations: 0 },
      ...beads,
    });
    await world.put(
      'execution_setup_plan',
      stringify({ ...testSetupPlan(), ...offers }),
      'GENERATING_EXECUTION_SETUP_PLAN',
    );
    await world.drive({ prepareEnvironment });
  }

  it('is offered at the setup gate: what a person lists, what the editor copies, and what the repository reads', async () => {
    const world = await newWorld({
      '.gitignore': '.env*\n*.pem\n*.key\n/vendor/\n/node_modules/\nunread.txt\n',
      '.worktreeinclude': '*.pem\n',
      'server.js': "require('tls').use('local.key'); require('dotenv').config();\n",
      '.npmrc': '//registry.test/:_authToken=${NPM_TOKEN}\n',
    });
    for (const folder of ['vendor', 'node_modules/dotenv'])
      mkdirSync(join(world.repository.root, folder), { recursive: true });
    await world.repository.write({
      '.env': environment,
      'ca.pem': 'CERTIFICATE',
      'local.key': 'KEY',
      'unread.txt': 'x',
      'vendor/lib.txt': 'x',
      'node_modules/dotenv/index.js': 'x',
    });
    world.workplace.wishes.linked.push('vendor');
    world.workplace.environment['NPM_TOKEN'] = 'npm-token-of-ada';
    await world.begin('GENERATING_EXECUTION_SETUP_PLAN');
    const plan = await planned(world);
    assert.deepEqual(
      plan.inputs.map(({ path, use, reason }) => [path, use, reason]),
      [
        ['ca.pem', 'copy', '.worktreeinclude lists it; 11 B'],
        ['vendor', 'link', 'git.worktreeSymlinkFolders lists it'],
        ['.env', 'copy', `read by server.js; ${String(environment.length)} B`],
        ['local.key', 'copy', 'read by server.js; 3 B'],
      ],
    );
    // A secret of the person's environment takes a yes of its own.
    assert.deepEqual(plan.variables, [{ name: 'NPM_TOKEN', use: 'leave', reason: 'named in .npmrc' }]);
    const said = await records(world);
    assert.ok(!said.includes(secret) && !said.includes('npm-token-of-ada'));
  });

  it('is offered with its size, as a link if it is too large to be copied, and left if a link leads out', async () => {
    const world = await newWorld({
      '.gitignore': '/data/\n/models/\nown.conf\n/links/\n',
      '.worktreeinclude': 'data/\nmodels/\nown.conf\nlinks/\n',
    });
    const outside = join(dirname(world.repository.root), 'outside.conf');
    writeFileSync(outside, 'mine');
    mkdirSync(join(world.repository.root, 'links'));
    for (const link of ['own.conf', 'links/inner']) symlinkSync(outside, join(world.repository.root, link));
    await world.repository.write({
      'data/one.bin': 'x'.repeat(1_500),
      'data/inner/two.bin': 'xx',
      'models/large.bin': 'x',
    });
    world.workplace.sizes['models'] = { bytes: 1_000_000_001, files: 1, isMore: true };
    await world.begin('GENERATING_EXECUTION_SETUP_PLAN');
    const { inputs } = await planned(world);
    const linked = inputs.filter(({ path }) => path === 'own.conf' || path === 'links');
    assert.deepEqual(
      linked.map(({ use }) => use),
      ['leave', 'leave'],
    );
    for (const { reason } of linked)
      assert.match(
        reason,
        /lists it; .* is a link to .*outside\.conf, which is outside of the worktree\. Put a copy in its place, or choose `link`$/,
      );
    assert.deepEqual(
      inputs.filter((input) => !linked.includes(input)).map(({ path, use, reason }) => [path, use, reason]),
      [
        ['data', 'copy', '.worktreeinclude lists it; 1.5 kB in 2 files'],
        [
          'models',
          'link',
          '.worktreeinclude lists it; too large to copy, so it is linked: what is written there is written to your checkout',
        ],
      ],
    );
  });

  it('stays decided when the plan is drafted again', async () => {
    const world = await newWorld({ '.gitignore': '.env\n' });
    await world.repository.write({ '.env': environment });
    await world.begin('GENERATING_EXECUTION_SETUP_PLAN');
    const plan = await planned(world);
    const decided = { ...plan, inputs: [{ path: '.env', use: 'leave', reason: 'not needed' }] };
    await world.put('execution_setup_plan', stringify(decided), 'GENERATING_EXECUTION_SETUP_PLAN');
    await world.enter('GENERATING_EXECUTION_SETUP_PLAN', { by: 'regenerate', body: { note: 'Again.' } });
    assert.deepEqual((await planned(world)).inputs, decided.inputs);
  });

  it('reaches coder and proof, again after a reset, and neither a commit nor a record', async () => {
    const world = await newWorld({ '.gitignore': '.env\n' });
    await world.repository.write({ '.env': environment });
    world.runner = new Shell({ clock: systemClock, environment: process.env });
    const testCommands = [
      `cat .env && cat greet.txt && grep -q 'PASSWORD=hunter2' .env && test $(cat greet.txt) = hello`,
    ];
    await prepared(
      world,
      { inputs: [{ path: '.env', use: 'copy', reason: '' }] },
      { beads: [{ testCommands }] },
    );
    const found: string[] = [];
    world.answers({
      coding: () => {
        found.push(world.readWorktree('.env'));
        world.write('.env', 'overwritten\n');
        world.write('.gitignore', '# nothing is ignored\n');
        world.write('greet.txt', found.length === 1 ? 'wrong\n' : 'hello\n');
        return report('greet');
      },
    });
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done', JSON.stringify((await world.read()).error));
    assert.deepEqual(found, [environment, environment]);
    const tree = await world.repository.git('ls-tree', '-r', '--name-only', 'ticket/TST-1');
    assert.deepEqual(tree.split('\n'), ['.gitignore', 'README.md', 'greet.txt']);
    const said = await records(world);
    assert.match(said, /DATABASE_PASSWORD=<secret>/);
    assert.ok(!said.includes(secret));
  });

  it('is not there without a yes', async () => {
    const world = await newWorld({ '.gitignore': '.env\n' });
    await world.repository.write({ '.env': environment });
    await prepared(world, { inputs: [{ path: '.env', use: 'leave', reason: '' }] });
    assert.equal(await world.files.exists(world.worktree, '.env'), false);
  });

  it('must still be there, and must not be tracked', async () => {
    for (const [path, problem] of [
      ['gone.pem', /An approved input is missing\. gone\.pem: it is no longer in the checkout/],
      ['README.md', /The repository tracks README\.md/],
    ] as const) {
      const world = await newWorld();
      await world.repository.write({ 'README.md': '# The person is writing\n' });
      await prepared(world, { inputs: [{ path, use: 'copy', reason: '' }] });
      const { error } = await world.read();
      assert.equal(error?.code, 'SETUP_FAILED');
      assert.match(String(error.args['reason']), problem);
    }
  });

  it('may be a variable, whose value commands get and no record has', async () => {
    const world = await newWorld();
    const value = 'npm-token-of-ada';
    world.runner = new Shell({
      clock: systemClock,
      environment: { ...process.env, NPM_TOKEN: value, OTHER_TOKEN: 'other-token' },
    });
    const testCommands = [
      `echo "is $NPM_TOKEN" && test "$NPM_TOKEN" = "$(printf npm-; printf token-of-ada)" && test -z "$OTHER_TOKEN" && test -f greet.txt`,
    ];
    const variables = [
      { name: 'NPM_TOKEN', use: 'pass' as const, reason: '' },
      { name: 'OTHER_TOKEN', use: 'leave' as const, reason: '' },
    ];
    await prepared(world, { variables }, { beads: [{ testCommands }] });
    world.answersGreeting();
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done', JSON.stringify((await world.read()).error));
    const execution = (await world.json('bead_execution:greet')) as { evidence: { head: string }[] };
    assert.equal(execution.evidence[0]?.head, 'is <secret>\n');
    assert.ok(!(await records(world)).includes(value));
    assert.ok(!world.readWorktree('.ticket/runtime/execution-setup/env.sh').includes('TOKEN'));
  });

  it('is never what an agent says about the search path, loaders and git', async () => {
    const world = await newWorld.in('PREPARING_EXECUTION_ENV');
    await world.put(
      'execution_setup_plan',
      stringify(testSetupPlan(['true'])),
      'GENERATING_EXECUTION_SETUP_PLAN',
    );
    const checks = { workspace: 'pass', tooling: 'pass', temp_scope: 'pass', policy: 'pass' };
    const result = (variables: Record<string, string>) =>
      `<EXECUTION_SETUP_RESULT>\n${stringify({ status: 'ready', checks, environment: { variables } })}</EXECUTION_SETUP_RESULT>`;
    world.answers({
      setup: result({
        LD_PRELOAD: '/tmp/x.so',
        NODE_OPTIONS: '--require ./x.js',
        GIT_DIR: '/tmp',
        GREETING: 'hello',
      }),
      'structured-repair': result({ GREETING: 'hello' }),
    });
    await world.drive({ prepareEnvironment });
    assert.deepEqual(world.agent.tasks, ['setup', 'structured-repair']);
    assert.match(world.agent.calls[1]?.whole ?? '', /LD_PRELOAD/);
    await world.isIn('CODING');
  });
});
