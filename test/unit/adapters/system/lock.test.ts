import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileLock, type HeldLock, LockHolder } from '../../../../src/adapters/system/lock.ts';
import { ownIdentity } from '../../../../src/adapters/system/processes.ts';
import { folderForEach } from '../../../support/tempFolder.ts';

for (const hardLinks of [true, false]) {
  describe(`a lock on a file system ${hardLinks ? 'with' : 'without'} hard links`, () => {
    const folder = folderForEach('lock');
    let file: string;
    let alive: LockHolder;
    let dead: LockHolder;

    before(async () => {
      const child = spawn('git', ['--version'], { stdio: 'ignore' });
      await once(child, 'exit');
      alive = { ...(await ownIdentity()), nonce: 'alive', epoch: 0 };
      dead = { ...alive, pid: child.pid!, nonce: 'dead' };
    });
    beforeEach(() => (file = join(folder.path, 'work.lock')));

    const lock = (abandonable = false) => new FileLock(file, { hardLinks, abandonable });
    const put = (holder: LockHolder, path = file) => writeFileSync(path, JSON.stringify(holder));
    const age = (path: string, seconds: number) =>
      utimesSync(path, Date.now() / 1_000 - seconds, Date.now() / 1_000 - seconds);
    const heldBy = (attempts: readonly Awaited<ReturnType<FileLock['tryTake']>>[]): readonly HeldLock[] =>
      attempts.flatMap((attempt) => (attempt.kind === 'held' ? [attempt.lock] : []));
    const busy = () => new Error('busy');

    it('names who holds it, and is gone when it is released', async () => {
      const held = await lock().tryTake();
      assert.ok(held.kind === 'held');
      assert.equal(LockHolder.parse(JSON.parse(readFileSync(file, 'utf8'))).pid, process.pid);
      const second = await lock().tryTake();
      assert.deepEqual([second.kind, second.kind === 'taken' && second.liveness], ['taken', 'alive']);
      await held.lock.release();
      assert.deepEqual(readdirSync(folder.path), []);
    });

    it('is held by one of many who saw the same dead holder, and by nobody else after that', async () => {
      for (let round = 0; round < 10; round++) {
        put({ ...dead, nonce: `dead${String(round)}` });
        const held = heldBy(await Promise.all(Array.from({ length: 6 }, () => lock().tryTake())));
        assert.equal(held.length, 1);
        assert.deepEqual(readdirSync(folder.path), ['work.lock']);
        await held[0]!.release();
      }
    });

    it('belongs to a living successor that has not yet replaced it, and is inherited from a dead one', async () => {
      put(dead);
      put(alive, join(folder.path, 'work-dead.next'));
      const second = await lock().tryTake();
      assert.ok(second.kind === 'taken' && second.by.nonce === 'alive');
      put({ ...dead, nonce: 'second' }, join(folder.path, 'work-dead.next'));
      assert.equal(heldBy(await Promise.all(Array.from({ length: 4 }, () => lock().tryTake()))).length, 1);
    });

    it('is not held by another process that has the number of its holder', async function () {
      if (alive.started === '') return; // this system doesn't say when a process started
      put({ ...alive, started: `${alive.started}1` });
      assert.equal((await lock().tryTake()).kind, 'held');
    });

    it('is not held for ever by a file that was never finished', async () => {
      for (const content of ['', '{"host":']) {
        writeFileSync(file, content);
        assert.equal((await lock().tryTake()).kind, 'taken');
        // Also if the clock was set back since.
        age(file, content === '' ? 60 : -3_600);
        const held = heldBy(await Promise.all(Array.from({ length: 4 }, () => lock().tryTake())));
        assert.equal(held.length, 1);
        await held[0]!.release();
      }
    });

    it('is taken from a holder that cannot be judged only where that is allowed, and no sooner than ten minutes after its last sign', async () => {
      for (const content of [JSON.stringify({ ...alive, namespace: 'pid:[1]' }), '{"format":2}']) {
        writeFileSync(file, content);
        assert.equal((await lock(true).tryTake()).kind, 'taken');
        age(file, 900);
        assert.equal((await lock().tryTake()).kind, 'taken');
        const [held] = heldBy([await lock(true).tryTake()]);
        assert.ok(held);
        await held.release();
      }
    });

    it('is not released by a process that no longer holds it', async () => {
      const held = await lock().tryTake();
      assert.ok(held.kind === 'held');
      put({ ...alive, nonce: 'other' });
      await held.lock.release();
      assert.ok(existsSync(file));
    });

    it('lets one task of this process at a time in, also after one that failed', async () => {
      let inside = 0;
      let most = 0;
      const task = async () => {
        most = Math.max(most, ++inside);
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
      };
      const locks = [lock(), lock()];
      const limits = { patienceMs: 5_000, busy };
      await Promise.all(Array.from({ length: 6 }, (_, index) => locks[index % 2]!.run(task, limits)));
      assert.equal(most, 1);
      await assert.rejects(
        locks[0]!.run(() => Promise.reject(new Error('a task that fails')), limits),
        /a task that fails/,
      );
      assert.equal(await locks[1]!.run(() => Promise.resolve('free again'), limits), 'free again');
    });

    it('makes who waits too long give up', async () => {
      put(alive);
      await assert.rejects(
        lock().run(() => Promise.resolve(), { patienceMs: 50, busy }),
        /busy/,
      );
    });
  });
}
