import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelScript } from '../../../src/demo/script/modelScript.ts';
import { repositoryAt, type TempRepository } from '../../support/git/tempRepository.ts';
import { postgresServer } from '../../support/storeContract/postgresServer.ts';
import { TeamBench } from '../../support/team/teamBench.ts';
import { until } from '../../support/until.ts';

/** A coder that says nothing. */
const silent = ModelScript.parse({ version: 1, name: 'silent', tasks: { coding: [{ fault: 'hang' }] } });

describe('a repository that a team names for the commits of its tickets', function () {
  this.timeout(400_000);
  const server = postgresServer();
  let bench: TeamBench;
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') console.error(bench.said());
    await bench.close();
  });

  /** Undefined: the remote again. */
  const name = async (url?: string): Promise<void> => {
    const { name: repository } = bench.tickets.client.repository;
    const said = await bench.printed('fleet', 'commits', repository, ...(url === undefined ? [] : [url]));
    assert.match(said, /"exit":0/);
    const stored = await bench.query<{ commits: string }>('SELECT commits FROM beadsmith.repositories');
    assert.ok(stored.some(({ commits }) => commits === (url ?? '')));
  };
  const bare = async (called: string): Promise<TempRepository> => {
    const root = bench.folderOf(called);
    await mkdir(root);
    const made = repositoryAt(root);
    await made.git('init', '--quiet', '--bare', '--template=', '--initial-branch=main');
    return made;
  };
  const refsOf = async (repository: TempRepository): Promise<readonly string[]> =>
    (await repository.git('for-each-ref', '--format=%(refname)')).split('\n');
  const hasWork = async (repository: TempRepository, id: string): Promise<void> => {
    const branch = `refs/beadsmith/${id}/worktree/branch`;
    assert.match(await repository.git('ls-tree', '-r', '--name-only', branch), /greet-by-name-1\.mjs/);
  };
  const remote = (): TempRepository => repositoryAt(bench.remote);
  const coded = (): number =>
    bench.requests.filter(({ task, step }) => task === 'coding' && step === 0).length;
  const refuse = async (root: string, words: string): Promise<void> => {
    const hook = join(root, 'hooks', 'pre-receive');
    await mkdir(join(root, 'hooks'), { recursive: true });
    await writeFile(hook, `#!/bin/sh\necho "${words}" >&2\nexit 1\n`);
    await chmod(hook, 0o755);
  };
  const end = async (...runners: readonly TeamBench['runners'][number][]): Promise<void> => {
    for (const { child } of runners) child.kill('SIGTERM');
    await Promise.all(runners.map(({ ended }) => ended));
  };

  it('has them all, for the runner that carries on and for people, and the remote has none', async () => {
    bench = await TeamBench.open(server.url, silent);
    const tickets = await bare('tickets.git');
    await name(tickets.root);
    const one = await bench.run('one');
    const id = await bench.start('Greet by name');
    await bench.driveTo(id, 'CODING');
    await until(() => coded() > 0, 'a coder is at work', 100_000);
    bench.forgetScript();
    await bench.run('two');
    one.child.kill('SIGKILL');
    await bench.driveTo(id, 'COMPLETED');

    assert.deepEqual(await refsOf(remote()), ['refs/heads/main']);
    assert.ok((await refsOf(tickets)).every((ref) => ref.startsWith(`refs/beadsmith/${id}/`)));
    await hasWork(tickets, id);
    const diff = await bench.tickets.client.diffs.diff(id, { kind: 'ticket' });
    assert.ok(diff?.files.some(({ path }) => path.endsWith('greet-by-name-1.mjs')));
    const { path } = await bench.tickets.checkOut(id);
    assert.ok(
      (await readdir(path, { recursive: true })).some((file) => file.endsWith('greet-by-name-1.mjs')),
    );
    assert.ok((await bench.printed('fleet')).includes(`"commits":${JSON.stringify(tickets.root)}`));
    await bench.query(`INSERT INTO beadsmith.repositories (name, version) VALUES ('acme/other', 0)`);
    await bench.printed('fleet', 'commits', 'acme/other', tickets.root);
    const others = await bench.query(
      `DELETE FROM beadsmith.repositories WHERE name = 'acme/other' RETURNING commits`,
    );
    assert.deepEqual(others, [{ commits: '' }], 'each repository of the team has its own');
  });

  it('gets what the remote had of a ticket at work, for a runner that has nothing of it', async () => {
    bench = await TeamBench.open(server.url);
    const one = await bench.run('one');
    const id = await bench.start('Greet by name');
    await bench.driveTo(id, 'WAITING_PR_REVIEW');
    await end(one);
    const first = await bare('first.git');
    await name(first.root);
    const diffs = (): ReturnType<typeof bench.tickets.client.diffs.diff> =>
      bench.tickets.client.diffs.diff(id, { kind: 'ticket' });
    assert.ok(await diffs(), 'people still see the changes');
    const before = await refsOf(remote());
    await bench.run('two');
    await bench.driveTo(id, 'COMPLETED');
    assert.equal(coded(), 1, 'nothing is done again');
    await hasWork(first, id);
    assert.deepEqual((await refsOf(remote())).toSorted(), before.toSorted());
    // It is over: another name changes nothing for it.
    await name((await bare('second.git')).root);
    const { path } = await bench.tickets.checkOut(id);
    assert.ok(
      (await readdir(path, { recursive: true })).some((file) => file.endsWith('greet-by-name-1.mjs')),
    );
  });

  it('gives a ticket to this machine, and gets it back', async () => {
    bench = await TeamBench.open(server.url);
    const tickets = await bare('tickets.git');
    await name(tickets.root);
    const one = await bench.run('one');
    const id = await bench.start('Greet by name');
    await bench.driveTo(id, 'WAITING_PR_REVIEW');
    await end(one);
    const cli = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await bench.cli(...args);
      assert.equal(code, 0, stdout + stderr);
      return stdout;
    };
    await cli('move', id, '--to', 'here');
    assert.match(await cli('beads', 'diff', id, 'note-greet-by-name-1'), /\+.*Greet by name/);
    // It takes the decision to continue, and is at its gate again.
    const driven = await bench.cli('run', id, ...bench.driving);
    assert.equal(driven.code, 3, driven.stdout + driven.stderr);
    const other = await bare('other.git');
    await name(other.root);
    await cli('move', id, '--to', 'team');
    await hasWork(other, id);
    await bench.run('two');
    await bench.driveTo(id, 'COMPLETED');
    assert.equal(coded(), 1);
    assert.deepEqual(await refsOf(remote()), ['refs/heads/main']);
  });

  it('may be away: the ticket is held as offline, and continues', async () => {
    bench = await TeamBench.open(server.url, undefined, 200);
    const { root } = await bare('tickets.git');
    await name(root);
    await bench.run('one');
    const id = await bench.start('Greet by name');
    await bench.driveTo(id, 'CODING');
    await rename(root, `${root}.away`);
    const held = await until(async () => (await bench.ticket(id)).hold, 'the ticket is held', 100_000);
    assert.equal(held.kind, 'offline');
    assert.ok(held.detail.includes(root), held.detail);
    await rename(`${root}.away`, root);
    await bench.driveTo(id, 'COMPLETED');
    await hasWork(repositoryAt(root), id);
  });

  it('blocks a ticket that it refuses with its words, until the team names another one', async () => {
    bench = await TeamBench.open(server.url, undefined, 200);
    const strict = await bare('strict.git');
    await name(strict.root);
    const one = await bench.run('one');
    const id = await bench.start('Greet by name');
    await bench.driveTo(id, 'CODING');
    const taken = `refs/beadsmith/${id}/worktree/branch`;
    await until(async () => (await refsOf(strict)).includes(taken), 'it took the worktree');
    await refuse(strict.root, 'not on Sundays');
    await bench.driveTo(id, 'BLOCKED_ERROR', 90_000);
    await until(async () => (await bench.claims(id))[0]?.runner === '', 'nobody has the ticket');
    const { code, message = '' } = (await bench.tickets.client.ticket(id)).error ?? {};
    assert.equal(code, 'PUSH_REFUSED');
    assert.match(message, /not on Sundays/);
    assert.ok(message.includes(strict.root), message);
    const mild = await bare('mild.git');
    await name(mild.root);
    // It has nothing but what the strict one took.
    await end(one);
    await bench.run('two');
    await bench.tickets.client.act(id, 'retry', { note: '' });
    await until(async () => (await bench.ticket(id)).status !== 'BLOCKED_ERROR', 'it is retried');
    await bench.driveTo(id, 'COMPLETED', 120_000);
    await hasWork(mild, id);
    assert.deepEqual(await refsOf(remote()), ['refs/heads/main']);
  });
});
