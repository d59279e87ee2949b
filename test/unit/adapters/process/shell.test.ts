import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../../../src/adapters/clock/systemClock.ts';
import { Shell } from '../../../../src/adapters/process/shell.ts';
import { passed } from '../../../../src/domain/core/evidence.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';
import { until } from '../../../support/until.ts';

describe('the shell', () => {
  const makeFolder = tempFolders();
  const environment = { PATH: process.env['PATH'], HOME: '/home/ada' };
  const shell = new Shell({ clock: systemClock, environment, graceMs: 200 });
  const run = (command: string, cwd = '/', timeoutMs = 5_000) => shell.run(command, { cwd, timeoutMs });

  // A killed process exists until its parent has reaped it.
  const isGone = (file: string) =>
    `i=0; while kill -0 $(cat ${file}) 2>/dev/null; do i=$((i+1)); [ $i -lt 100 ] || exit 1; sleep 0.02; done`;

  it('runs a text as sh does, where it was told', async () => {
    const folder = await makeFolder();
    const evidence = await run('pwd; echo "a  b" | tr a c; false || exit 3', folder);
    assert.deepEqual(
      [evidence.exitCode, evidence.signal, evidence.timedOut, passed(evidence)],
      [3, null, false, false],
    );
    assert.equal(evidence.head, `${folder}\nc  b\n`);
    assert.deepEqual([evidence.tail, evidence.outputBytes, evidence.cwd], ['', evidence.head.length, folder]);
    assert.ok(passed(await run('true')));
  });

  it('keeps the order of both streams, and asks nobody', async () => {
    const evidence = await run('echo one; sleep 0.05; echo two >&2; sleep 0.05; read answer || echo nobody');
    assert.equal(evidence.head, 'one\ntwo\nnobody\n');
  });

  it('passes no secret and nothing of our own process on', async () => {
    const secret = new Shell({
      clock: systemClock,
      environment: {
        ...environment,
        OPENAI_API_KEY: 'sk-1',
        GITHUB_TOKEN: 'gh-1',
        OPENCODE_SERVER_PASSWORD: 'p',
        BEADSMITH_COUNTS: 'c',
        AWS_SECRET_ACCESS_KEY: 's',
        NODE_OPTIONS: '--inspect',
        NODE_TEST_CONTEXT: 'child',
        npm_config__authToken: 'n',
        npm_config_userconfig: '/x',
        GIT_DIR: '/x',
        LC_TIME: 'C',
        LANG: 'de_DE.UTF-8',
      },
    });
    const { head } = await secret.run('env', { cwd: '/', timeoutMs: 5_000 });
    const names = head.split('\n').map((line) => line.split('=')[0] ?? '');
    const expected = [
      'CI',
      'DEBIAN_FRONTEND',
      'GIT_PAGER',
      'GIT_TERMINAL_PROMPT',
      'HOME',
      'LANG',
      'LC_TIME',
      'NO_COLOR',
      'PAGER',
      'PATH',
    ];
    // The shell adds these, and Node the last one when coverage is measured.
    const added = ['BEADSMITH_COMMAND', '', '_', 'PWD', 'SHLVL', 'OLDPWD', 'NODE_V8_COVERAGE'];
    assert.deepEqual(names.filter((name) => !added.includes(name)).sort(), expected);
    assert.match(head, /^CI=1$/m);
  });

  it('runs through the wrapper', async () => {
    const folder = await makeFolder();
    const wrapper = join(folder, 'run');
    await writeFile(wrapper, '#!/bin/sh\nexport TOOL=ready\nexec "$@"\n');
    await chmod(wrapper, 0o755);
    const evidence = await shell.run('echo "$TOOL in $(pwd)"', { cwd: folder, wrapper, timeoutMs: 5_000 });
    assert.equal(evidence.head, `ready in ${folder}\n`);
  });

  it('says what kept a command from being started', async () => {
    const folder = await makeFolder();
    const file = join(folder, 'file');
    await writeFile(file, '');
    for (const options of [
      { cwd: join(folder, 'missing') },
      { cwd: file },
      { cwd: 'relative' },
      { cwd: folder, wrapper: join(folder, 'x') },
    ]) {
      const evidence = await shell.run('echo ran', { ...options, timeoutMs: 1_000 });
      assert.deepEqual([evidence.exitCode, passed(evidence)], [null, false]);
      assert.match(evidence.head, /is no folder|is missing/);
    }
    // A wrapper that isn't executable.
    const evidence = await shell.run('echo ran', { cwd: folder, wrapper: file, timeoutMs: 1_000 });
    assert.match(evidence.head, /could not be started/);
    assert.match((await shell.run('echo \0', { cwd: folder, timeoutMs: 1_000 })).head, /NUL/);
  });

  it('ends a command and all it started when time is up', async () => {
    const folder = await makeFolder();
    const started = Date.now();
    const command = 'sh -c "sleep 60 & echo $! > inner; wait" & echo waiting; wait';
    const evidence = await run(command, folder, 300);
    assert.deepEqual(
      [evidence.timedOut, evidence.exitCode, evidence.signal, passed(evidence)],
      [true, null, 'SIGTERM', false],
    );
    assert.equal(evidence.head, 'waiting\nEnded by Beadsmith after 0.3 s.\n');
    assert.ok(Date.now() - started < 3_000);
    assert.equal((await run(isGone('inner'), folder)).exitCode, 0);
  });

  it('takes no time from a command while the machine sleeps', async () => {
    let asleep = 0;
    const clock = {
      monotonic: () => performance.now() + asleep,
      sleep: (ms: number, signal?: AbortSignal) => {
        asleep += 8 * 3_600_000;
        return systemClock.sleep(ms, signal);
      },
    };
    const evidence = await new Shell({ environment, clock }).run('sleep 0.2; echo done', {
      cwd: '/',
      timeoutMs: 60_000,
    });
    assert.deepEqual([evidence.timedOut, evidence.head], [false, 'done\n']);
  });

  it('kills what does not listen', async () => {
    const evidence = await run('trap "" TERM; echo deaf; while :; do sleep 0.05; done', '/', 150);
    assert.deepEqual([evidence.timedOut, evidence.signal], [true, 'SIGKILL']);
  });

  it('stops when asked, and a stopped command never passes', async () => {
    const folder = await makeFolder();
    const abort = new AbortController();
    const command = 'trap "exit 0" TERM; touch ready; while :; do sleep 0.02; done';
    const running = shell.run(command, { cwd: folder, timeoutMs: 9_000, signal: abort.signal });
    await until(() => existsSync(join(folder, 'ready')), 'the command runs');
    abort.abort();
    const evidence = await running;
    assert.deepEqual([evidence.timedOut, evidence.exitCode, passed(evidence)], [false, null, false]);
    assert.match(evidence.head, /Stopped by Beadsmith/);
    const late = await shell.run('echo ran', { cwd: '/', timeoutMs: 1_000, signal: abort.signal });
    assert.deepEqual([late.exitCode, late.head], [null, 'It was stopped before it was started.\n']);
  });

  it('does not wait for what a command leaves in the background', async () => {
    const folder = await makeFolder();
    const evidence = await run('sleep 60 & echo $! > left; echo done', folder);
    assert.deepEqual([evidence.exitCode, evidence.head], [0, 'done\n']);
    assert.equal((await run(isGone('left'), folder)).exitCode, 0);
    // Not even if it left the group, nor does it live on.
    const started = Date.now();
    assert.equal(
      (
        await run(
          'setsid sh -c "echo \\$\\$ > away; exec sleep 60" & while ! test -s away; do sleep 0.02; done',
          folder,
        )
      ).exitCode,
      0,
    );
    assert.ok(Date.now() - started < 5_000);
    assert.equal((await run(isGone('away'), folder)).exitCode, 0);
  });

  it('ends what left group, parent and environment', async function () {
    if (process.platform !== 'linux')
      return void (console.log('skipped: that is found on Linux only'), this.skip());
    const folder = await makeFolder();
    const leave = `env -i setsid sh -c 'setsid sh -c "echo \\$\\$ > away; exec sleep 60" &' & while ! test -s away; do sleep 0.02; done`;
    assert.equal((await run(leave, folder)).exitCode, 0);
    assert.equal((await run(isGone('away'), folder)).exitCode, 0);
  });

  it('ends what left the group when time is up', async () => {
    const folder = await makeFolder();
    const evidence = await run('setsid sh -c "echo \\$\\$ > away; exec sleep 60" & sleep 60', folder, 500);
    assert.equal(evidence.timedOut, true);
    assert.equal((await run(isGone('away'), folder)).exitCode, 0);
  });

  it('passes the variables that are allowed, and shows neither them nor private files', async () => {
    const folder = await makeFolder();
    await writeFile(join(folder, '.env'), 'KEY=value-of-the-file\n');
    const giving = new Shell({
      clock: systemClock,
      environment: { ...environment, TOKEN: 'value-of-ada', LD_PRELOAD: 'x', OTHER: 'other' },
    });
    const allowed = { variables: ['TOKEN', 'LD_PRELOAD', 'MISSING'], files: ['.env', 'missing'] };
    const { head } = await giving.run('echo "$TOKEN|$OTHER|$LD_PRELOAD|"; cat .env', {
      cwd: folder,
      timeoutMs: 5_000,
      allowed,
    });
    assert.equal(head, '<secret>|||\nKEY=<secret>\n');
  });

  it('keeps the first and last 32 KiB, and counts all', async () => {
    const evidence = await run(
      `node -e "process.stdout.write('a'.repeat(40000) + 'é'.repeat(5000000) + 'z'.repeat(10))"`,
    );
    assert.equal(evidence.outputBytes, 10_040_010);
    assert.equal(evidence.head, 'a'.repeat(32_768));
    assert.equal(Buffer.byteLength(evidence.tail), 32_768);
    assert.ok(evidence.tail.startsWith('éé') && evidence.tail.endsWith('éz'.padEnd(11, 'z')));
    const short = await run(`node -e "process.stdout.write('a'.repeat(32766) + 'b'.repeat(5))"`);
    assert.deepEqual([short.head.slice(-3), short.tail], ['abb', 'bbb']);
  });

  it('reads the tests in an output whose middle is not kept', async () => {
    const noise = `'# noise\\n'.repeat(20_000)`;
    const { tests, excerpt = '' } = await run(
      `node -e "console.log('TAP version 13\\n' + ${noise} + 'not ok 1 - a\\n' + ${noise} + 'ok 2 - b\\n1..2')"`,
    );
    assert.deepEqual(tests, { tool: 'tap', failed: ['a'], passed: ['b'], ran: 2, skipped: 0 });
    assert.match(excerpt, /not ok 1 - a/);
    assert.equal(
      (await run(`echo 'TAP version 13'`)).tests,
      undefined,
      'a short output is read where it is needed',
    );
  });
});
