import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandVariable, RunningCommands } from '../../../../src/adapters/process/runningCommands.ts';
import { identityOf } from '../../../../src/adapters/system/processes.ts';
import { folderForEach } from '../../../support/tempFolder.ts';
import { until } from '../../../support/until.ts';

/** Other runs of these tests search the whole system, too. */
const own = (nonce: string): string => `${nonce}-${String(process.pid)}`;

describe('commands that a killed driver left', () => {
  const temp = folderForEach('commands');
  const children: ChildProcess[] = [];
  before(function () {
    if (process.platform === 'linux') return;
    console.log('skipped: processes are found by their environment on Linux only');
    this.skip();
  });
  afterEach(() => {
    for (const { pid } of children.splice(0)) {
      try {
        process.kill(-(pid ?? 0), 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
  });

  const folder = () => join(temp.path, 'commands');
  const notes = () => (existsSync(folder()) ? readdirSync(folder()) : []);

  /** In a process group of its own, as the shell starts them. */
  async function command(
    nonce?: string,
  ): Promise<{ readonly pid: number; readonly ended: Promise<unknown> }> {
    const env = { PATH: process.env['PATH'], ...(nonce === undefined ? {} : { [commandVariable]: nonce }) };
    const child = spawn('/bin/sh', ['-c', 'exec sleep 600'], { env, stdio: 'ignore', detached: true });
    children.push(child);
    const pid = child.pid ?? 0;
    await until(async () => identityOf(pid), 'it runs');
    return { pid, ended: once(child, 'exit').then(([code, signal]: unknown[]) => code ?? signal) };
  }

  it('are noted while they run, for this user alone', async () => {
    const { pid } = await command();
    const done = await new RunningCommands(folder()).note(pid, own('nonce'));
    assert.deepEqual(notes(), [`${String(pid)}.json`]);
    assert.deepEqual(
      [statSync(folder()).mode & 0o777, statSync(join(folder(), `${String(pid)}.json`)).mode & 0o777],
      [0o700, 0o600],
    );
    await done();
    assert.deepEqual(notes(), []);
    await done();
  });

  it('are not noted once they have ended, or where nothing can be written', async () => {
    const { pid, ended } = await command();
    writeFileSync(folder(), 'a file');
    const done = await new RunningCommands(folder()).note(pid, own('nonce'));
    await done();
    process.kill(pid, 'SIGKILL');
    await ended;
    await new RunningCommands(join(temp.path, 'others')).note(pid, own('nonce'));
    assert.ok(!existsSync(join(temp.path, 'others')));
  });

  it('are ended by the next one, with what has left their group', async () => {
    // It knows the first by its start time, the second by its mark.
    const [noted, left, other] = [
      await command(),
      await command(own('nonce-of-left')),
      await command(own('nonce-of-another')),
    ];
    await new RunningCommands(folder()).note(noted.pid, own('nonce-of-noted'));
    const gone = {
      ...(await identityOf(left.pid)),
      pid: other.pid,
      started: '1',
      nonce: own('nonce-of-left'),
    };
    writeFileSync(join(folder(), 'gone.json'), JSON.stringify(gone));
    await new RunningCommands(folder()).endAll();
    assert.deepEqual(await Promise.all([noted.ended, left.ended]), ['SIGKILL', 'SIGKILL']);
    process.kill(other.pid, 'SIGTERM');
    assert.equal(await other.ended, 'SIGTERM', 'what only has the number of one is left alone');
    assert.deepEqual(notes(), []);
  });

  it('are none where nothing was noted, or nothing that can be understood', async () => {
    await new RunningCommands(folder()).endAll();
    mkdirSync(folder());
    writeFileSync(join(folder(), '1.json'), '{"pid":1}');
    await new RunningCommands(folder()).endAll();
    assert.deepEqual(notes(), []);
  });
});
