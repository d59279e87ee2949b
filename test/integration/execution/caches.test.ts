import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { systemClock } from '../../../src/adapters/clock/systemClock.ts';
import { WorktreeFiles } from '../../../src/adapters/files/ticketFiles.ts';
import { Shell } from '../../../src/adapters/process/shell.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import { finalTest } from '../../../src/phases/finalTest/finalTest.ts';
import { prepareEnvironment } from '../../../src/phases/setup/prepareEnvironment.ts';
import {
  type ExecutionWorld,
  executionWorlds,
  oneTry,
  report,
  testSetupPlan,
} from '../../support/engine/executionWorld.ts';
import { tempFolders } from '../../support/git/tempRepository.ts';
import { LocalRegistry } from '../../support/localRegistry.ts';
import { reservationIn } from '../../support/fakes/fakeWorkplace.ts';

const install = 'npm ci --no-audit --no-fund';
const bootstrap = `${install} && pwd >> "$TMPDIR/../bootstraps"`;

describe('the package cache of a ticket', () => {
  const newWorld = executionWorlds();
  const newFolder = tempFolders();

  /** The dependency was installed once, in the worktree; the registry can't be reached any more. */
  async function prepared(
    variables: (folder: string) => Record<string, string>,
    beads: Parameters<ExecutionWorld['begin']>[1],
  ) {
    const folder = await newFolder();
    const registry = await LocalRegistry.start(folder);
    const world = await newWorld(registry.project());
    // npm's tests have its settings as variables.
    const own = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name)),
    );
    const environment = { ...own, HOME: join(folder, 'home'), ...variables(folder) };
    world.runner = new Shell({ clock: systemClock, environment });
    Object.assign(world, { files: new WorktreeFiles() });
    world.workplace.reservation = reservationIn(folder);
    await world.begin('PREPARING_EXECUTION_ENV', { limits: oneTry, ...beads });
    await world.put(
      'execution_setup_plan',
      stringify(testSetupPlan([install])),
      'GENERATING_EXECUTION_SETUP_PLAN',
    );
    const checks = { workspace: 'pass', tooling: 'pass', temp_scope: 'pass', policy: 'pass' };
    const ready = {
      status: 'ready',
      checks,
      bootstrap_commands: [bootstrap],
      tooling_probe_commands: [`node -e "require('left')"`],
    };
    world.answers({
      setup: async () => {
        await promisify(execFile)('/bin/sh', ['-c', install], { cwd: world.worktree, env: environment });
        await registry.stop();
        return `<EXECUTION_SETUP_RESULT>\n${stringify(ready)}</EXECUTION_SETUP_RESULT>`;
      },
    });
    await world.drive({ prepareEnvironment }, 'CODING');
    assert.ok(registry.requests.includes('/left/-/left-1.0.0.tgz'));
    const bootstraps = (): string[] => readFileSync(join(folder, 'bootstraps'), 'utf8').trim().split('\n');
    return { world, folder, bootstraps };
  }

  for (const fate of ['deleted', 'moved away'] as const) {
    it(`fills a fresh checkout, the clean room and a worktree that was ${fate}, with the registry out of reach, and is in no commit`, async () => {
      const check = `node -e "require('assert').equal(require('fs').readFileSync('greet.txt', 'utf8'), require('left'))"`;
      const { world, folder, bootstraps } = await prepared(() => ({}), {
        beads: [{ testCommands: [check] }],
      });
      const moved = join(folder, 'moved');
      let isLost = false;
      world.answers({
        coding: async () => {
          assert.ok(existsSync(join(world.worktree, 'node_modules/left/left.js')));
          if (isLost) world.write('greet.txt', 'left');
          else if (fate === 'deleted') await rm(world.worktree, { recursive: true });
          else await rename(world.worktree, moved);
          isLost = true;
          return report('greet');
        },
        'final-test': `<FINAL_TEST_COMMANDS>\nsummary: Greets.\ncommands: [${JSON.stringify(check)}]\n</FINAL_TEST_COMMANDS>`,
      });
      await world.drive({ coding });
      assert.equal((await world.read()).error?.code, 'WORKTREE_LOST');
      await world.post('retry', { note: '' });
      await world.drive({ coding, finalTest }, 'INTEGRATING_CHANGES');
      const places = new Set(bootstraps());
      assert.equal(places.size, 2, 'the worktree and the scratch worktree');
      assert.ok(places.has(world.worktree));
      assert.equal(existsSync(join(moved, 'package.json')), fate === 'moved away');
      const committed = await world.repository.git('ls-tree', '-r', '--name-only', 'ticket/TST-1');
      const expected = [
        '.gitignore',
        '.npmrc',
        'README.md',
        'greet.txt',
        'package-lock.json',
        'package.json',
      ];
      assert.deepEqual(committed.split('\n').sort(), expected);
    });
  }

  it('may be where the person keeps it', async () => {
    const { world, folder } = await prepared((place) => ({ npm_config_cache: join(place, 'my cache') }), {
      beads: [{}],
    });
    world.answersGreeting();
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done', JSON.stringify((await world.read()).error));
    assert.ok(existsSync(join(folder, 'my cache/_cacache')));
    assert.equal(existsSync(join(folder, 'home/.npm/_cacache')), false);
  });

  it('is asked again after a change of what the bootstrap runs', async () => {
    const world = await newWorld({
      '.gitignore': 'tools/\n',
      'scripts/prepare.sh': 'mkdir -p tools && echo one > tools/version\n',
    });
    world.runner = new Shell({ clock: systemClock, environment: process.env });
    const testCommands = ['test "$(cat tools/version)" = two'];
    await world.begin('CODING', { beads: [{ testCommands }], limits: oneTry });
    await world.prepared({ bootstrap_commands: ['sh ./scripts/prepare.sh --quiet'] });
    world.answers({
      coding: world.writing({ 'scripts/prepare.sh': 'mkdir -p tools && echo two > tools/version\n' }),
    });
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done', JSON.stringify((await world.read()).error));
  });

  it('is asked again only after a change of what is to be installed', async () => {
    const beads = ['first', 'locked', 'last'].map((id) => ({
      id,
      testCommands: [`grep -q ${id} ${id}.txt`],
      targetFiles: [`${id}.txt`],
    }));
    const { world, bootstraps } = await prepared(() => ({}), { beads });
    const counts: number[] = [bootstraps().length];
    world.answers({
      coding: ({ whole }) => {
        counts.push(bootstraps().length);
        const id = beads.findLast((bead) => whole.includes(`grep -q ${bead.id} `))?.id ?? '';
        world.write(`${id}.txt`, `${id}\n`);
        const lock = world.readWorktree('package-lock.json');
        if (id === 'locked')
          world.write('package-lock.json', lock.replace('"requires": true', '"requires":  true'));
        return report(id);
      },
    });
    await world.drive({ coding });
    const { status, error } = await world.read();
    assert.equal(status, 'RUNNING_FINAL_TEST', JSON.stringify(error));
    counts.push(bootstraps().length);
    const more = counts.slice(1).map((count, index) => count - (counts[index] ?? 0));
    // The second's lock file differs from the base's, where its test has to fail, too.
    assert.deepEqual([more[0], more[1]], [0, 0]);
    assert.ok((more[2] ?? 0) >= 1);
    assert.equal(more[3], 0);
  });
});
