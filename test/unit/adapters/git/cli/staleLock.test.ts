import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeStaleLock } from '../../../../../src/adapters/git/cli/staleLock.ts';
import { folderForEach } from '../../../../support/tempFolder.ts';

describe('a lock that a killed git left', () => {
  const temp = folderForEach('lock');
  before(function () {
    if (process.platform === 'linux') return;
    console.log('skipped: only Linux says which gits run');
    this.skip();
  });
  beforeEach(() => {
    for (const name of ['tree', 'tree/sub', 'git', 'git-other']) mkdirSync(join(temp.path, name));
  });

  const place = () => ({ cwd: join(temp.path, 'tree'), gitDir: join(temp.path, 'git') });

  function lock(seconds: number, name = 'git/index.lock'): string {
    const file = join(temp.path, name);
    writeFileSync(file, '');
    const at = Date.now() / 1_000 - seconds;
    utimesSync(file, at, at);
    return file;
  }

  it('is removed once it is some seconds old, whatever the clock said then', async () => {
    for (const age of [5, -60]) {
      const file = lock(age);
      assert.deepEqual([await removeStaleLock(file, place()), existsSync(file)], [true, false], String(age));
    }
  });

  it('stays while it is new', async () => {
    const file = lock(0);
    assert.deepEqual([await removeStaleLock(file, place()), existsSync(file)], [false, true]);
  });

  it('is no obstacle once it is gone', async () => {
    assert.equal(await removeStaleLock(join(temp.path, 'git/index.lock'), place()), true);
  });

  it('stays anywhere but in the git folder of a worktree of ours', async () => {
    const [file, other] = [lock(60), lock(60, 'git-other/index.lock')];
    assert.equal(await removeStaleLock(file, { cwd: place().cwd }), false);
    assert.equal(await removeStaleLock(other, place()), false);
    assert.deepEqual([existsSync(file), existsSync(other)], [true, true]);
  });

  for (const where of ['tree', 'tree/sub', 'git'])
    it(`stays while a git works in ${where}`, async () => {
      const file = lock(60);
      // It waits for what it is asked to hash.
      const git = spawn('git', ['hash-object', '--stdin'], {
        cwd: join(temp.path, where),
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      await once(git, 'spawn');
      const ended = once(git, 'exit');
      try {
        assert.deepEqual([await removeStaleLock(file, place()), existsSync(file)], [false, true]);
      } finally {
        git.stdin.end();
        await ended;
      }
      assert.equal(await removeStaleLock(file, place()), true);
    });
});
