import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';
import { cleanup } from '../../../src/phases/delivery/cleanup.ts';
import { retrospective } from '../../../src/phases/delivery/retrospective.ts';
import { review } from '../../../src/phases/delivery/review.ts';
import { executionWorlds } from '../../support/engine/executionWorld.ts';

describe('cleaning up', () => {
  const newWorld = executionWorlds();

  it("takes what can't be removed as a warning", async () => {
    const world = await newWorld();
    await world.begin('CLEANING_ENV');
    await world.files.write(world.worktree, '.ticket/runtime/state.yaml', 'x');
    world.files.remove = () => Promise.reject(new BeadsmithError('OUTSIDE_WORKTREE', { path: 'x' }));
    await world.drive({ cleanup });
    await world.isIn('COMPLETED');
    assert.equal((await world.json('cleanup_report'))?.['status'], 'warning');
  });

  it('removes what only served the work, keeps documents, worktree and branch', async () => {
    const world = await newWorld();
    await world.begin('CLEANING_ENV');
    await world.files.write(world.worktree, '.ticket/runtime/execution-setup/run', 'x');
    await world.files.write(world.worktree, '.ticket/runtime/execution-log.jsonl', '{}');
    await world.files.write(world.worktree, '.ticket/prd.yaml', 'a: 1');
    await world.drive({ cleanup });
    await world.isIn('COMPLETED');
    const left = ['runtime/execution-setup', 'runtime/execution-log.jsonl', 'prd.yaml'].map((path) =>
      existsSync(join(world.worktree, '.ticket', path)),
    );
    assert.deepEqual(left, [false, true, true]);
    assert.deepEqual((await world.json('cleanup_report'))?.['removed'], ['.ticket/runtime/execution-setup']);
    assert.ok(await world.git.resolve('ticket/TST-1'));
  });

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
