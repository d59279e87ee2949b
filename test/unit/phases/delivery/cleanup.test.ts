import assert from 'node:assert/strict';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import { cleanup } from '../../../../src/phases/delivery/cleanup.ts';
import { partCache } from '../../../../src/phases/shared/ask/partCache.ts';
import { phaseWorlds } from '../../../support/engine/phaseWorld.ts';

describe('cleaning up', () => {
  const worlds = phaseWorlds();
  const [setup, state] = ['.ticket/runtime/execution-setup', '.ticket/runtime/state.yaml'];

  it('removes what only served the work, and keeps worktree, branch and documents', async () => {
    const world = await worlds('CLEANING_ENV');
    for (const path of [setup, state, '.ticket/prd.yaml']) world.files.there.add(path);
    assert.deepEqual(await world.drive(cleanup), { exit: 'cleaned' });
    assert.deepEqual([...world.files.there], ['.ticket/prd.yaml']);
    const report = await world.json('cleanup_report');
    assert.deepEqual(
      [report?.['status'], report?.['removed'], report?.['warnings']],
      ['clean', [setup, state], []],
    );
    assert.deepEqual(report?.['kept'], ['/repo.worktrees/TST-1', 'ticket/TST-1', '.ticket']);
  });

  it('warns of what could not be removed, removes the rest, and ends all the same', async () => {
    const world = await worlds('CLEANING_ENV');
    for (const path of [setup, state]) world.files.there.add(path);
    const remove = world.files.remove.bind(world.files);
    world.files.remove = (worktree, path) =>
      path === setup
        ? Promise.reject(new BeadsmithError('OUTSIDE_WORKTREE', { path }))
        : remove(worktree, path);
    world.agent.release = () => Promise.reject(new BeadsmithError('OPENCODE_GONE'));
    assert.deepEqual(await world.drive(cleanup), { exit: 'cleaned' });
    const report = await world.json('cleanup_report');
    assert.deepEqual([report?.['status'], report?.['removed']], ['warning', [state]]);
    assert.deepEqual(report?.['warnings'], [
      `${setup}: ${setup} is outside the worktree of the ticket.`,
      'OpenCode exited unexpectedly.',
    ]);
  });

  it('forgets the parts of its prompts, and those of no other ticket', async () => {
    const world = await worlds('CLEANING_ENV');
    const entry = { content: 'text', timestamp: 1_000, tokens: 7 };
    partCache.set('TST-1', 'prd', entry);
    partCache.set('TST-2', 'prd', entry);
    assert.deepEqual(await world.drive(cleanup), { exit: 'cleaned' });
    assert.equal(partCache.get('TST-1', 'prd', 'text', 1_000), undefined);
    assert.equal(partCache.get('TST-2', 'prd', 'text', 1_000)?.tokens, 7);
    partCache.clearContextCache('TST-2');
  });

  it('is done again without harm when the process was killed before it was recorded', async () => {
    const world = await worlds('CLEANING_ENV');
    world.files.there.add(state);
    world.killAt = 'exit';
    assert.equal(await world.drive(cleanup), 'killed');
    assert.deepEqual(await world.drive(cleanup), { exit: 'cleaned' });
    assert.deepEqual([...world.files.there], []);
    assert.equal((await world.json('cleanup_report'))?.['status'], 'clean');
  });
});
