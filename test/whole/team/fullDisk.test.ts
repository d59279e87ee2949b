import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { startLocalServer, type LocalServer } from '../../../src/adapters/store/postgres/localServer.ts';
import { postgresServer, teamWorker } from '../../support/storeContract/postgresServer.ts';
import { TeamBench } from '../../support/team/teamBench.ts';
import { tempFolder } from '../../support/tempFolder.ts';
import { until } from '../../support/until.ts';

/** Takes what is left of a file system. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (const size of [1 << 20, 4_096]) {
      try {
        for (;;) writeSync(file, Buffer.alloc(size));
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
      }
    }
  } finally {
    closeSync(file);
  }
}

/** Gives a folder a file system of its own. False where it can't: only root may mount. */
function mount(path: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs', path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('the disk of a team’s database', function () {
  this.timeout(400_000);
  const folder = tempFolder('full');
  let server: LocalServer | undefined;
  let bench: TeamBench | undefined;
  let isMounted = false;
  before(function () {
    isMounted = mount(folder.path);
    if (!isMounted) this.skip();
  });
  after(async () => {
    await bench?.close();
    await server?.stop();
    if (isMounted) execFileSync('umount', [folder.path]);
    folder.remove();
  });
  const start = async (): Promise<LocalServer> => {
    const settings = {
      fsync: 'off',
      shared_buffers: '16MB',
      max_connections: '40',
      max_wal_size: '64MB',
      min_wal_size: '32MB',
    };
    server = await startLocalServer({ folder: folder.path, worker: teamWorker, settings });
    return server;
  };

  it('may be full: tickets wait, nothing is lost, and work continues when there is room', async () => {
    const { url } = await start();
    bench = await TeamBench.open(url, undefined, 300);
    const { runners, tickets } = bench;
    await bench.run('one');
    const id = await bench.start('Greet by name');
    await bench.driveTo(id, 'CODING');
    const filler = join(folder.path, 'filler');
    fill(filler);
    await until(() => runners[0]?.stdout.includes('"hold":"disk"'), 'the ticket is held', 150_000);
    rmSync(filler);
    await bench.driveTo(id, 'COMPLETED');
    assert.equal((await tickets.ports.store.verify(id)).ok, true);
  });
});

describe('the disk of a team’s runner', function () {
  this.timeout(400_000);
  const server = postgresServer();
  let bench: TeamBench;
  let disk = '';
  beforeEach(async function () {
    bench = await TeamBench.open(server.url, undefined, 300);
    const folder = bench.folderOf('full');
    mkdirSync(folder);
    if (!mount(folder)) this.skip();
    disk = folder;
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') console.error(bench.said());
    for (const { child } of bench.runners) child.kill('SIGTERM');
    await Promise.all(bench.runners.map(({ ended }) => ended));
    if (disk !== '') execFileSync('umount', [disk]);
    await bench.close();
  });
  const isFull = async (): Promise<boolean> => (await bench.printed('fleet')).includes('"disk":"full"');

  it('may be full: after a minute another runner continues, and it takes no ticket until it has space', async () => {
    const first = await bench.run('full');
    const id = await bench.start('Greet by name');
    await bench.driveTo(id, 'CODING');
    const filler = join(disk, 'filler');
    fill(filler);
    await until(isFull, 'the fleet says so', 60_000);
    await until(() => first.stdout.includes('"hold":"disk"'), 'the ticket is held', 150_000);
    await bench.run('two');
    await bench.driveTo(id, 'COMPLETED');
    assert.doesNotMatch(first.stdout, /"to":"COMPLETED"/);
    assert.equal((await bench.tickets.ports.store.verify(id)).ok, true);
    rmSync(filler);
    await until(async () => !(await isFull()), 'it has space again', 60_000);
  });
});
