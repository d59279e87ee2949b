import assert from 'node:assert/strict';
import { planHash } from '../../../../src/domain/beads/beadPlan.ts';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import type { FileChange } from '../../../../src/engine/ports/ports.ts';
import { preflight } from '../../../../src/phases/setup/preflight.ts';
import { testBead } from '../../../support/engine/executionWorld.ts';
import { type PhaseWorld, phaseWorlds } from '../../../support/engine/phaseWorld.ts';
import { sampleReceipt } from '../../../support/samples.ts';

describe('the pre-flight report', () => {
  const worlds = phaseWorlds();

  /** A ticket that can be coded, but for what git says about its worktree. */
  async function ready(
    worktree: { readonly branch?: string; readonly changes?: readonly FileChange[] } = {},
  ): Promise<PhaseWorld> {
    const world = await worlds('PRE_FLIGHT_CHECK');
    await world.change({ type: 'beads', beads: [testBead()] });
    const hash = planHash(await world.beads());
    const approved = sampleReceipt(hash, { artifact: 'beads', approved_at: '2026-01-01' });
    await world.put('approval_receipt', JSON.stringify(approved), 'WAITING_BEADS_APPROVAL');
    Object.assign(world.git, {
      branchOf: () => Promise.resolve(worktree.branch ?? 'ticket/TST-1'),
      status: () => Promise.resolve(worktree.changes ?? []),
    });
    world.answers({ 'capability-probe': 'OK' });
    return world;
  }

  async function results(world: PhaseWorld): Promise<ReadonlyMap<string, string>> {
    const { checks } = (await world.json('preflight_report')) as {
      checks: { name: string; result: string; message: string }[];
    };
    return new Map(checks.map(({ name, result, message }) => [name, `${result}: ${message}`]));
  }

  it('says what was checked, and warns of what is no reason to stop', async () => {
    const world = await ready({ changes: [{ path: 'node_modules/x.js', state: 'untracked' }] });
    assert.deepEqual(await world.drive(preflight), { exit: 'passed' });
    const seen = await results(world);
    assert.equal(seen.get('Worktree'), 'pass: The worktree is on ticket/TST-1.');
    assert.match(seen.get('Clean worktree') ?? '', /^warning: .*node_modules\/x\.js/);
    assert.equal(seen.get('Relevant files'), 'warning: There is no scan of relevant files.');
    assert.equal(seen.get('Capability'), 'pass: demo/main answers.');
  });

  it('says who approved the plan, or that a rule passed it', async () => {
    const world = await ready();
    await world.drive(preflight);
    assert.equal((await results(world)).get('Approval'), 'pass: Approved at 2026-01-01.');
    const passed = await ready();
    const receipt = { ...(await passed.json('approval_receipt')), approved_by: 'policy', rule: 'one_bead' };
    const reason = 'Passed by policy: one small bead.';
    await passed.put('approval_receipt', JSON.stringify({ ...receipt, reason }), 'WAITING_BEADS_APPROVAL');
    await passed.drive(preflight);
    assert.equal((await results(passed)).get('Approval'), `pass: ${reason} (2026-01-01)`);
  });

  it('names the hooks of git, and says which of them check commits', async () => {
    const hooks = [
      { name: 'pre-commit', path: '.husky/_/pre-commit', manager: 'husky' },
      { name: 'pre-push', path: '.husky/_/pre-push', manager: null },
    ];
    const world = await ready();
    world.git.hooks = () => Promise.resolve(hooks);
    await world.drive(preflight);
    const said = (await results(world)).get('Git hooks') ?? '';
    assert.match(
      said,
      /don't run .* unless the setup plan .*: pre-commit at \.husky\/_\/pre-commit \(husky\), pre-push at \.husky/,
    );
  });

  it('finds out how commits are written, and says it', async () => {
    const world = await ready();
    await world.drive(preflight);
    assert.equal(
      (await results(world)).get('Commit messages'),
      'pass: Commits of beads are written as bead(ID): TITLE.',
    );
    assert.equal((await world.json('commit_convention'))?.['style'], 'plain');
    const asked = await ready();
    asked.git.files.set('commitlint.config.mjs', '');
    await asked.drive(preflight);
    assert.match(
      (await results(asked)).get('Commit messages') ?? '',
      /^pass: .* Conventional Commits, as commitlint\.config\.mjs says\.$/,
    );
    const usual = await ready();
    usual.git.said.push(...Array.from({ length: 12 }, () => 'fix: read quotes'));
    await usual.drive(preflight);
    assert.match(
      (await results(usual)).get('Commit messages') ?? '',
      /as 12 of 12 commits on the base branch are\.$/,
    );
    assert.deepEqual(await usual.json('commit_convention'), { style: 'conventional', because: '12 of 12' });
  });

  it('is written all the same where git can’t say how', async () => {
    const world = await ready();
    world.git.subjects = () =>
      Promise.reject(new BeadsmithError('GIT_FAILED', { command: 'log', reason: 'gone' }));
    assert.deepEqual(await world.drive(preflight), { exit: 'passed' });
    assert.equal((await world.json('commit_convention'))?.['style'], 'plain');
  });

  it('names five of many uncommitted files, and how many more there are', async () => {
    const changes = Array.from({ length: 8 }, (_, index) => ({
      path: `src/${String(index)}.ts`,
      state: 'modified' as const,
    }));
    const world = await ready({ changes });
    await assert.rejects(world.drive(preflight), { code: 'PREFLIGHT_FAILED' });
    assert.match((await results(world)).get('Clean worktree') ?? '', /^fail: .*src\/4\.ts and 3 more\.$/);
  });

  it('fails with the branch that is checked out instead of the one of the ticket', async () => {
    const world = await ready({ branch: 'main' });
    await assert.rejects(world.drive(preflight), {
      code: 'PREFLIGHT_FAILED',
      message: /Worktree: The worktree is on main instead of ticket\/TST-1/,
    });
  });

  it('fails with what git says when it has to sign commits and can’t', async () => {
    const world = await ready();
    world.git.trySigning = () => Promise.reject(new BeadsmithError('SIGNING_FAILED', { reason: 'no key' }));
    await assert.rejects(world.drive(preflight), {
      code: 'PREFLIGHT_FAILED',
      message: /Signing: git can't sign a commit.*no key/,
    });
  });

  it('reports a server that does not answer as a failed check, and asks no model then', async () => {
    const world = await ready();
    world.agent.health = () => Promise.reject(new BeadsmithError('OPENCODE_GONE'));
    await assert.rejects(world.drive(preflight), { code: 'PREFLIGHT_FAILED' });
    assert.match((await results(world)).get('OpenCode') ?? '', /^fail: OpenCode exited/);
    assert.deepEqual(world.agent.calls, []);
  });

  it('fails when the model is listed and does not answer as it should', async () => {
    const world = await ready();
    world.answers({ 'capability-probe': 'Hello!', 'structured-repair': 'Hello again!' });
    await assert.rejects(world.drive(preflight), { code: 'PREFLIGHT_FAILED' });
    assert.match((await results(world)).get('Capability') ?? '', /^fail: /);
  });
});
