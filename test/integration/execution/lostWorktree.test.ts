import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { WorktreeFiles } from '../../../src/adapters/files/ticketFiles.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import { finalTest } from '../../../src/phases/finalTest/finalTest.ts';
import { integrate } from '../../../src/phases/delivery/integrate.ts';
import { executionWorlds, report } from '../../support/engine/executionWorld.ts';

describe('a worktree that was deleted', () => {
  const newWorld = executionWorlds();

  it('blocks the bead in work, and a retry makes it again from the branch', async () => {
    const world = await newWorld();
    // As the product: never into a folder that is gone.
    Object.assign(world, { files: new WorktreeFiles() });
    await world.begin('CODING', {
      beads: [
        { id: 'first', testCommands: ['test -f 1.txt'] },
        { testCommands: ['test -f 1.txt -a -f 3.txt'] },
      ],
    });
    world.answers({
      coding: async ({ turn }) => {
        if (turn === 2) await rm(world.worktree, { recursive: true });
        else world.write(`${String(turn)}.txt`, 'hello\n');
        return report(turn === 1 ? 'first' : 'greet');
      },
    });
    await world.drive({ coding });
    const blocked = await world.read();
    assert.deepEqual([blocked.status, blocked.error?.code], ['BLOCKED_ERROR', 'WORKTREE_LOST']);
    await world.post('retry', { note: '' });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.deepEqual(await world.subjects(), ['bead(greet): Greet by name', 'bead(first): Greet by name']);
  });

  it('is made again by a retry of what comes after coding', async () => {
    const world = await newWorld();
    await world.beginIntegration();
    await rm(world.worktree, { recursive: true });
    await world.drive({ integrate });
    assert.equal((await world.read()).error?.code, 'WORKTREE_LOST');
    await world.post('retry', { note: '' });
    await world.drive({ integrate }, 'CREATING_PULL_REQUEST');
  });

  it('is made again by a retry of the final test', async () => {
    const world = await newWorld.in('RUNNING_FINAL_TEST', {
      beads: [{ status: 'done', testCommands: ['test -f README.md'], unprovedReason: 'Nothing changes.' }],
      limits: { maxIterations: 0 },
    });
    world.answers({
      'final-test': () =>
        '<FINAL_TEST_COMMANDS>\ncommands: ["test -d ."]\ntest_files: []\nmodified_files: []\nsummary: It works.\n</FINAL_TEST_COMMANDS>',
    });
    await rm(world.worktree, { recursive: true });
    await world.drive({ finalTest });
    assert.equal((await world.read()).error?.code, 'WORKTREE_LOST');
    await world.post('retry', { note: '' });
    await world.drive({ finalTest }, 'INTEGRATING_CHANGES');
  });

  it('is made again though something is left in its place, which is kept aside and named', async () => {
    const world = await newWorld();
    await world.beginIntegration();
    await rm(join(world.worktree, '.git'));
    world.write('left.txt', 'mine\n');
    await world.drive({ integrate });
    assert.equal((await world.read()).error?.code, 'WORKTREE_LOST');
    await world.post('retry', { note: '' });
    await world.drive({ integrate }, 'CREATING_PULL_REQUEST');
    const { folder } = (await world.json('worktree_leftovers')) as { folder: string };
    assert.equal(readFileSync(join(folder, 'left.txt'), 'utf8'), 'mine\n');
    assert.ok(world.events.some((event) => event.type === 'activity' && event.text.includes(folder)));
    assert.deepEqual(await world.git.status(world.worktree), []);
  });

  it('says where its branch is checked out, and is made again once the branch is free', async () => {
    const world = await newWorld();
    await world.beginIntegration();
    await rm(world.worktree, { recursive: true });
    await world.repository.git('worktree', 'prune');
    await world.repository.git('checkout', '--quiet', 'ticket/TST-1');
    await world.drive({ integrate });
    await world.post('retry', { note: '' });
    await world.drive({ integrate });
    const { error } = await world.read();
    assert.ok(error);
    assert.equal(error.code, 'WORKTREE_FAILED');
    assert.ok(String(error.args['reason']).includes(world.repository.root), String(error.args['reason']));
    await world.repository.git('checkout', '--quiet', 'main');
    await world.post('retry', { note: '' });
    await world.drive({ integrate }, 'CREATING_PULL_REQUEST');
  });
});
