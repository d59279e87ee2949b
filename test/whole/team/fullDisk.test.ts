import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ticket } from '../../../src/domain/ticket/ticket.ts';
import { postgresServer } from '../../support/storeContract/postgresServer.ts';
import { TeamBench } from '../../support/team/teamBench.ts';
import { tempFolder } from '../../support/tempFolder.ts';
import { until } from '../../support/until.ts';

/** A file system of its own, if this machine lets us make one. */
function mounts(): boolean {
  const folder = tempFolder('mount');
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder.path], { stdio: 'ignore' });
    execFileSync('umount', [folder.path]);
    return true;
  } catch {
    const lacking = (process.env['BEADSMITH_NOT_RUN'] = 'need the right to mount a file system');
    console.log(`    Not run: these ${lacking}.`);
    return false;
  } finally {
    folder.remove();
  }
}

(mounts() ? describe : describe.skip)('a runner whose disk is full', function () {
  this.timeout(500_000);
  const server = postgresServer();
  let bench: TeamBench;
  let disk: string;
  beforeEach(async () => {
    bench = await TeamBench.open(server.url);
    disk = bench.folderOf('one');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk]);
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') console.error(bench.said());
    for (const { child, ended } of bench.runners) {
      child.kill('SIGTERM');
      await ended;
    }
    execFileSync('umount', ['--lazy', disk]);
    await bench.close();
  });

  const filler = (): string => join(disk, 'filler');
  /** Nothing more fits. */
  function fill(): void {
    const { bavail, bsize } = statfsSync(disk);
    try {
      writeFileSync(filler(), Buffer.alloc(bavail * bsize));
    } catch {
      // It is full now.
    }
  }

  it('says so, loses nothing, and works on once there is space', async () => {
    await bench.run('one');
    const id = await bench.start('Greet by name');
    await bench.driveTo(id, 'WAITING_EXECUTION_SETUP_APPROVAL');
    await until(async () => (await bench.claims(id))[0]?.runner === '', 'nobody drives it');
    fill();
    const isHeld = ({ hold }: Ticket): boolean => hold?.kind === 'disk';
    await bench.driveUntil(id, isHeld, { what: 'people see that the disk is full' });
    rmSync(filler());
    await bench.driveTo(id, 'COMPLETED', 120_000);
    assert.deepEqual((await bench.ticket(id)).crashes ?? [], []);
    const coded = bench.requests.filter(({ task, step }) => task === 'coding' && step === 0);
    assert.equal(coded.length, 1);
  });

  it('loses its ticket to another one when it ends', async () => {
    const full = await bench.run('one');
    const id = await bench.start('Count the words');
    await bench.driveTo(id, 'WAITING_EXECUTION_SETUP_APPROVAL');
    fill();
    await bench.driveUntil(id, ({ hold }) => hold?.kind === 'disk', { what: 'it is held' });
    await bench.run('two');
    full.child.kill('SIGTERM');
    await bench.driveTo(id, 'COMPLETED', 120_000);
    assert.equal((await full.ended).code, 0);
  });
});
