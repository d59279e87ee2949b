import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../../src/adapters/clock/systemClock.ts';
import { Clones } from '../../../src/adapters/git/mirror/clones.ts';
import { GitAdapter } from '../../../src/adapters/git/gitAdapter.ts';
import { continueHere } from '../../../src/app/runner/continueHere.ts';
import { PushedCommits } from '../../../src/app/tickets/pushedCommits.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import { ExecutionWorld, report, sampleFiles } from '../../support/engine/executionWorld.ts';
import {
  repositoryAt,
  type TempRepository,
  tempFolders,
  tempRepositories,
} from '../../support/git/tempRepository.ts';

describe('A ticket in another clone', function () {
  this.timeout(60_000);
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();
  const worlds: ExecutionWorld[] = [];
  let author: TempRepository;
  let home: string;
  let url: string;

  beforeEach(async () => {
    author = await makeRepository({ files: sampleFiles });
    url = await author.addOrigin();
    home = await makeFolder();
  });
  afterEach(async () => {
    for (const world of worlds.splice(0)) await world.remove();
  });

  /** A machine with the database of `before`, or the first one. Its commits are pushed. */
  async function machine(name: string, before?: ExecutionWorld): Promise<ExecutionWorld> {
    const clones = new Clones({ folder: join(home, name), environment: process.env });
    const folder = await clones.open({ name: 'acme/sample', url });
    await clones.close();
    const world = new ExecutionWorld(repositoryAt(folder), { store: join(home, 'database') });
    worlds.push(world);
    if (before) world.continues(before.names);
    await world.repository.git('config', 'user.name', 'Ada Tester');
    await world.repository.git('config', 'user.email', 'ada@example.com');
    await pushing(world);
    return world;
  }

  async function pushing(world: ExecutionWorld): Promise<void> {
    const refs = await new GitAdapter({ folder: world.repository.root }).ticketRefs();
    const clock = { ...systemClock, sleep: () => Promise.resolve() };
    const places = { of: () => Promise.resolve({ now: '', wanted: '' }), settle: () => Promise.resolve() };
    const parts = { ...world.ports, places, refs: () => Promise.resolve(refs), clock };
    world.store = new PushedCommits(parts).store;
  }

  async function takeOver(world: ExecutionWorld): Promise<void> {
    const refs = await new GitAdapter({ folder: world.repository.root }).ticketRefs();
    await continueHere({ ports: world.ports, refs, signal: new AbortController().signal }, world.ticket);
    world.worktree = (await world.read()).worktree ?? '';
  }

  const beads = [
    { id: 'first', testCommands: ['test -f 1.txt'] },
    { id: 'second', testCommands: ['test -f 2.txt'] },
    { id: 'third', testCommands: ['test -f 3.txt'] },
  ];
  const done = { first: '1.txt', second: '2.txt', third: '3.txt' };

  /** Does the beads; the machine is lost while it works on `until`. */
  function works(world: ExecutionWorld, until?: keyof typeof done): string[] {
    const asked: string[] = [];
    world.answers({
      coding: async () => {
        const open = (await world.store.beads(world.ticket)).find(({ status }) => status === 'in_progress');
        const bead = open?.id as keyof typeof done;
        asked.push(bead);
        world.write(done[bead], 'done\n');
        if (bead === until) world.crash();
        return report(bead);
      },
    });
    return asked;
  }

  it('has what its last machine pushed, its dependencies again, and the open bead at its start', async () => {
    const first = await machine('first');
    await first.begin('CODING', { beads });
    await first.prepared({ bootstrap_commands: ['echo installed >> deps.ignored'] });
    assert.deepEqual(works(first, 'second'), []);
    await first.driveUntilKilled({ coding });

    const second = await machine('second', first);
    await rm(join(home, 'first'), { recursive: true });
    await takeOver(second);
    assert.match(second.worktree, /\/second\/.*\.worktrees\/TST-1$/);
    assert.equal(second.readWorktree('1.txt'), 'done\n');
    assert.ok(!existsSync(join(second.worktree, '2.txt')), 'work that nobody accepted');
    assert.equal(second.readWorktree('deps.ignored'), 'installed\n');
    const asked = works(second);
    await second.drive({ coding });
    await second.isIn('RUNNING_FINAL_TEST');
    assert.deepEqual(asked, ['second', 'third']);
    assert.equal((await second.subjects()).length, 3);
    assert.equal((await second.bead('second')).iteration, 2);
  });

  it('comes back to a machine that was away, which keeps what it had', async () => {
    const first = await machine('first');
    await first.begin('CODING', { beads });
    works(first, 'second');
    await first.driveUntilKilled({ coding });

    const second = await machine('second', first);
    await takeOver(second);
    works(second, 'third');
    await second.driveUntilKilled({ coding });
    const tip = await second.git.resolve('refs/heads/ticket/TST-1');

    const back = await machine('first', second);
    await takeOver(back);
    assert.equal(back.worktree, first.worktree);
    assert.deepEqual(await back.git.status(back.worktree), []);
    assert.equal(await back.git.head(back.worktree), tip);
    assert.equal(
      await back.repository.git('show', 'refs/beadsmith/TST-1/worktree/left:2.txt'),
      'done',
      'what it had and nobody accepted',
    );
    const asked = works(back);
    await back.drive({ coding });
    await back.isIn('RUNNING_FINAL_TEST');
    assert.deepEqual(asked, ['third']);
  });

  it('is left as it is where it was last', async () => {
    const first = await machine('first');
    await first.begin('CODING', { beads });
    works(first, 'second');
    await first.driveUntilKilled({ coding });
    const again = await machine('first', first);
    const runs = await again.store.runs(again.ticket);
    await takeOver(again);
    assert.equal(again.readWorktree('2.txt'), 'done\n');
    assert.deepEqual(await again.store.runs(again.ticket), runs);
  });

  it('loses nothing while its remote refuses it', async () => {
    const world = await machine('first');
    await world.begin('CODING', { beads });
    const asked = works(world);
    const hook = join(url, 'hooks', 'pre-receive');
    await writeFile(hook, '#!/bin/sh\necho "not on Sundays" >&2\nexit 1\n');
    await chmod(hook, 0o755);
    await assert.rejects(world.drive({ coding }), /not on Sundays/);
    assert.equal((await world.read()).status, 'CODING');
    assert.equal(await author.git('ls-remote', 'origin', 'refs/beadsmith/*'), '');
    await rm(hook);
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.deepEqual(asked, ['first', 'second', 'third']);
  });

  it('is blocked with the words of a remote that refuses the machine which takes over', async () => {
    const first = await machine('first');
    await first.begin('CODING', { beads });
    works(first, 'first');
    await first.driveUntilKilled({ coding });
    const second = await machine('second', first);
    const hook = join(url, 'hooks', 'pre-receive');
    await writeFile(hook, '#!/bin/sh\necho "not on Sundays" >&2\nexit 1\n');
    await chmod(hook, 0o755);
    await assert.rejects(takeOver(second), /not on Sundays/);
    const { status, error } = await second.read();
    assert.deepEqual([status, error?.code], ['BLOCKED_ERROR', 'PUSH_REFUSED']);
  });

  it("waits for a person where its dependencies can't be installed", async () => {
    const first = await machine('first');
    await first.begin('CODING', { beads });
    await first.prepared({ bootstrap_commands: ['test -d /nowhere'] });
    works(first, 'first');
    await first.driveUntilKilled({ coding });
    const second = await machine('second', first);
    await takeOver(second);
    const { status, error } = await second.read();
    assert.deepEqual([status, error?.code], ['BLOCKED_ERROR', 'SETUP_FAILED']);
  });
});
