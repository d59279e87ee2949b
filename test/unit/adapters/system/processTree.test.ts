import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf, type ProcessIdentity } from '../../../../src/adapters/system/processes.ts';
import {
  askMarked,
  endLeft,
  endMarked,
  endTools,
  endTree,
  familyBytes,
  nonceVariable,
  residentBytes,
  toolVariable,
} from '../../../../src/adapters/system/processTree.ts';
import { markingLines, startedByAgent, startMarked } from '../../../../src/adapters/system/startedBy.ts';
import { folderForEach } from '../../../support/tempFolder.ts';
import { until } from '../../../support/until.ts';

/** Longer than any test, so that waiting for it is noticed. */
const everMs = 600_000;
const forGood = 'while :; do sleep 0.05; done';
const idle = 'echo ready; exec sleep 600';

/** Other runs of these tests search the whole system, too. */
const own = (nonce: string): string => `${nonce}-${String(process.pid)}`;

describe('the processes below a server', () => {
  const children: ChildProcess[] = [];
  before(function () {
    if (process.platform === 'linux') return;
    console.log('skipped: processes are found by their environment on Linux only');
    this.skip();
  });
  afterEach(() => {
    // With what they started: each has its own group.
    for (const { pid } of children.splice(0)) if (pid !== undefined) killGroup(pid);
  });

  interface Started {
    readonly child: ChildProcess;
    readonly id: ProcessIdentity;
    readonly out: () => string;
    readonly ended: Promise<unknown>;
  }

  async function shell(script: string, env: Readonly<Record<string, string>> = {}): Promise<Started> {
    const environment = { PATH: process.env['PATH'], ...env };
    const child = spawn('/bin/sh', ['-c', script], {
      env: environment,
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    children.push(child);
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
    const ended = once(child, 'exit').then(([code, signal]: unknown[]) => code ?? signal);
    await until(() => text.includes('ready'), 'the shell is ready');
    const id = await identityOf(child.pid ?? 0);
    assert.ok(id);
    return { child, id, out: () => text, ended };
  }

  const isThere = async (pid: number): Promise<boolean> => (await identityOf(pid)) !== undefined;

  describe('when it is ended', () => {
    it('are asked first, and have time to end by themselves', async () => {
      const { id, ended } = await shell(
        'trap "sleep 0.4; exit 7" TERM; echo ready; while :; do sleep 0.02; done',
      );
      await endTree(id, own('no-nonce'), everMs);
      assert.equal(await ended, 7);
    });

    it('are killed when that time is over, and not before', async () => {
      const { id, ended } = await shell(`trap "" TERM; echo ready; ${forGood}`);
      const start = performance.now();
      await endTree(id, own('no-nonce'), 300);
      assert.ok(performance.now() - start >= 300);
      assert.equal(await ended, 'SIGKILL');
    });

    it('are found below it, whatever they were started with', async () => {
      const { id, out, ended } = await shell(
        'sh -c "sleep 600 & echo \\$!; wait" & sleep 600 & echo ready; wait',
      );
      await until(() => /\d+\n/.test(out()), 'the grandchild runs');
      const grandchild = Number(/\d+/.exec(out())?.[0]);
      assert.ok(await isThere(grandchild));
      await endTree(id, own('no-nonce'), everMs);
      assert.equal(await isThere(grandchild), false);
      await ended;
    });

    it('are found by the mark of the server, also when it is gone, and nothing else is touched', async () => {
      const marked = await shell(idle, { [nonceVariable]: own('nonce-1') });
      const others = [
        await shell(idle, { [nonceVariable]: `${own('nonce-1')}2` }),
        await shell(idle, { OTHER: own('nonce-1') }),
      ];
      await endTree(undefined, own('nonce-1'), everMs);
      assert.equal(await marked.ended, 'SIGTERM');
      for (const { id } of others) assert.ok(await isThere(id.pid));
    });

    it('are killed, too, when they were started while it was asked to end', async () => {
      const late = '(trap "" TERM; echo late $$; exec sleep 600) & exit 0';
      const { out, ended } = await shell(`trap '${late}' TERM; echo ready; while :; do sleep 0.02; done`, {
        [nonceVariable]: own('nonce-2'),
      });
      await endTree(undefined, own('nonce-2'), everMs);
      assert.equal(await ended, 0);
      await until(() => out().includes('late'), 'the late one was started');
      await until(async () => (await marks(own('nonce-2'))) === '', 'nothing is left');
    });

    it('are none when another process has its number now', async () => {
      const { id } = await shell(idle);
      await endTree({ ...id, started: '1' }, own('no-nonce'), 0);
      assert.ok(await isThere(id.pid));
    });
  });

  describe('that tools of agents left', () => {
    const folder = folderForEach('tools');

    it('are killed in a folder and below it, and not beside it', async () => {
      const inside = [
        await shell(idle, { [toolVariable]: folder.path }),
        await shell(idle, { [toolVariable]: join(folder.path, 'below') }),
      ];
      const beside = await shell(idle, { [toolVariable]: `${folder.path}-beside` });
      await endTools(folder.path, []);
      for (const { ended } of inside) assert.equal(await ended, 'SIGKILL');
      assert.ok(await isThere(beside.id.pid));
    });

    it('are killed by the marks that their shells noted, when they left parent, group and environment', async () => {
      const notes = join(folder.path, 'notes');
      const [inside, beside] = [join(folder.path, 'tree', 'below'), join(folder.path, 'tree-beside')];
      for (const path of [notes, inside, beside]) mkdirSync(path, { recursive: true });
      const leave = `env -i setsid sh -c 'echo $$; exec sleep 600' &\necho ready; exec sleep 600`;
      const left: number[] = [];
      for (const [at, place] of [inside, beside].entries()) {
        const tool = await shell(
          [`cd ${place}`, ...markingLines(notes, own(`server-${String(at)}`)), leave].join('\n'),
        );
        await until(() => /^\d+$/m.test(tool.out()), 'it left');
        left.push(Number(/^\d+$/m.exec(tool.out())?.[0]));
      }
      const [gone = 0, kept = 0] = left;
      // A note that an agent made up: the mark of servers.
      const server = spawn(...startMarked('sleep', ['600']), { stdio: 'ignore', detached: true });
      children.push(server);
      await until(() => server.pid !== undefined && startedByAgent(server.pid) === true, 'it has the mark');
      writeFileSync(join(notes, '964207'), join(folder.path, 'tree'));
      await endTools(join(folder.path, 'tree'), [notes, join(folder.path, 'none')]);
      assert.deepEqual(
        [await isThere(gone), await isThere(kept), await isThere(server.pid ?? 0)],
        [false, true, true],
      );
      rmSync(join(notes, '964207'));
      assert.equal(readdirSync(notes).length, 1);
      await endLeft(own('no-nonce'), notes);
      assert.deepEqual([await isThere(kept), readdirSync(notes)], [false, []]);
    });

    it('are gone when that is said, however many there are', async () => {
      const started = [await shell(idle, { MARK: folder.path }), await shell(idle, { MARK: folder.path })];
      await endMarked('MARK', folder.path);
      for (const { id } of started) assert.equal(await isThere(id.pid), false);
    });

    it('are asked to end but for those of a name', async () => {
      const asked = await shell(idle, { MARK: folder.path });
      const kept = await shell(`echo ready; ${forGood}`, { MARK: folder.path });
      await until(
        () => readFileSync(`/proc/${String(asked.id.pid)}/comm`, 'utf8') === 'sleep\n',
        'it became what it is to be',
      );
      await askMarked('MARK', folder.path, 'sh');
      assert.equal(await asked.ended, 'SIGTERM');
      assert.ok(await isThere(kept.id.pid));
    });
  });

  it('count with the memory of it', async () => {
    const { id } = await shell('sleep 600 & echo ready; wait');
    const own = await residentBytes(id.pid);
    assert.ok(own > 100_000 && own < 100_000_000, String(own));
    assert.ok((await familyBytes(id.pid)) > own);
    assert.equal(await residentBytes(2 ** 22 + 1), 0);
  });
});

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it ended.
  }
}

async function marks(nonce: string): Promise<string> {
  const child = spawn('/bin/sh', [
    '-c',
    `grep -lz "^${nonceVariable}=${nonce}$" /proc/[0-9]*/environ 2>/dev/null; true`,
  ]);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  await once(child, 'close');
  return text;
}
