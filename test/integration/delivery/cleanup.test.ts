import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cleanup } from '../../../src/phases/delivery/cleanup.ts';
import { retrospective } from '../../../src/phases/delivery/retrospective.ts';
import { review } from '../../../src/phases/delivery/review.ts';
import { executionWorlds } from '../../support/engine/executionWorld.ts';

describe('cleaning up', () => {
  const newWorld = executionWorlds();

  it('leaves the branch to any checkout, and the worktree on its commit with what is in it', async () => {
    const world = await newWorld.in('CLEANING_ENV');
    world.write('left.txt', 'mine\n');
    const tip = await world.repository.git('rev-parse', 'ticket/TST-1');
    await world.drive({ cleanup });
    assert.equal((await world.json('cleanup_report'))?.['status'], 'clean');
    assert.equal(await world.git.branchOf(world.worktree), null);
    assert.equal(await world.git.head(world.worktree), tip);
    assert.ok(existsSync(join(world.worktree, 'left.txt')));
    await world.repository.git('checkout', '--quiet', 'ticket/TST-1');
  });

  it('removes the worktree if the setting says so, so that its branch can be checked out', async () => {
    const world = await newWorld.in('CLEANING_ENV', { settings: { worktreeAtEnd: 'remove' } });
    world.write('left.txt', 'mine\n');
    await world.drive({ cleanup }, 'COMPLETED');
    assert.equal(existsSync(world.worktree), false);
    assert.equal(
      await world.repository.git('show', 'refs/beadsmith/TST-1/worktree/removed:left.txt'),
      'mine',
    );
    await world.repository.git('checkout', '--quiet', 'ticket/TST-1');
  });

  it('removes it, or not, as the person who ended the ticket said', async () => {
    for (const [deleteWorktree, worktreeAtEnd] of [
      [true, 'keep'],
      [false, 'remove'],
    ] as const) {
      const world = await newWorld.in('WAITING_PR_REVIEW', { settings: { worktreeAtEnd } });
      await world.post('close', { reason: '', deleteWorktree });
      await world.drive({ review, retrospective, cleanup }, 'COMPLETED');
      assert.equal(existsSync(world.worktree), !deleteWorktree);
    }
  });
});
