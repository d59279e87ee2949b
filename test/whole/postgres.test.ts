import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { openTeamDatabase } from '../../src/adapters/store/postgres/openTeamDatabase.ts';
import { openWorkerStore } from '../../src/adapters/store/workerStore.ts';
import { openRecording, recordedIn } from '../replay/recordedTicket.ts';
import { readRecording, recordings } from '../replay/recording.ts';
import { postgresServer, teamWorker } from '../support/storeContract/postgresServer.ts';
import { createTicket } from '../support/storeContract/samples.ts';
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
