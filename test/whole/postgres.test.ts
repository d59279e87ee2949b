import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startLocalServer } from '../../src/adapters/store/postgres/localServer.ts';
import { openTeamDatabase } from '../../src/adapters/store/postgres/serveTeam.ts';
import { openWorkerStore } from '../../src/adapters/store/workerStore.ts';
import { openRecording, recordedIn } from '../replay/recordedTicket.ts';
import { readRecording, recordings } from '../replay/recording.ts';
import { commitDying } from '../support/storeContract/dyingConnection.ts';
import { postgresServer, teamWorker } from '../support/storeContract/postgresServer.ts';
import { createTicket } from '../support/storeContract/samples.ts';
import { tempFolder } from '../support/tempFolder.ts';
import { until } from '../support/until.ts';

describe('PostgreSQL, at length', () => {
  const server = postgresServer({ fsync: 'on' });

  for (const name of recordings())
    it(`gives a recorded journal what SQLite gives it: ${name}`, async () => {
      const { database } = await openTeamDatabase({
        url: server.url,
        worker: teamWorker,
        repository: `replay/${name}`,
        patienceMs: 10_000,
      });
      try {
        const recording = readRecording(name);
        assert.deepEqual(recordedIn(database, recording), openRecording(recording));
      } finally {
        database.close();
      }
    });

  it('loses and repeats no commit when it is killed among them', async () => {
    const { store, claims } = await openWorkerStore(teamWorker, {
      url: server.url,
      repository: 'example/killed',
      runner: 'one',
    });
    try {
      const { id } = await createTicket(store);
      await claims.claim(id, 60_000);
      const seqs: number[] = [];
      const wanted = 90;
      const committing = (async () => {
        for (let i = 0; i < wanted; i++) {
          const { seq } = await store.commit({
            ticket: id,
            journal: [{ kind: 'attempts', archivedFrom: 'DRAFT', statuses: [] }],
          });
          seqs.push(seq);
        }
      })();
      for (const after of [10, 30, 60]) {
        await until(() => seqs.length >= after, `${after} commits`);
        await server.kill();
      }
      await committing;
      assert.deepEqual(
        seqs,
        Array.from({ length: wanted }, (_, index) => index + 2),
      );
      assert.deepEqual(await store.verify(id), { ok: true, length: wanted + 1 });
    } finally {
      await store.close();
    }
  });

  for (const [how, what] of [
    ['setImmediate(() => { throw new Error("pop"); });', 'throws'],
    ['Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);', 'hangs'],
  ] as const)
    it(`makes a commit once when the thread of its connection ${what} before it answers, and notices it soon`, async () => {
      await commitDying(server.url, how, 30_000);
    });

  it('frees what a stopped process holds, which commits nothing when it wakes', async () => {
    const start = { url: server.url, repository: 'example/stopped' };
    const { store, claims } = await openWorkerStore(teamWorker, { ...start, runner: 'one' });
    const { id } = await createTicket(store);
    await claims.claim(id, 60_000);
    const program = join(import.meta.dirname, '../support/storeContract/stoppedWriter.ts');
    const child = spawn(process.execPath, [program, start.url, start.repository]);
    const said: string[] = [];
    child.stdout.on('data', (data: Buffer) => said.push(...data.toString().trim().split('\n')));
    try {
      await until(() => said.includes('stopped'), 'the other process stops');
      const answer = await store.commit({
        ticket: id,
        journal: [{ kind: 'attempts', archivedFrom: 'DRAFT', statuses: [] }],
      });
      assert.deepEqual(answer, { seq: 2, revision: 0 });
      child.kill('SIGCONT');
      await once(child, 'exit');
      assert.deepEqual(said, ['stopped', 'DatabaseBusy']);
      assert.equal((await store.ticket(id))?.revision, 0);
    } finally {
      child.kill('SIGKILL');
      await store.close();
    }
  });
});

describe('a server of a team on this machine', () => {
  const folder = tempFolder('team-up');
  const children: ChildProcess[] = [];
  after(() => {
    for (const child of children) child.kill('SIGKILL');
    folder.remove();
  });
  const worker = teamWorker;
  const start = (name: string) => startLocalServer({ folder: join(folder.path, name), worker });
  /** Starts it in another process, which prints its address. */
  const startElsewhere = (name: string): { readonly child: ChildProcess; readonly said: string[] } => {
    const program = join(import.meta.dirname, '../support/storeContract/teamUp.ts');
    const child = spawn(process.execPath, [program, join(folder.path, name)]);
    children.push(child);
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => said.push(data.toString().trim()));
    return { child, said };
  };
  const works = async (url: string): Promise<void> => {
    const { store } = await openWorkerStore(teamWorker, { url, repository: 'example/up', runner: null });
    await createTicket(store);
    await store.close();
  };

  it('is started by one of two processes, for the first time too, and the other one says so', async () => {
    const { said } = startElsewhere('twice');
    const mine = await start('twice').catch((error: unknown) => String(error));
    if (typeof mine === 'string') {
      assert.match(mine, /runs this server already/);
      await until(() => said.length > 0, 'the other process starts it');
      await works(said[0] ?? '');
    } else {
      await until(() => said.length > 0, 'the other process gives up');
      assert.match(said.join('\n'), /runs this server already/);
      await works(mine.url);
      await mine.stop();
    }
  });

  it('starts after its first start was killed while it made the data', async () => {
    const { child } = startElsewhere('torn');
    const begun = () => readdirSync(folder.path).includes('torn') && readdirSync(join(folder.path, 'torn'));
    await until(() => (begun() || []).some((name) => name.startsWith('begun-')), 'initdb begins');
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.ok(!existsSync(join(folder.path, 'torn/data')));
    const server = await start('torn');
    await works(server.url);
    await server.stop();
  });

  it('that a killed process left is ended, and starts with the same URL and what was in it', async () => {
    const { child, said } = startElsewhere('left');
    await until(() => said.length > 0, 'it is started');
    await works(said[0] ?? '');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const server = await start('left');
    assert.equal(server.url, said[0]);
    const { store } = await openWorkerStore(teamWorker, {
      url: server.url,
      repository: 'example/up',
      runner: null,
    });
    assert.equal((await store.tickets()).length, 1);
    await store.close();
    await server.stop();
  });
});
