import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { cleanup } from '../../../src/phases/delivery/cleanup.ts';
import { integrate } from '../../../src/phases/delivery/integrate.ts';
import { pullRequest } from '../../../src/phases/delivery/pullRequest.ts';
import { retrospective } from '../../../src/phases/delivery/retrospective.ts';
import { review } from '../../../src/phases/delivery/review.ts';
import {
  type ExecutionWorld,
  executionWorlds,
  pullRequestDraft,
} from '../../support/engine/executionWorld.ts';

describe('the review', () => {
  const newWorld = executionWorlds();

  async function proposed(world: ExecutionWorld): Promise<string> {
    await world.beginIntegration();
    world.answers({ 'pull-request': pullRequestDraft });
    await world.drive({ integrate, pullRequest });
    return world.git.head(world.worktree);
  }

  it('merges, once', async () => {
    const world = await newWorld();
    const head = await proposed(world);
    const merge = world.git.merge.bind(world.git);
    world.git.merge = async (request) => {
      const sha = await merge(request);
      world.crash();
      return sha;
    };
    await world.post('merge', {});
    await world.driveUntilKilled({ review });
    world.git.merge = () => Promise.reject(new Error('It is merged already.'));
    await world.drive({ review }, 'WRITING_RETROSPECTIVE');
    assert.equal(await world.git.resolve('main'), head);
    assert.deepEqual(await world.json('merge_report'), {
      schema_version: 1,
      disposition: 'merged',
      mergeCommit: head,
      // Known though the process was killed in between.
      before: world.start,
      reason: '',
    });
  });

  it('merges although the worktree was deleted', async () => {
    const world = await newWorld();
    const head = await proposed(world);
    await rm(world.worktree, { recursive: true });
    await world.post('merge', {});
    await world.drive({ review, retrospective, cleanup });
    assert.equal(await world.git.resolve('main'), head);
    await world.isIn('COMPLETED');
  });

  it('stays open when the merge is refused, and says why', async () => {
    const world = await newWorld();
    const head = await proposed(world);
    await world.repository.write({ 'README.md': 'the user works on this\n' });
    const refused = await world.post('merge', {});
    await world.drive({ review });
    assert.equal(await world.outcome(refused), 'MERGE_REFUSED');
    await world.isIn('WAITING_PR_REVIEW');
    assert.equal(await world.repository.git('show', 'main:README.md'), '# Sample');

    await world.repository.git('checkout', '--', 'README.md');
    const merged = await world.post('merge', {});
    await world.drive({ review });
    assert.equal(await world.outcome(merged), 'consumed');
    assert.equal(await world.git.resolve('main'), head);
  });

  it('refuses to merge a team’s ticket', async () => {
    const world = await newWorld();
    await proposed(world);
    const summaries = world.store.summaries.bind(world.store);
    world.ports.store.summaries = async (ids) =>
      (await summaries(ids)).map((one) => Object.assign(one, { ofTeam: true as const }));
    const refused = await world.post('merge', {});
    await world.drive({ review });
    assert.equal(await world.outcome(refused), 'MERGE_ON_FORGE');
    const waiting = world.events.findLast((event) => event.type === 'waiting');
    assert.ok(waiting && waiting.kinds.includes('close') && !waiting.kinds.includes('merge'));
    await world.isIn('WAITING_PR_REVIEW');
    assert.equal(await world.git.resolve('main'), world.start);
  });

  it('hands requested changes to coding, where they are found though the round is archived', async () => {
    const world = await newWorld();
    await proposed(world);
    await world.post('changes', { items: [{ text: 'Louder.' }] });
    await world.drive({ review });
    const ticket = await world.read();
    assert.deepEqual([ticket.status, ticket.entry.by], ['CODING', 'changes']);
    assert.deepEqual(await world.json('changes_requested'), { items: [{ text: 'Louder.' }] });
  });
});
