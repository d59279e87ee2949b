import assert from 'node:assert/strict';
import { sha256 } from '../../../../src/base/sha256.ts';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import { review } from '../../../../src/phases/delivery/review.ts';
import { type PhaseWorld, phaseWorlds } from '../../../support/engine/phaseWorld.ts';
import { sampleProposal } from '../../../support/samples.ts';

const candidate = 'c'.repeat(40);

describe('the gate of the pull request', () => {
  const worlds = phaseWorlds();
  const gate = {
    waits: [
      'merge',
      'close',
      'create_pull_request',
      'check_pull_request',
      'rerun_checks',
      'fix_checks',
      'fix_comment',
      'reply_comment',
      'merge_pull_request',
      'unplan_merge',
      'close_pull_request',
      'changes',
      'suggest_edit',
      'finding',
    ],
  };

  async function proposed(): Promise<PhaseWorld> {
    const world = await worlds('WAITING_PR_REVIEW');
    const report = sampleProposal({
      title: 'TST-1: Greet people',
      body: 'People are greeted.',
      bodySha256: sha256('People are greeted.'),
      candidate,
      location: '/repo/.git/beadsmith/pull-requests/TST-1.md',
    });
    await world.put('pull_request_report', JSON.stringify(report), 'CREATING_PULL_REQUEST');
    return world;
  }

  it('merges what was proposed, and records where', async () => {
    const world = await proposed();
    await world.post('merge', {});
    assert.deepEqual(await world.drive(review), { exit: 'merge' });
    assert.equal(world.git.refs.get('refs/heads/main'), candidate);
    assert.deepEqual(await world.json('merge_report'), {
      schema_version: 1,
      disposition: 'merged',
      mergeCommit: candidate,
      before: 'a'.repeat(40),
      reason: '',
    });
  });

  it('takes a merge that stands already for its own, also when a person made it', async () => {
    const world = await proposed();
    world.git.refs.set('refs/heads/main', candidate);
    await world.post('merge', {});
    assert.deepEqual(await world.drive(review), { exit: 'merge' });
    assert.deepEqual(world.git.merged, []);
  });

  it('merges once, though the process was killed before that was recorded', async () => {
    const world = await proposed();
    await world.post('merge', {});
    world.killAt = 'outcome:1';
    assert.equal(await world.drive(review), 'killed');
    assert.deepEqual(await world.drive(review), { exit: 'merge' });
    assert.deepEqual(world.git.merged, [candidate]);
  });

  it('merges nothing without a pull request, and stays open', async () => {
    const world = await worlds('WAITING_PR_REVIEW');
    const merge = await world.post('merge', {});
    assert.deepEqual(await world.drive(review), gate);
    assert.deepEqual(await world.outcomes(merge), ['MERGE_REFUSED']);
    assert.match((await world.entry(merge))?.outcome?.message ?? '', /there is no pull request/);
  });

  for (const [code, args] of [
    ['MERGE_REFUSED', { base: 'main', reason: 'it is checked out and has changes', remedy: 'Commit them.' }],
    ['GIT_LOCKED', { path: '/repo/.git/index.lock' }],
    ['BASE_BRANCH_MISSING', { branch: 'main', branches: 'next' }],
  ] as const)
    it(`stays open when git answers ${code}, and merges once that is settled`, async () => {
      const world = await proposed();
      world.git.refusal = new BeadsmithError(code, args);
      const refused = await world.post('merge', {});
      assert.deepEqual(await world.drive(review), gate);
      assert.deepEqual(await world.outcomes(refused), [code]);
      assert.equal(await world.json('merge_report'), undefined);
      world.git.refusal = undefined;
      await world.post('merge', {});
      assert.deepEqual(await world.drive(review), { exit: 'merge' });
    });

  it('blocks on an error that no other choice of the person helps', async () => {
    const world = await proposed();
    world.git.refusal = new BeadsmithError('OUTSIDE_WORKTREE', { path: '/repo' });
    await world.post('merge', {});
    await assert.rejects(world.drive(review), { code: 'OUTSIDE_WORKTREE' });
    assert.equal((await world.ticket()).status, 'BLOCKED_ERROR');
  });

  it('closes without merging, with a receipt', async () => {
    const world = await proposed();
    await world.post('close', { reason: 'Not now.' });
    assert.deepEqual(await world.drive(review), { exit: 'close' });
    assert.deepEqual(world.git.merged, []);
    assert.equal((await world.json('skip_receipt:close_unmerged'))?.['reason'], 'Not now.');
    assert.deepEqual(await world.json('merge_report'), {
      schema_version: 1,
      disposition: 'closed_unmerged',
      mergeCommit: null,
      reason: 'Not now.',
    });
  });

  it('hands changes to coding, with a receipt for each bead that they reject', async () => {
    const world = await proposed();
    await world.post('changes', {
      items: [{ text: 'Louder.' }, { text: 'Shorter.', bead: 'greet', rejects: 'b'.repeat(64) }],
    });
    assert.deepEqual(await world.drive(review), { exit: 'changes' });
    const { status, entry } = await world.ticket();
    assert.deepEqual([status, entry.by], ['CODING', 'changes']);
    assert.equal((await world.json('bead_review:greet'))?.['reason'], 'Shorter.');
    assert.equal(
      (await world.artifact('bead_review:greet'))?.info.status,
      'CODING',
      'it stays when the round is archived',
    );
  });
});
