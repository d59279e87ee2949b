import assert from 'node:assert/strict';
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Clones } from '../../../src/adapters/git/mirror/clones.ts';
import { openStore } from '../../../src/adapters/store/openStore.ts';
import { locations } from '../../../src/app/locations.ts';
import type { ScriptedServer } from '../../../src/demo/scriptedServer.ts';
import { CrashBench } from '../../support/crash/crashBench.ts';
import type { CrashTargetName } from '../../support/crash/crashPoints.ts';
import { crashStory, gitFacts, recordsOf, runDriver } from '../../support/crash/crashStory.ts';
import { repositoryAt, tempFolders, tempRepositories } from '../../support/git/tempRepository.ts';

const latencyOf = (task: string): number => (task === 'coding' ? 1_000 : 50);

/** Four machines, one after the other; a copy of SQLite's files stands for the team's database. */
describe('A ticket whose machine is lost', function () {
  this.timeout(600_000);
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();
  let first: CrashBench;
  let second: CrashBench;

  before(async () => {
    first = await CrashBench.start(
      new Map([
        ['undisturbed', () => 50],
        ['moved', latencyOf],
      ]),
    );
    second = await CrashBench.start(new Map([['moved', () => 50]]));
  });
  after(async () => {
    for (const bench of [first, second]) {
      bench.end();
      await bench.stop();
    }
  });

  it('continues on another one, where its commits are, and costs one iteration at most', async () => {
    const home = await makeFolder();
    const author = await makeRepository({ name: 'sample' });
    const url = await author.addOrigin();
    const record = join(home, 'record.ndjson');
    let database = '';

    /** Answers the clone, which is gone unless the ticket came to its end. */
    async function drive(machine: string, bench: CrashBench, target?: CrashTargetName): Promise<string> {
      const clones = new Clones({ folder: join(home, machine), environment: bench.environment });
      const folder = await clones.open({ name: 'acme/sample', url });
      const clone = repositoryAt(folder);
      await clone.git('config', 'user.name', 'Ada Tester');
      await clone.git('config', 'user.email', 'ada@example.com');
      const state = join(folder, '.git', 'beadsmith');
      if (database !== '') await takeDatabase(database, state);
      const crash = target === undefined ? null : { point: 'in the middle' as const, target };
      // The same person's machines: what they decided counts.
      const env = { ...bench.environment, XDG_CONFIG_HOME: first.environment['XDG_CONFIG_HOME'] ?? '' };
      const orders = { folder, server: bench.server, provider: 'moved', record, crash, team: true };
      const { signal, errors } = await runDriver({ environment: env, over: bench.over }, orders);
      await clones.close();
      if (target === undefined) return folder;
      assert.equal(signal, 'SIGKILL', errors);
      database = join(home, `database-of-${machine}`);
      await takeDatabase(state, database);
      await rm(join(home, machine), { recursive: true });
      return folder;
    }

    await drive('first', first, 'coding');
    await drive('second', second, "the bead's commit");
    await drive('third', second, 'final test');
    const folder = await drive('fourth', second);

    const stopped = recordsOf(record).findLast((entry) => entry.type === 'stopped');
    assert.deepEqual([stopped?.status, stopped?.error], ['COMPLETED', null]);
    const reference = await crashStory(first, 'undisturbed');
    const facts = await gitFacts(repositoryAt(folder));
    assert.equal(facts.tree, reference.tree);

    const opened = await openStore({
      commonDir: join(folder, '.git'),
      mode: 'follower',
      workerUrl: locations.storeWorker,
      configFolder: first.configFolder,
    });
    try {
      const [ticket] = (await opened.store?.tickets()) ?? [];
      assert.ok(ticket);
      assert.equal((await opened.store?.verify(ticket.id))?.ok, true);
      const journal = (await opened.store?.journal(ticket.id)) ?? [];
      assert.deepEqual(
        journal.flatMap(({ entry }) => (entry.kind === 'step.failed' ? [entry] : [])),
        [],
      );
    } finally {
      await opened.close();
    }

    // The lost machines cost an iteration of the bead, and the test that nobody had committed.
    const tasksOf = (sent: ScriptedServer['requests']): readonly string[] =>
      sent.filter(({ step }) => step === 0).map(({ task }) => task);
    const [lost, more] = [tasksOf(first.requests('moved')), tasksOf(second.requests('moved'))];
    assert.deepEqual(
      [...lost, ...more].sort(),
      [...tasksOf(first.requests('undisturbed')), 'coding', 'final-test'].sort(),
    );
    assert.deepEqual(
      more.filter((task) => task === 'coding'),
      ['coding'],
      'prompts of the accepted bead',
    );
  });
});

/** Nothing of the machine: no logs, no pull requests, no record of its processes. */
async function takeDatabase(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of (await readdir(from)).filter((one) => shared.test(one)))
    await cp(join(from, name), join(to, name), { recursive: true });
}

const shared = /^(?:state\.db(?:-journal)?|blobs)$/;
