import assert from 'node:assert/strict';
import { parse, stringify } from 'yaml';
import { approveSetup } from '../../../../src/phases/execution/approveSetup.ts';
import { prepareEnvironment } from '../../../../src/phases/execution/prepareEnvironment.ts';
import { setupPlan } from '../../../../src/phases/execution/setupPlan.ts';
import { type ExecutionWorld, executionWorlds } from '../../../support/executionWorld.ts';

const wrapper = '.ticket/runtime/execution-setup/run';

function plan(steps: readonly string[] = []): Record<string, unknown> {
  return {
    schema_version: 1,
    ticket_id: 'TST-1',
    artifact: 'execution_setup_plan',
    status: 'draft',
    summary: 'A plan',
    readiness: { status: steps.length > 0 ? 'partial' : 'ready', actions_required: steps.length > 0 },
    steps: steps.map((command) => ({ commands: [command] })),
  };
}

function result(fields: Record<string, unknown> = {}): string {
  const checks = { workspace: 'pass', tooling: 'pass', temp_scope: 'pass', policy: 'pass' };
  return `<EXECUTION_SETUP_RESULT>\n${stringify({ status: 'ready', checks, ...fields })}</EXECUTION_SETUP_RESULT>`;
}

describe('the setup plan', () => {
  const newWorld = executionWorlds();

  it('is drafted with step ids and titles filled in', async () => {
    const world = await newWorld();
    await world.begin('GENERATING_EXECUTION_SETUP_PLAN');
    const { steps, readiness } = plan(['npm ci']);
    world.answers({
      'setup-plan': `<EXECUTION_SETUP_PLAN>\n${stringify({ steps: [{ commands: ['npm ci'], purpose: 'Install' }], readiness })}</EXECUTION_SETUP_PLAN>`,
    });
    assert.ok(Array.isArray(steps));
    await world.drive({ setupPlan });
    const stored = parse((await world.store.artifact('TST-1', 'execution_setup_plan'))?.content ?? '') as {
      status: string;
      steps: unknown[];
    };
    assert.equal(stored.status, 'draft');
    assert.deepEqual(stored.steps, [
      {
        id: 'setup-step-1',
        title: 'Install',
        purpose: 'Install',
        commands: ['npm ci'],
        required: true,
        rationale: 'Install',
        cautions: [],
      },
    ]);
  });

  it('is drafted anew from the former plan and the note of who asked for it', async () => {
    const world = await newWorld();
    await world.begin('WAITING_EXECUTION_SETUP_APPROVAL');
    await world.put('execution_setup_plan', stringify(plan(['the former step'])), 'GENERATING_EXECUTION_SETUP_PLAN');
    await world.post('regenerate', { note: 'Use pnpm.' });
    const { readiness } = plan();
    world.answers({ 'setup-plan-regenerate': `<EXECUTION_SETUP_PLAN>\n${stringify({ readiness })}</EXECUTION_SETUP_PLAN>` });
    await world.drive({ approveSetup, setupPlan });
    const [call] = world.agent.calls;
    assert.match(call?.whole ?? '', /the former step/);
    assert.match(call?.whole ?? '', /Use pnpm\./);
    assert.equal((await world.read()).status, 'WAITING_EXECUTION_SETUP_APPROVAL');
  });

  it('is approved only in the version that was seen', async () => {
    const world = await newWorld();
    await world.begin('WAITING_EXECUTION_SETUP_APPROVAL');
    const seen = await world.put('execution_setup_plan', stringify(plan()), 'GENERATING_EXECUTION_SETUP_PLAN');
    const changed = stringify({ ...plan(), summary: 'Changed' });
    const edit = await world.post('edit', { artifact: 'execution_setup_plan', baseSha256: seen, content: changed, surface: 'raw' });
    const stale = await world.post('approve', { sha256: seen, reason: '' });
    const late = await world.post('edit', { artifact: 'execution_setup_plan', baseSha256: seen, content: changed, surface: 'raw' });
    const now = (await world.store.artifact('TST-1', 'execution_setup_plan'))?.info.sha256;
    assert.equal(now, seen, 'nothing is decided before somebody drives');
    await world.drive({ approveSetup });
    assert.deepEqual(
      [await world.outcome(edit), await world.outcome(stale), await world.outcome(late)],
      ['consumed', 'STALE_APPROVAL', 'EDIT_CONFLICT'],
    );
    assert.equal((await world.read()).status, 'WAITING_EXECUTION_SETUP_APPROVAL');

    const current = (await world.store.artifact('TST-1', 'execution_setup_plan'))?.info.sha256 ?? '';
    await world.post('approve', { sha256: current, reason: 'fine' });
    await world.drive({ approveSetup });
    assert.equal((await world.read()).status, 'PREPARING_EXECUTION_ENV');
    const receipt = await world.json('approval_receipt');
    const stored = await world.store.artifact('TST-1', 'execution_setup_plan');
    assert.equal(receipt?.['content_sha256'], current);
    assert.equal(receipt['stored_content_sha256'], stored?.info.sha256);
    assert.match(stored?.content ?? '', /status: approved/);
    assert.equal((await world.json('user_edit_receipt:execution_setup_plan'))?.['edit_surface'], 'raw');
  });

  it('keeps its former version when an edit is no plan', async () => {
    const world = await newWorld();
    await world.begin('WAITING_EXECUTION_SETUP_APPROVAL');
    const seen = await world.put('execution_setup_plan', stringify(plan()), 'GENERATING_EXECUTION_SETUP_PLAN');
    const contents = [
      '{ not yaml',
      'a: 1',
      stringify({ ...plan(['x']), readiness: { status: 'ready', actions_required: false } }),
      stringify({ ...plan(), ticket_id: 'ABC-9' }),
    ];
    const posts: string[] = [];
    for (const content of contents)
      posts.push(await world.post('edit', { artifact: 'execution_setup_plan', baseSha256: seen, content, surface: 'raw' }));
    await world.drive({ approveSetup });
    for (const post of posts) assert.equal(await world.outcome(post), 'INVALID_ARTIFACT');
    assert.equal((await world.store.artifact('TST-1', 'execution_setup_plan'))?.info.sha256, seen);
  });
});

describe('preparing the environment', () => {
  const newWorld = executionWorlds();

  async function begin(world: ExecutionWorld, steps: readonly string[]): Promise<void> {
    await world.begin('PREPARING_EXECUTION_ENV');
    await world.put('execution_setup_plan', stringify(plan(steps)), 'GENERATING_EXECUTION_SETUP_PLAN');
  }

  it('asks no model when the plan is ready, and still proves that commands run', async () => {
    const world = await newWorld();
    await begin(world, []);
    await world.drive({ prepareEnvironment });
    assert.equal((await world.read()).status, 'CODING');
    assert.deepEqual(world.agent.tasks, []);
    assert.equal(world.shell.commands.length, 1);
    assert.equal((await world.json('execution_setup_profile'))?.['status'], 'ready');
    assert.match(world.readWorktree(wrapper), /exec "\$@"/);
  });

  it("writes the runtime itself, and values can't break out of it", async () => {
    const world = await newWorld();
    await begin(world, ['make tools']);
    const value = `it's "$(touch owned)" \`id\` \\ $HOME\nsecond line`;
    const probe = `test "$GREETING" = "$(cat value.ignored)" && test ! -e owned && case "$PATH" in "$PWD/tools/a b:"*) ;; *) exit 1 ;; esac`;
    world.answers({
      setup: () => {
        world.write('value.ignored', value);
        return result({ tooling_probe_commands: [probe], environment: { path_prepend: ['tools/a b'], variables: { GREETING: value } } });
      },
    });
    await world.drive({ prepareEnvironment });
    assert.equal((await world.read()).status, 'CODING', JSON.stringify((await world.read()).error));
  });

  it('believes only probes that it ran itself, and leaves a note and no change', async () => {
    const world = await newWorld();
    await begin(world, ['make tools']);
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
    assert.equal((await world.read()).status, 'CODING');
    assert.equal(world.readWorktree('README.md'), '# Sample\n');
    assert.equal(await world.repository.git('show', 'refs/beadsmith/TST-1/_setup-1-1:README.md'), 'changed');
    assert.equal(((await world.json('execution_setup_report'))?.['attempts'] as unknown[]).length, 2);
  });

  it("blocks after the allowed attempts, and hands the user's note to the next", async () => {
    const world = await newWorld();
    await begin(world, ['make tools']);
    world.answers({ setup: result({ status: 'blocked', summary: 'There is no compiler.' }) });
    await world.drive({ prepareEnvironment });
    const { error } = await world.read();
    assert.equal(error?.code, 'SETUP_FAILED');
    assert.match(String(error.args['reason']), /There is no compiler\./);
    assert.equal(world.agent.tasks.filter((task) => task === 'setup').length, 2);
    await world.post('retry', { note: 'Use clang.' });
    world.answers({
      setup: ({ whole }) => {
        assert.match(whole, /Use clang\./);
        return result();
      },
    });
    await world.drive({ prepareEnvironment });
    assert.equal((await world.read()).status, 'CODING');
  });
});
