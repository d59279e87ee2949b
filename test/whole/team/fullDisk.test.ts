import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { startLocalServer, type LocalServer } from '../../../src/adapters/store/postgres/localServer.ts';
import { teamWorker } from '../../support/storeContract/postgresServer.ts';
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

describe('the disk of a team’s database', function () {
  this.timeout(400_000);
  const folder = tempFolder('full');
  let server: LocalServer | undefined;
  let bench: TeamBench | undefined;
  let isMounted = false;
  before(function () {
    // Only root may mount.
    if (process.platform !== 'linux' || process.getuid?.() !== 0) this.skip();
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs', folder.path], { stdio: 'ignore' });
    } catch {
      this.skip();
    }
    isMounted = true;
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
