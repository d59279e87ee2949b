import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BeadsmithError } from '../../../src/domain/errors.ts';
import { cleanup } from '../../../src/phases/delivery/cleanup.ts';
import { executionWorlds } from '../../support/engine/executionWorld.ts';

describe('cleaning up', () => {
  const newWorld = executionWorlds();

  it('removes what only served the work, keeps documents, worktree and branch', async () => {
    const world = await newWorld();
    await world.begin('CLEANING_ENV');
    await world.files.write(world.worktree, '.ticket/runtime/execution-setup/run', 'x');
    await world.files.write(world.worktree, '.ticket/runtime/execution-log.jsonl', '{}');
    await world.files.write(world.worktree, '.ticket/prd.yaml', 'a: 1');
    await world.drive({ cleanup });
    assert.equal((await world.read()).status, 'COMPLETED');
    const left = ['runtime/execution-setup', 'runtime/execution-log.jsonl', 'prd.yaml'].map((path) =>
      existsSync(join(world.worktree, '.ticket', path)),
    );
    assert.deepEqual(left, [false, true, true]);
    assert.deepEqual((await world.json('cleanup_report'))?.['removed'], ['.ticket/runtime/execution-setup']);
    assert.ok(await world.git.resolve('ticket/TST-1'));
  });

  it("takes what can't be removed as a warning", async () => {
    const world = await newWorld();
    await world.begin('CLEANING_ENV');
    await world.files.write(world.worktree, '.ticket/runtime/state.yaml', 'x');
    world.files.remove = () => Promise.reject(new BeadsmithError('OUTSIDE_WORKTREE', { path: 'x' }));
    await world.drive({ cleanup });
    assert.equal((await world.read()).status, 'COMPLETED');
    assert.equal((await world.json('cleanup_report'))?.['status'], 'warning');
  });
});
