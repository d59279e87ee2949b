import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTeamDatabase } from '../../../src/adapters/store/postgres/serveTeam.ts';
import { whenFree } from '../../../src/adapters/store/sql/whenFree.ts';
import { TeamStore } from '../../../src/adapters/store/postgres/teamStore.ts';
import { newTicket } from '../samples.ts';
import { tempFolder } from '../tempFolder.ts';
import { teamWorker } from './postgresServer.ts';

/** A connection's thread that dies once when the file is there, with the answer to a commit in its hands. */
const dying = (death: string, how: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
import { existsSync, rmSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
const { port } = workerData.connection;
const say = port.postMessage.bind(port);
let sql = '';
port.on('message', (statement) => { sql = statement.sql ?? ''; });
port.postMessage = (answer) => {
  if (sql.endsWith('COMMIT') && existsSync(${JSON.stringify(death)})) { rmSync(${JSON.stringify(death)}); ${how} }
  else say(answer);
};
await import(${JSON.stringify(teamWorker.href)});
`)}`,
  );

/** Commits once by a connection whose thread dies after the commit; noticed within milliseconds. */
export async function commitDying(url: string, how: string, mostMs: number): Promise<void> {
  const folder = tempFolder('dying');
  const death = join(folder.path, 'death');
  const { database, check } = await openTeamDatabase({
    url,
    worker: dying(death, how),
    repository: 'example/dying',
    patienceMs: 10_000,
  });
  try {
    const store = new TeamStore(database, { now: () => Date.now(), runner: 'one', writer: how, check });
    const { id } = store.calls.createTicket({ ...newTicket, prefix: 'ABC', title: 'Add CSV export' });
    store.claims.claim(id, 0);
    const commit = () =>
      store.calls.commit({
        ticket: id,
        journal: [{ kind: 'attempts', archivedFrom: 'DRAFT', statuses: [] }],
      });
    writeFileSync(death, '');
    const began = performance.now();
    assert.throws(() => store.once(1, false, commit), { name: 'DatabaseBusy' });
    assert.ok(performance.now() - began < mostMs);
    assert.equal(existsSync(death), false);
    assert.deepEqual(await whenFree(() => store.once(1, true, commit)), { seq: 2, revision: 0 });
    assert.equal(store.calls.journal(id).length, 2);
  } finally {
    database.close();
    folder.remove();
  }
}
