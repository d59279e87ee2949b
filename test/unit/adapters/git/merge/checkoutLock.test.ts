import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withCheckoutsLocked } from '../../../../../src/adapters/git/cli/staleLock.ts';
import { ownIdentity } from '../../../../../src/adapters/system/processes.ts';
import { folderForEach } from '../../../../support/tempFolder.ts';

describe('the lock of checkouts during a merge', () => {
  const temp = folderForEach('checkouts');
  beforeEach(() => {
    for (const name of ['one', 'other']) mkdirSync(join(temp.path, name));
  });

  const folders = () => ['one', 'other'].map((name) => join(temp.path, name));
  const lockOf = (name: string) => join(temp.path, name, 'index.lock');
  const isLocked = () => ['one', 'other'].map((name) => existsSync(lockOf(name)));
  const locked = (patienceMs = 0) =>
    withCheckoutsLocked(folders(), patienceMs, () => Promise.resolve(isLocked()));
  const busy = (name: string) => (error: Error & { code?: string }) =>
    error.code === 'GIT_LOCKED' && error.message.includes(lockOf(name));

  it('is git’s own, is held for all of them, and says whose it is', async () => {
    const seen = await withCheckoutsLocked(folders(), 0, () =>
      Promise.resolve([isLocked(), readFileSync(lockOf('other'), 'utf8')]),
    );
    assert.deepEqual(seen, [[true, true], JSON.stringify({ beadsmith: true, ...(await ownIdentity()) })]);
    assert.deepEqual(isLocked(), [false, false]);
  });

  it('is given back when the work fails', async () => {
    await assert.rejects(
      withCheckoutsLocked(folders(), 0, () => Promise.reject(new Error('a conflict'))),
      /a conflict/,
    );
    assert.deepEqual(isLocked(), [false, false]);
  });

  it('waits for a git of the person, and then says which lock it is', async () => {
    writeFileSync(lockOf('other'), 'an index');
    await assert.rejects(locked(60), busy('other'));
    assert.deepEqual([isLocked(), readFileSync(lockOf('other'), 'utf8')], [[false, true], 'an index']);
  });

  it('is taken from a process of ours that was killed, and from no other one', async () => {
    const me = await ownIdentity();
    const mark = (more: object) =>
      writeFileSync(lockOf('one'), JSON.stringify({ beadsmith: true, ...me, ...more }));
    mark({ started: '1' });
    assert.deepEqual(await locked(1_000), [true, true]);
    for (const alive of [{}, { namespace: 'of a container', started: '1' }]) {
      mark(alive);
      await assert.rejects(locked(60), busy('one'));
    }
    writeFileSync(lockOf('one'), '{"beadsmith":true,"pid"');
    await assert.rejects(locked(60), busy('one'));
    mark({ started: '1', filler: 'x'.repeat(1_000) });
    await assert.rejects(locked(60), busy('one'));
  });
});
