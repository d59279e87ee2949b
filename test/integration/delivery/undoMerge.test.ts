import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';
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

describe('undoing a merge', () => {
  const newWorld = executionWorlds();

  async function merged(ending: { readonly deleteWorktree?: boolean } = {}) {
    const world = await newWorld();
    await world.beginIntegration({ retrospective: false });
    world.answers({ 'pull-request': pullRequestDraft });
    await world.drive({ integrate, pullRequest });
    await world.post('merge', ending);
    await world.drive({ review, retrospective, cleanup }, 'COMPLETED');
    return { world, head: (await world.git.resolve('main')) ?? '' };
  }

  async function undo(world: ExecutionWorld): Promise<string | undefined> {
    const entry = await world.post('undo_merge', {});
    await world.drive({});
    return world.outcome(entry);
  }

  async function isOffered(world: ExecutionWorld): Promise<boolean | undefined> {
    return (await world.store.summaries([world.ticket]))[0]?.merged;
  }

  it('takes base and checkout back, returns to the review, and can be merged again', async () => {
    const { world, head } = await merged();
    assert.equal(await isOffered(world), true);
    assert.ok(existsSync(join(world.repository.root, 'greet.txt')));
    assert.equal(await undo(world), 'consumed');
    await world.isIn('WAITING_PR_REVIEW');
    assert.equal(await world.git.resolve('main'), world.start);
    assert.equal(await world.repository.git('status', '--porcelain'), '');
    assert.equal(existsSync(join(world.repository.root, 'greet.txt')), false);
    assert.equal(await world.git.resolve('ticket/TST-1'), head);
    assert.equal(await world.git.branchOf(world.worktree), 'ticket/TST-1');
    assert.deepEqual([await world.json('merge_report'), await isOffered(world)], [undefined, false]);
    assert.notEqual(await world.json('pull_request_report'), undefined);

    await world.post('merge', {});
    await world.drive({ review, retrospective, cleanup }, 'COMPLETED');
    assert.equal(await world.git.resolve('main'), head);
    assert.equal((await world.json('merge_report'))?.['before'], world.start);
  });

  it('undoes a merge commit, and makes branch and worktree again where they are gone', async () => {
    const world = await newWorld();
    await world.beginIntegration({ retrospective: false });
    world.answers({ 'pull-request': pullRequestDraft });
    await world.drive({ integrate, pullRequest });
    await world.repository.write({ 'other.txt': 'other\n' });
    await world.repository.git('add', '.');
    await world.repository.git('commit', '--quiet', '-m', 'other');
    await world.set('greet', { testCommands: ['test -f greet.txt'] });
    const [before, tip] = [await world.git.resolve('main'), await world.git.resolve('ticket/TST-1')];
    const entry = await world.post('merge', { deleteWorktree: true });
    await world.drive({ review, retrospective, cleanup });
    assert.equal(await world.said(entry), '');
    await world.isIn('COMPLETED');
    assert.equal(existsSync(world.worktree), false);
    await world.repository.git('branch', '--quiet', '-D', 'ticket/TST-1');
    assert.equal(await undo(world), 'consumed');
    assert.equal(await world.git.resolve('main'), before);
    assert.equal(await world.git.resolve('ticket/TST-1'), tip);
    assert.ok(existsSync(join(world.worktree, 'greet.txt')));
  });

  const kept: Readonly<Record<string, (world: ExecutionWorld, head: string) => Promise<unknown>>> = {
    'it moved since': async ({ repository }) => {
      await repository.write({ 'later.txt': 'later\n' });
      await repository.git('add', '.');
      await repository.git('commit', '--quiet', '-m', 'later');
    },
    'already have it: ticket/TST-2': ({ repository }) => repository.git('branch', 'ticket/TST-2', 'main'),
    'already have it: v1': ({ repository }) => repository.git('tag', 'v1', 'main'),
    'already have it: origin/main': ({ repository }, head) =>
      repository.git('update-ref', 'refs/remotes/origin/main', head),
    'with changed files': ({ repository }) => writeFile(join(repository.root, 'README.md'), 'mine\n'),
  };
  for (const [reason, stand] of Object.entries(kept))
    it(`is refused, and says so: ${reason}`, async () => {
      const { world, head } = await merged();
      await stand(world, head);
      const was = [await world.git.resolve('main'), await world.repository.git('status', '--porcelain')];
      const entry = await world.post('undo_merge', {});
      await world.drive({});
      assert.equal(await world.outcome(entry), 'UNDO_REFUSED');
      assert.match(await world.said(entry), new RegExp(reason));
      await world.isIn('COMPLETED');
      const now = [await world.git.resolve('main'), await world.repository.git('status', '--porcelain')];
      assert.deepEqual(now, was);
    });

  it('is not stopped by the ticket’s own branch on a remote, and can be repeated', async () => {
    const { world, head } = await merged();
    await world.repository.git('update-ref', 'refs/remotes/origin/ticket/TST-1', head);
    await world.repository.git('tag', 'v1', 'main');
    assert.equal(await undo(world), 'UNDO_REFUSED');
    await world.repository.git('tag', '--delete', 'v1');
    assert.equal(await undo(world), 'consumed');
    assert.equal(await undo(world), 'ACTION_NOT_ALLOWED');
  });

  for (const when of ['before', 'after'] as const)
    it(`is done once, though the process is killed right ${when} the branch moves`, async () => {
      const { world } = await merged();
      const undoMerge = world.git.undoMerge.bind(world.git);
      world.git.undoMerge = async (request) => {
        if (when === 'after') await undoMerge(request);
        world.crash();
        throw new BeadsmithError('EPOCH_LOST');
      };
      const entry = await world.post('undo_merge', {});
      await world.driveUntilKilled({});
      assert.deepEqual(await world.store.active(), ['TST-1'], 'the next driver goes on');
      await world.isIn('COMPLETED');
      world.git.undoMerge = undoMerge;
      await world.drive({});
      assert.equal(await world.outcome(entry), 'consumed');
      await world.isIn('WAITING_PR_REVIEW');
      assert.equal(await world.git.resolve('main'), world.start);
      assert.equal(await world.repository.git('status', '--porcelain'), '');
    });
});
