import assert from 'node:assert/strict';
import { parse, stringify } from 'yaml';
import { approveSetup } from '../../../src/phases/setup/approveSetup.ts';
import { setupPlan } from '../../../src/phases/setup/setupPlan.ts';
import { executionWorlds, testSetupPlan as plan } from '../../support/executionWorld.ts';

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
