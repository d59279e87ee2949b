import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../.build/paths.mjs';
import { unattended } from '../../support/cliProcess.ts';
import { tempFolder } from '../../support/tempFolder.ts';
import { until } from '../../support/until.ts';

/** Each test continues where the one before stopped. */
describe('the program without the packages of the sources', function () {
  this.timeout(300_000);
  this.bail(true);
  const folder = tempFolder('team-parts');
  const parts = join(folder.path, 'config', 'beadsmith', 'team', 'parts');
  const children: ChildProcess[] = [];

  before(() => {
    const dist = join(root, 'dist');
    const isNeeded = (path: string): boolean => !/\.map$|[\\/](webview|served|test)$/.test(path);
    cpSync(dist, join(folder.path, 'dist'), { recursive: true, filter: isNeeded });
    cpSync(join(root, 'media'), join(folder.path, 'media'), { recursive: true });
  });
  after(async () => {
    for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
    await until(
      () => children.every((child) => child.exitCode !== null || child.signalCode !== null),
      'all end',
    );
    folder.remove();
  });

  function beadsmith(...words: readonly string[]) {
    const child = spawn(process.execPath, [join(folder.path, 'dist', 'cli.js'), ...words, '--json'], {
      cwd: folder.path,
      env: {
        ...process.env,
        ...unattended(),
        XDG_CONFIG_HOME: join(folder.path, 'config'),
        // What set-up has just installed is there.
        npm_config_prefer_offline: 'true',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    return { child, ended, said: () => said };
  }

  async function ofLine(program: ReturnType<typeof beadsmith>, pattern: RegExp): Promise<string> {
    await until(
      () => pattern.test(program.said()) || program.child.exitCode !== null,
      `the program says ${String(pattern)}`,
      100_000,
    );
    assert.match(program.said(), pattern);
    return pattern.exec(program.said())?.[1] ?? '';
  }

  it('says how to get what team up needs', async () => {
    const up = beadsmith('team', 'up');
    assert.equal(await up.ended, 1);
    assert.match(up.said(), /"code":"TEAM_PARTS"/);
    assert.match(up.said(), /beadsmith team install/);
  });

  it('repeats an install that was killed, and keeps the parts of the version before, and no older ones', async () => {
    mkdirSync(join(parts, 'begun-killed', 'node_modules'), { recursive: true });
    for (const [at, name] of ['0a', '0b'].entries()) {
      mkdirSync(join(parts, name));
      utimesSync(join(parts, name), 1_000 + at, 1_000 + at);
    }
    const install = beadsmith('team', 'install');
    assert.equal(await install.ended, 0, install.said());
    const names = readdirSync(parts).sort();
    assert.deepEqual([names.length, names[0]], [2, '0b'], names.join(' '));
    const again = beadsmith('team', 'install');
    assert.equal(await again.ended, 0);
    assert.match(again.said(), /installed already/);
  });

  it('starts PostgreSQL and a runner from there', async () => {
    const up = beadsmith('team', 'up');
    const url = await ofLine(up, /"url":"(postgres:[^"]+)"/);
    const runner = beadsmith('runner', '--team', url, '--folder', join(folder.path, 'clones'));
    await ofLine(runner, /Runner \S+ is ready/);
    for (const { child, ended } of [runner, up]) {
      child.kill('SIGTERM');
      assert.equal(await ended, 0);
    }
  });
});
