import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../../../src/adapters/clock/systemClock.ts';
import { Shell } from '../../../src/adapters/process/shell.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import { executionWorlds, report } from './executionWorld.ts';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { cacheRoot } from '../../../src/adapters/system/cacheRoot.ts';

/** `wrong` is what the coder writes first. The test comes with the work. */
export interface Example {
  readonly probe: readonly [string, ...string[]];
  /** Put before the search path. */
  readonly npm?: readonly [name: string, version: string];
  readonly files: Readonly<Record<string, string>>;
  readonly work: Readonly<Record<string, string>>;
  readonly source: string;
  readonly right: string;
  readonly wrong: string;
  readonly command: string;
  readonly bootstrap?: readonly string[];
  readonly projectTest?: string;
}

/** Called inside `describe`. */
export function languageTests(examples: Readonly<Record<string, Example>>): void {
  const newWorld = executionWorlds();

  for (const [language, example] of Object.entries(examples)) {
    const { probe, npm, files, work, source, right, wrong, command, bootstrap, projectTest } = example;
    const [program, ...args] = probe;
    if (spawnSync(program, args, { stdio: 'ignore' }).status !== 0) {
      it(`is not tried in ${language}, since this machine has no ${probe.join(' ')}`, () => {
        assert.notEqual(spawnSync(program, args, { stdio: 'ignore' }).status, 0);
      });
      continue;
    }
    it(`is sent back while it is wrong, and committed when it is right: ${language}`, async () => {
      const tools = npm === undefined ? undefined : await npmTool(...npm);
      const PATH = [tools, process.env['PATH']].filter((part) => part !== undefined).join(':');
      const world = await newWorld(files);
      world.runner = new Shell({ clock: systemClock, environment: { ...process.env, PATH } });
      const bead = { testCommands: [command], targetFiles: [source, ...Object.keys(work)] };
      await world.begin('CODING', { beads: [bead], limits: { maxIterations: 0, maxContinuations: 1 } });
      await world.prepared({
        bootstrap_commands: bootstrap ?? [],
        project_commands: { test_full: projectTest === undefined ? [] : [projectTest] },
      });
      const write = (path: string, text: string): void => {
        mkdirSync(dirname(join(world.worktree, path)), { recursive: true });
        world.write(path, text);
      };
      world.answers({
        coding: () => {
          for (const [path, text] of Object.entries(work)) write(path, text);
          write(source, wrong);
          return report('greet');
        },
        'coding-continue': () => {
          write(source, right);
          return report('greet');
        },
      });
      await world.drive({ coding });
      assert.deepEqual(world.agent.tasks, ['coding', 'coding-continue']);
      assert.equal((await world.bead('greet')).status, 'done', JSON.stringify((await world.read()).error));
      const committed = await world.repository.git('diff', '--name-only', 'main', 'ticket/TST-1');
      assert.deepEqual(committed.split('\n').sort(), [source, ...Object.keys(work)].sort());
    });
  }
}

/** Installed once into the user's cache. Answers the folder of its programs. */
async function npmTool(name: string, version: string): Promise<string> {
  const folder = join(cacheRoot(process.env), 'test-tools', `${name.replace('/', '-')}-${version}`);
  const programs = join(folder, 'node_modules', '.bin');
  if (existsSync(programs)) return programs;
  await mkdir(dirname(folder), { recursive: true });
  const made = await mkdtemp(`${folder}-`);
  await writeFile(join(made, 'package.json'), '{ "private": true }\n');
  const args = [
    'install',
    '--no-save',
    '--no-package-lock',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    `${name}@${version}`,
  ];
  await promisify(execFile)('npm', args, { cwd: made });
  // Of two at once the second yields.
  await rename(made, folder).catch(() => rm(made, { recursive: true, force: true }));
  return programs;
}
