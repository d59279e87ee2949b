import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { type Claim, OwnerFile, OwnerRecord } from '../../../../../src/adapters/store/sqlite/ownerFile.ts';
import { ownIdentity } from '../../../../../src/adapters/system/processes.ts';
import { folderForEach } from '../../../../support/tempFolder.ts';
import { until } from '../../../../support/until.ts';

describe('OwnerFile', () => {
  const folder = folderForEach('owner');
  let file: string;
  let deadPid: number;
  let alive: OwnerRecord;
  let dead: OwnerRecord;

  before(async () => {
    const child = spawn('git', ['--version'], { stdio: 'ignore' });
    await once(child, 'exit');
    deadPid = child.pid!;
    alive = { ...(await ownIdentity()), nonce: 'alive', epoch: 3 };
    dead = { ...alive, pid: deadPid, nonce: 'dead' };
  });
  beforeEach(() => (file = join(folder.path, 'owner.json')));

  const claim = () => OwnerFile.claim(folder.path);
  const present = () => OwnerRecord.parse(JSON.parse(readFileSync(file, 'utf8')));
  const put = (record: OwnerRecord, path = file) => writeFileSync(path, JSON.stringify(record));
  const owners = (claims: readonly Claim[]) =>
    claims.flatMap((one) => (one.kind === 'owned' ? [one.owner] : []));

  it('names this process, and lets a second claim know', async () => {
    const first = await claim();
    assert.ok(first.kind === 'owned');
    await first.owner.stamp(7);
    assert.deepEqual([present().host, present().pid, present().epoch], [hostname(), process.pid, 7]);
    const second = await claim();
    assert.ok(second.kind === 'driven');
    assert.deepEqual([second.by, second.liveness], [present(), 'alive']);
    await first.owner.release();
    assert.equal(existsSync(file), false);
    assert.equal((await claim()).kind, 'owned');
  });

  it('is taken over when the process is gone', async () => {
    put(dead);
    assert.equal((await claim()).kind, 'owned');
    assert.equal(present().pid, process.pid);
  });

  it('is taken over when its process number was given to another process', async function () {
    if (alive.started === '') return; // this system doesn't tell when a process began
    put({ ...alive, started: `${alive.started}1` });
    assert.equal((await claim()).kind, 'owned');
  });

  it('is taken over after a reboot of the same machine', async () => {
    put({ ...alive, boot: 'another-boot' });
    utimesSync(file, 0, 0);
    assert.equal((await claim()).kind, alive.boot === '' ? 'driven' : 'owned');
  });

  it('stays with an owner of another boot that gave a sign since this one', async () => {
    put({ ...alive, boot: 'another-boot' });
    const { kind, ...rest } = await claim();
    assert.deepEqual([kind, 'liveness' in rest && rest.liveness], ['driven', 'elsewhere']);
  });

  it("is judged by boot and container, not by the host's name", async () => {
    if (alive.boot === '') return; // this system doesn't tell boots apart
    put({ ...alive, host: 'named-otherwise-meanwhile' });
    const living = await claim();
    assert.deepEqual([living.kind, 'liveness' in living && living.liveness], ['driven', 'alive']);
    put({ ...dead, host: 'the-container-of-yesterday' });
    assert.equal((await claim()).kind, 'owned');
  });

  it('is taken over from another container when a person says so, by one process, and the earlier owner leaves the new file alone', async () => {
    put({ ...alive, namespace: 'pid:[1]', nonce: 'rebuilt', since: 5 });
    assert.equal((await claim()).kind, 'driven');
    const claims = await Promise.all(
      Array.from({ length: 4 }, () => OwnerFile.claim(folder.path, { takeOver: true })),
    );
    assert.equal(owners(claims).length, 1);
    assert.equal(present().pid, process.pid);
    // Not from one that is seen to live.
    assert.equal((await OwnerFile.claim(folder.path, { takeOver: true })).kind, 'driven');
  });

  it('is never taken over while that is unproved', async () => {
    const elsewhere = { kind: 'driven', liveness: 'elsewhere' };
    for (const record of [
      { ...dead, host: 'another-host', boot: 'another-boot' },
      { ...dead, namespace: 'pid:[1]' },
      { ...dead, boot: '' },
    ]) {
      put(record);
      const { kind, ...rest } = await claim();
      assert.deepEqual({ kind, liveness: 'liveness' in rest ? rest.liveness : '' }, elsewhere);
      assert.deepEqual(present(), record);
    }
    for (const content of ['', '{"host":', '{}']) {
      writeFileSync(file, content);
      assert.equal((await claim()).kind, 'driven');
      assert.equal(readFileSync(file, 'utf8'), content);
    }
  });

  it('is written again when another program removes or overwrites it, and left to a living process that took over', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      let restored = 0;
      const mine = await OwnerFile.claim(folder.path, { onRestore: () => restored++ });
      assert.ok(mine.kind === 'owned');
      const changes = [
        () => rmSync(file),
        () => writeFileSync(file, '{}'),
        () => writeFileSync(file, ''),
        () => put(dead),
      ];
      for (const [at, change] of changes.entries()) {
        change();
        mock.timers.tick(60_000);
        await until(() => restored === at + 1, 'the file is restored');
        assert.deepEqual(present(), mine.owner.record);
      }
      put(alive);
      mock.timers.tick(60_000);
      await mine.owner.release();
      assert.deepEqual([present(), restored], [alive, changes.length]);
    } finally {
      mock.timers.reset();
    }
  });

  it('has one owner, however many claim it at once', async () => {
    for (let round = 0; round < 15; round++) {
      const claims = await Promise.all(Array.from({ length: 8 }, claim));
      assert.equal(owners(claims).length, 1);
      await owners(claims)[0]!.release();
    }
  });

  it('has one successor, however many take over at once', async () => {
    for (let round = 0; round < 15; round++) {
      put({ ...dead, nonce: `dead${String(round)}` });
      const claims = await Promise.all(Array.from({ length: 8 }, claim));
      const [winner, ...others] = owners(claims);
      assert.deepEqual([others.length, winner?.record.nonce], [0, present().nonce]);
      assert.deepEqual(readdirSync(folder.path), ['owner.json']);
      await winner?.release();
    }
  });

  it('is inherited from a successor that died before it had taken over', async () => {
    put(dead);
    put({ ...dead, nonce: 'second' }, join(folder.path, 'owner-dead.next'));
    const claims = await Promise.all(Array.from({ length: 4 }, claim));
    assert.equal(owners(claims).length, 1);
    assert.equal(present().pid, process.pid);
  });

  it('belongs to a living successor that has not yet taken over', async () => {
    put(dead);
    put(alive, join(folder.path, 'owner-dead.next'));
    const driven = await claim();
    assert.ok(driven.kind === 'driven' && driven.by.nonce === 'alive');
    assert.deepEqual(present(), dead);
  });

  it('is not released by a process that is no longer the owner', async () => {
    const first = await claim();
    assert.ok(first.kind === 'owned');
    put({ ...alive, nonce: 'other' });
    await first.owner.release();
    assert.equal(present().nonce, 'other');
  });

  it('shows who drives without claiming', async () => {
    assert.equal(await OwnerFile.current(folder.path), undefined);
    put(dead);
    assert.equal(await OwnerFile.current(folder.path), undefined);
    put(alive);
    const { seenMs, ...current } = (await OwnerFile.current(folder.path))!;
    assert.deepEqual(current, { by: alive, liveness: 'alive' });
    assert.ok(Math.abs(Date.now() - seenMs) < 60_000);
  });
});
