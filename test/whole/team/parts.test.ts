import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { npm } from '../../../.build/npm.mjs';
import { cliFiles, cliManifest, mostMegabytes } from '../../../.build/packed.mjs';
import { root } from '../../../.build/paths.mjs';
import { unattended } from '../../support/cliProcess.ts';
import { TeamBench } from '../../support/team/teamBench.ts';
import { tempFolder } from '../../support/tempFolder.ts';
import { until } from '../../support/until.ts';

/** How bundles name what they load of their folder. */
const neighbour = /["'`]\.\/([\w-]+(?:\.c?js|\.json|\/))["'`]/g;

/** Each test continues where the one before stopped. */
describe("the command line's package", function () {
  this.timeout(300_000);
  this.bail(true);
  const folder = tempFolder('team-parts');
  const config = join(folder.path, 'config');
  const parts = join(config, 'beadsmith', 'team', 'parts');
  const children: ChildProcess[] = [];
  const Manifest = z.looseObject({ name: z.string(), version: z.string() });
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const { name, version } = cliManifest(manifest);
  const tarball = join(folder.path, `${name}-${version}.tgz`);
  const prefix = join(folder.path, 'usr');
  const installed = join(prefix, 'lib', 'node_modules', name);
  const command = join(prefix, 'bin', 'beadsmith');
  const ofExtension = join(folder.path, '.cache', 'package', 'extension', 'dist', 'cli.js');
  /** The program asks for Node there, and the machine's may be older. */
  const path = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`;

  before(async () => {
    const vsix = join(folder.path, 'beadsmith.vsix');
    await promisify(execFile)(process.execPath, [join(root, '.build', 'package.mjs'), '--out', vsix], {
      cwd: root,
    });
    const nothing = ['--offline', '--cache', join(folder.path, 'npm')];
    await npm(['install', '--global', '--prefix', prefix, ...nothing, tarball], folder.path);
  });
  after(async () => {
    for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
    await until(
      () => children.every((child) => child.exitCode !== null || child.signalCode !== null),
      'all end',
    );
    folder.remove();
  });

  const beadsmith = (...words: readonly string[]) => start(command, words);

  function start(program: string, words: readonly string[]) {
    const child = spawn(program, [...words, '--json'], {
      cwd: folder.path,
      env: {
        ...process.env,
        ...unattended(),
        PATH: path,
        XDG_CONFIG_HOME: config,
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

  it('has all that the command line loads, and nothing else, as of an editor', () => {
    const namesIn = (folder: string): string[] =>
      readdirSync(folder, { withFileTypes: true }).map((entry) =>
        entry.isDirectory() ? `${entry.name}/` : entry.name,
      );
    const dist = join(installed, 'dist');
    const ours = namesIn(dist).filter((file) => !file.endsWith('.LEGAL.txt'));
    const loaded = ours
      .filter((file) => /\.c?js$/.test(file))
      .flatMap((file) => [...readFileSync(join(dist, file), 'utf8').matchAll(neighbour)])
      .map(([, file = '']) => file);
    assert.deepEqual(ours.sort(), [...new Set([...loaded, 'cli.js'])].sort());
    assert.ok(ours.includes('serve.js') && namesIn(join(dist, 'prompts')).includes('coding.md'));
    const beside = new Set(['package.json', ...cliFiles.map((file) => file.replace(/\/.*/, '/'))]);
    assert.deepEqual(namesIn(installed).sort(), ['dist/', ...beside].sort());
    const { size } = statSync(tarball);
    assert.ok(size <= mostMegabytes.cli * 1_048_576, `${String(size)} bytes`);
  });

  it('is installed without a registry, and says its version and its commands', async () => {
    const [asked, help] = [beadsmith('--version'), beadsmith('--help')];
    assert.deepEqual([await asked.ended, await help.ended], [0, 0], `${asked.said()}${help.said()}`);
    assert.ok(asked.said().includes(`"version":"${version}"`), asked.said());
    for (const word of ['runner', 'serve', 'fleet', 'team install']) assert.ok(help.said().includes(word));
  });

  it('is what the command line of the extension asks for to serve', async () => {
    const serve = start(process.execPath, [ofExtension, 'serve', '--team', 'postgres://127.0.0.1:1/none']);
    assert.equal(await serve.ended, 1);
    assert.match(serve.said(), /"code":"TEAM_PARTS"/);
    assert.ok(serve.said().includes(`npm install --global ${name}-${version}.tgz`), serve.said());
  });

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

  it('starts PostgreSQL and the page from there, and a runner that drives a ticket', async () => {
    const up = beadsmith('team', 'up');
    const url = await ofLine(up, /"url":"(postgres:[^"]+)"/);
    const serve = beadsmith('serve', '--team', url, '--port', '0');
    const page = await ofLine(serve, /"url":"(http:[^"]+)"/);
    assert.match(await (await fetch(page)).text(), /<title>Beadsmith<\/title>/);
    for (const file of ['main.js', 'main.css']) {
      const answer = await fetch(`${page}/${file}`);
      assert.ok(answer.ok && (await answer.text()).length > 1_000, file);
    }
    const bench = await TeamBench.open(url);
    try {
      bench.program = join(installed, 'dist', 'cli.js');
      bench.env = { XDG_CONFIG_HOME: config };
      await bench.run('one');
      await bench.driveTo(await bench.start('Greet by name'), 'COMPLETED');
      const fleet = beadsmith('fleet', '--team', url);
      assert.equal(await fleet.ended, 0, fleet.said());
      assert.match(fleet.said(), /"type":"fleet".*"silent":false/);
    } catch (error) {
      console.error(bench.said());
      throw error;
    } finally {
      await bench.close();
    }
    for (const { child, ended } of [serve, up]) {
      child.kill('SIGTERM');
      assert.equal(await ended, 0);
    }
  });
});
