import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GitStarter } from '../../../src/adapters/git/start/gitStarter.ts';
import { type GitStart, runGit } from '../../../src/adapters/git/start/runGit.ts';
import { isAlive, identityOf } from '../../../src/adapters/system/processes.ts';
import { tempFolders } from '../../support/git/tempRepository.ts';
import { pidIn, until } from '../../support/until.ts';

const sources = join(import.meta.dirname, '../../../src/adapters/git/start');
const program = join(sources, 'gitHelper.ts');

/** A real helper process, and a program in the place of git that says what it was started with. */
describe('git: a helper that starts it', () => {
  const makeFolder = tempFolders();

  async function place() {
    const folder = await makeFolder();
    const binary = join(folder, 'git');
    const lines = [
      '[ -z "$WAIT" ] || { echo $$ > "$WAIT"; exec sleep 60; }',
      '[ -z "$HANG" ] || { sleep 20 >&2 & wait; }',
      'echo "$PPID"',
      'env | sort',
      'printf "%s|" "$@"',
      'cat',
    ];
    writeFileSync(binary, `#!/bin/sh\n${[...lines, 'echo problem >&2', 'exit 3'].join('\n')}\n`);
    chmodSync(binary, 0o755);
    const start: GitStart = {
      binary,
      cwd: folder,
      args: ['status', 'a b', '$HOME'],
      config: ['gc.auto=0'],
      env: { PATH: '/usr/bin:/bin', ONE: '1\n2' },
      input: 'typed\u0000in',
      bytes: true,
    };
    return { folder, start };
  }

  async function helped(
    start: GitStart,
    options?: { readonly idleMs: number },
  ): Promise<{ starter: GitStarter; helper: number }> {
    const starter = new GitStarter(program, options);
    for (let count = 0; count < 10; count++) await starter.run(start);
    return { starter, helper: await until(() => starter.helper, 'the helper is there') };
  }

  it('is ended when it says nothing, also if a program that it started keeps its output open', async () => {
    const { start } = await place();
    const began = performance.now();
    await assert.rejects(runGit({ ...start, env: { ...start.env, HANG: '1' }, silentMs: 100 }), /timeout/);
    assert.ok(performance.now() - began < 10_000);
  });

  it('is asked from the tenth git on, and starts it with exactly the same', async () => {
    const { start } = await place();
    const { starter, helper } = await helped(start);
    const plain = await new GitStarter(undefined).run(start);
    const own = await starter.run(start);
    const [ppid, ...rest] = own.stdout.split('\n');
    const [mainPid, ...plainRest] = plain.stdout.split('\n');
    assert.deepEqual([Number(mainPid), Number(ppid)], [process.pid, helper]);
    assert.deepEqual(rest, plainRest);
    assert.match(own.stdout, /-c\|gc\.auto=0\|status\|a b\|\$HOME\|typed\0in$/);
    assert.equal(Buffer.from(own.bytes ?? []).toString('utf8'), own.stdout);
    assert.deepEqual([own.code, own.stderr], [3, 'problem\n']);
    const missing = { ...start, binary: join(start.cwd, 'none') };
    assert.deepEqual(await starter.run(missing), await new GitStarter(undefined).run(missing));
    process.kill(helper, 'SIGKILL');
  });

  it('takes only what it does with it when it dies, and git is started here again', async () => {
    const { folder, start } = await place();
    const { starter, helper } = await helped(start);
    const file = join(folder, 'pid');
    const lost = starter.run({ ...start, env: { ...start.env, WAIT: file } });
    const pid = await until(() => pidIn(file), 'git runs');
    process.kill(helper, 'SIGKILL');
    await assert.rejects(lost, /the process that started it ended/);
    assert.equal(Number((await starter.run(start)).stdout.split('\n')[0]), process.pid);
    process.kill(pid, 'SIGKILL');
  });

  it('ends when nobody asks it any more, and comes back', async () => {
    const { start } = await place();
    const { starter, helper } = await helped(start, { idleMs: 50 });
    const before = await identityOf(helper);
    await until(async () => before !== undefined && !(await isAlive(before)), 'the helper ends');
    assert.equal(starter.helper, undefined);
    for (let count = 0; count < 10; count++) assert.equal((await starter.run(start)).code, 3);
  });

  it('is missed by nobody where it can not be started', async () => {
    const { folder, start } = await place();
    const starter = new GitStarter(join(folder, 'none.js'));
    for (let count = 0; count < 25; count++) assert.equal((await starter.run(start)).code, 3);
    assert.equal(starter.helper, undefined);
  });

  it('neither holds up the end of the process that asks it, nor outlives it', async () => {
    const { folder, start } = await place();
    const script = join(folder, 'script.mjs');
    const from = pathToFileURL(join(sources, 'gitStarter.ts')).href;
    writeFileSync(
      script,
      `import { GitStarter } from ${JSON.stringify(from)};
       const starter = new GitStarter(${JSON.stringify(program)});
       const start = ${JSON.stringify(start)};
       for (let count = 0; count < 10; count++) await starter.run(start);
       while (starter.helper === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
       await starter.run(start);
       console.log(starter.helper);
       if (process.argv[2] === 'stay') setInterval(() => undefined, 1_000);`,
    );
    for (const how of ['end', 'stay']) {
      const child = spawn(process.execPath, [script, how], { stdio: ['ignore', 'pipe', 'inherit'] });
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      const ended = new Promise((resolve) => child.once('exit', resolve));
      await until(() => text.includes('\n'), 'it names its helper');
      const helper = await identityOf(Number(text));
      if (how === 'stay') child.kill('SIGKILL');
      await ended;
      await until(
        async () => helper === undefined || !(await isAlive(helper)),
        `the helper ends with it (${how})`,
      );
    }
  });
});
