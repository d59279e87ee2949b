import assert from 'node:assert/strict';
import { parse, stringify } from 'yaml';
import { sha256 } from '../../../../src/base/sha256.ts';
import { SetupPlan } from '../../../../src/domain/documents/setupPlan.ts';
import { behaviour } from '../../../../src/phases/index.ts';
import { setupPlan } from '../../../../src/phases/setup/setupPlan.ts';
import { testSetupPlan as plan } from '../../../support/engine/executionWorld.ts';
import { type PhaseWorld, phaseWorlds } from '../../../support/engine/phaseWorld.ts';

const { approve } = behaviour.handlers;

describe('the setup plan', () => {
  const worlds = phaseWorlds();
  const drafted = (fields: object): string =>
    `<EXECUTION_SETUP_PLAN>\n${stringify(fields)}</EXECUTION_SETUP_PLAN>`;
  const stored = async (world: PhaseWorld): Promise<SetupPlan> =>
    SetupPlan.parse(parse(await world.content('execution_setup_plan')));
  /** At the gate with this plan. */
  const atGate = async (content: object = plan()): Promise<PhaseWorld> => {
    const world = await worlds('WAITING_EXECUTION_SETUP_APPROVAL');
    await world.put('execution_setup_plan', stringify(content), 'GENERATING_EXECUTION_SETUP_PLAN');
    return world;
  };
  const edit = (world: PhaseWorld, baseSha256: string | null, content: string): Promise<string> =>
    world.post('edit', { artifact: 'execution_setup_plan', baseSha256, content, surface: 'raw' });
  const partial = { status: 'partial', actions_required: true };

  it('is drafted with step ids and titles filled in, and keeps those that the model gave', async () => {
    const world = await worlds('GENERATING_EXECUTION_SETUP_PLAN');
    const steps = [
      { commands: ['npm ci'], purpose: 'Install' },
      {
        id: 'warm-up',
        title: 'Warm up',
        commands: ['npm run build'],
        purpose: 'Build',
        rationale: 'Saves time',
      },
      { commands: ['true'] },
    ];
    world.answers({ 'setup-plan': drafted({ steps, readiness: partial }) });
    assert.deepEqual(await world.drive(setupPlan), { exit: 'ready' });
    const { status, ticket_id, steps: whole } = await stored(world);
    assert.deepEqual([status, ticket_id], ['draft', 'TST-1']);
    assert.deepEqual(
      whole.map(({ id, title, rationale }) => [id, title, rationale]),
      [
        ['setup-step-1', 'Install', 'Install'],
        ['warm-up', 'Warm up', 'Saves time'],
        ['setup-step-3', 'setup-step-3', ''],
      ],
    );
  });

  for (const [what, fields] of [
    [
      'is ready and has steps',
      { readiness: { status: 'ready', actions_required: false }, steps: [{ commands: ['npm ci'] }] },
    ],
    ['requires actions and has no steps', { readiness: partial }],
  ] as const)
    it(`is repaired when it ${what}`, async () => {
      const world = await worlds('GENERATING_EXECUTION_SETUP_PLAN');
      const good = drafted({ readiness: { status: 'ready', actions_required: false } });
      world.answers({ 'setup-plan': drafted(fields), 'structured-repair': good });
      assert.deepEqual(await world.drive(setupPlan), { exit: 'ready' });
      assert.deepEqual((await stored(world)).steps, []);
    });

  it('reaches its gate without a usable draft: empty, with the reason as its gap', async () => {
    const world = await worlds('GENERATING_EXECUTION_SETUP_PLAN');
    const bad = drafted({ readiness: partial });
    world.answers({ 'setup-plan': bad, 'structured-repair': bad });
    assert.deepEqual(await world.drive(setupPlan), { exit: 'ready' });
    const { steps, readiness } = await stored(world);
    assert.deepEqual([steps, readiness.status], [[], 'missing']);
    assert.match(readiness.gaps[0] ?? '', /No model drafted this plan: .*lists steps/s);
  });

  it('keeps the plan before where it could not be drafted again', async () => {
    const world = await atGate(plan(['the step before']));
    await world.post('regenerate', { note: 'Use pnpm.' });
    await world.drive(approve);
    world.answers({ 'setup-plan-regenerate': 'No.', 'structured-repair': 'No.' });
    assert.deepEqual(await world.drive(setupPlan), { exit: 'ready' });
    const { steps, readiness } = await stored(world);
    assert.deepEqual(
      steps.map(({ commands }) => commands),
      SetupPlan.parse(plan(['the step before'])).steps.map(({ commands }) => commands),
    );
    assert.match(readiness.gaps[0] ?? '', /No model drafted this plan/);
  });

  it('is drafted again from the plan before and the note of who asked for it', async () => {
    const world = await atGate(plan(['the step before']));
    await world.post('regenerate', { note: 'Use pnpm.' });
    assert.deepEqual(await world.drive(approve), { exit: 'regenerate', body: { note: 'Use pnpm.' } });
    const { readiness } = plan();
    world.answers({ 'setup-plan-regenerate': drafted({ readiness }) });
    assert.deepEqual(await world.drive(setupPlan), { exit: 'ready' });
    const [call] = world.agent.calls;
    assert.match(call?.whole ?? '', /the step before/);
    assert.match(call?.whole ?? '', /Use pnpm\./);
    assert.equal((await world.ticket()).status, 'WAITING_EXECUTION_SETUP_APPROVAL');
  });

  it('keeps every note of those who had it drafted again', async () => {
    const world = await atGate();
    world.answers({ 'setup-plan-regenerate': drafted({ readiness: plan()['readiness'] }) });
    for (const note of ['Use pnpm.', '  ', 'No network.']) {
      await world.post('regenerate', { note });
      await world.drive(approve);
      await world.drive(setupPlan);
    }
    assert.deepEqual(JSON.parse(await world.content('execution_setup_plan_notes')), [
      'Use pnpm.',
      'No network.',
    ]);
  });

  it('is approved only in the version that was seen', async () => {
    const world = await atGate();
    const seen = sha256(await world.content('execution_setup_plan'));
    const changed = stringify({ ...plan(), summary: 'Changed' });
    const first = await edit(world, seen, changed);
    const stale = await world.post('approve', { sha256: seen, reason: '' });
    const late = await edit(world, seen, changed);
    assert.deepEqual(await world.drive(approve), { waits: ['approve', 'edit', 'regenerate'] });
    assert.deepEqual(await world.outcomes(first, stale, late), [
      'consumed',
      'STALE_APPROVAL',
      'EDIT_CONFLICT',
    ]);

    const current = sha256(await world.content('execution_setup_plan'));
    await world.post('approve', { sha256: current, reason: 'fine' });
    assert.deepEqual(await world.drive(approve), { exit: 'approve' });
    assert.equal((await world.ticket()).status, 'PREPARING_EXECUTION_ENV');
    const receipt = await world.json('approval_receipt');
    const approved = await world.artifact('execution_setup_plan');
    assert.deepEqual(
      [receipt?.['content_sha256'], receipt?.['stored_content_sha256']],
      [current, approved?.info.sha256],
    );
    assert.equal((await stored(world)).status, 'approved');
    assert.equal((await world.json('user_edit_receipt:execution_setup_plan'))?.['edit_surface'], 'raw');
  });

  it('records the gaps that it was approved with', async () => {
    const readiness = { ...partial, evidence: [], gaps: ['No lock file.'] };
    const world = await atGate({ ...plan(['npm install']), readiness });
    await world.post('approve', {
      sha256: sha256(await world.content('execution_setup_plan')),
      reason: 'It is enough.',
    });
    await world.drive(approve);
    assert.deepEqual((await world.json('approval_receipt'))?.['with_gaps'], ['No lock file.']);
  });

  it('keeps its version when an edit is no plan, and says why', async () => {
    const world = await atGate();
    const seen = sha256(await world.content('execution_setup_plan'));
    const edits = [
      ['{ not yaml', /line 1/],
      ['a: 1', /ticket_id/],
      [
        stringify({ ...plan(['x']), readiness: { status: 'ready', actions_required: false } }),
        /A ready plan has no steps/,
      ],
      [stringify({ ...plan(), ticket_id: 'ABC-9' }), /ticket_id must be TST-1/],
    ] as const;
    for (const [content, why] of edits) {
      const post = await edit(world, seen, content);
      await world.drive(approve);
      const outcome = (await world.entry(post))?.outcome;
      assert.equal(outcome?.code, 'INVALID_ARTIFACT');
      assert.match(outcome.message, why);
    }
    assert.equal(sha256(await world.content('execution_setup_plan')), seen);
  });

  it('refuses an edit of anything else, and an approval as long as there is no plan', async () => {
    const world = await worlds('WAITING_EXECUTION_SETUP_APPROVAL');
    const early = await world.post('approve', { sha256: 'a'.repeat(64), reason: '' });
    const ticket = await world.post('edit', {
      artifact: 'ticket',
      baseSha256: null,
      content: '{}',
      surface: 'raw',
    });
    await world.drive(approve);
    assert.deepEqual(await world.outcomes(early, ticket), ['STALE_APPROVAL', 'INVALID_INPUT']);
  });

  it('can be written by hand when there is none', async () => {
    const world = await worlds('WAITING_EXECUTION_SETUP_APPROVAL');
    const content = stringify(plan());
    await world.post('edit', {
      artifact: 'execution_setup_plan',
      baseSha256: null,
      content,
      surface: 'structured',
    });
    await world.drive(approve);
    assert.deepEqual(await stored(world), SetupPlan.parse(plan()));
    assert.equal((await world.json('user_edit_receipt:execution_setup_plan'))?.['before'], null);
  });
});
