import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import * as z from 'zod';
import { postgresMigrations } from '../../../src/adapters/store/postgres/dialect.ts';
import { openTeamDatabase } from '../../../src/adapters/store/postgres/serveTeam.ts';
import { PostgresDatabase } from '../../../src/adapters/store/postgres/postgresDatabase.ts';
import { prepareRepository, repositoriesIn } from '../../../src/adapters/store/postgres/prepare.ts';
import { roles } from '../../../src/adapters/store/postgres/roles.ts';
import { RunnerRows } from '../../../src/adapters/store/postgres/runnerRows.ts';
import {
  openWorkerStore,
  type StoreState,
  type WorkerStore,
} from '../../../src/adapters/store/workerStore.ts';
import type { Ticket } from '../../../src/domain/ticket/ticket.ts';
import { refusalOf } from '../../../src/domain/workflow/availability.ts';
import type { JournalEntry } from '../../../src/engine/ports/storePort.ts';
import { openTeam } from '../../../src/app/team.ts';
import { openRecording, recordedIn } from '../../replay/recordedTicket.ts';
import { readRecording } from '../../replay/recording.ts';
import { storeContract } from '../../support/storeContract/contract.ts';
import { commitDying } from '../../support/storeContract/dyingConnection.ts';
import { FaultyNetwork } from '../../support/storeContract/faultyNetwork.ts';
import { postgresServer, postgresStores, teamWorker } from '../../support/storeContract/postgresServer.ts';
import { createTicket, runOpened } from '../../support/storeContract/samples.ts';
import { tempFolder } from '../../support/tempFolder.ts';
import { until } from '../../support/until.ts';

const silentMs = 60_000;
const note: JournalEntry = { kind: 'attempts', archivedFrom: 'DRAFT', statuses: [] };

describe('PostgreSQL', () => {
  const server = postgresServer();
  storeContract(postgresStores(server), { runs: 5 });

  const opened: WorkerStore[] = [];
  const networks: FaultyNetwork[] = [];
  const clients: pg.Client[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(({ store }) => store.close()));
    await Promise.all(clients.splice(0).map((client) => client.end().catch(() => undefined)));
    for (const network of networks.splice(0)) network.close();
  });
  const open = async (
    repository: string,
    { runner = 'one', url = server.url }: { readonly runner?: string | null; readonly url?: string } = {},
  ): Promise<WorkerStore> => {
    const made = await openWorkerStore(teamWorker, { url, repository, runner });
    opened.push(made);
    return made;
  };
  const createClaimed = async ({ store, claims }: WorkerStore): Promise<Ticket> => {
    const ticket = await createTicket(store);
    await claims.claim(ticket.id, silentMs);
    return ticket;
  };
  const admin = async (url = server.url): Promise<pg.Client> => {
    const client = new pg.Client(url);
    clients.push(client);
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const schemaOf = async (client: pg.Client, repository: string): Promise<string> => {
    const found = await client.query<{ id: string }>(
      'SELECT id FROM beadsmith.repositories WHERE name = $1',
      [repository],
    );
    return `beadsmith_${found.rows[0]?.id ?? assert.fail(repository)}`;
  };

  it('gives a recorded journal the hashes, runs and steps that SQLite gives it', async () => {
    const recording = readRecording('quick');
    const { database } = await openTeamDatabase({
      url: server.url,
      worker: teamWorker,
      repository: 'example/replay',
      patienceMs: 5_000,
    });
    try {
      assert.deepEqual(recordedIn(database, recording), openRecording(recording));
    } finally {
      database.close();
    }
  });

  describe('the tables', () => {
    it('are of each repository alone, and made once by several processes', async () => {
      const stores = await Promise.all(
        ['example/a', 'example/a', 'example/b'].map((name) => open(name, { runner: null })),
      );
      const [one, same, other] = stores.map(({ store }) => store);
      await createTicket(one!);
      assert.deepEqual([(await same!.tickets()).length, (await other!.tickets()).length], [1, 0]);
      const database = new PostgresDatabase({ url: server.url, worker: teamWorker });
      const names = repositoriesIn(database).filter((name) => /^example\/[ab]$/.test(name));
      database.close();
      assert.deepEqual(names, ['example/a', 'example/b']);
    });

    it('are updated from an earlier version, and left alone in a newer one', async () => {
      const database = new PostgresDatabase({ url: server.url, worker: teamWorker });
      try {
        prepareRepository(database, 'example/old', { steps: postgresMigrations.slice(0, 3) });
        database.run(`INSERT INTO tickets VALUES ('ABC-1', 'ABC', 1, NULL, 'DRAFT', 0, '{}')`);
        prepareRepository(database, 'example/old');
        assert.deepEqual(database.all('SELECT id FROM tickets'), [{ id: 'ABC-1' }]);
        assert.equal(database.get('SELECT covers FROM journal'), undefined);
        database.run(`UPDATE beadsmith.repositories SET version = 999 WHERE name = 'example/old'`);
      } finally {
        database.close();
      }
      await assert.rejects(open('example/old'), { code: 'DATABASE_NEWER' });
    });

    it('are neither made nor updated by reading, which says what to do, and holds up nobody who makes them', async () => {
      const database = new PostgresDatabase({ url: server.url, worker: teamWorker });
      try {
        const team = openTeam({ url: server.url, env: process.env });
        const empty = new URL(server.url);
        empty.pathname = '/template1';
        const says = (message: RegExp) => ({ code: 'TEAM_TABLES', message, nextStep: /beadsmith create/ });
        await assert.rejects(openTeam({ url: empty.href, env: process.env }).names(), says(/no tables yet/));
        await assert.rejects(team.open('nobody/here'), says(/no tables for nobody\/here yet/));
        prepareRepository(database, 'example/older', { steps: postgresMigrations.slice(0, 3) });
        await assert.rejects(team.open('example/older'), says(/older than this version/));
        const client = await admin();
        await client.query('BEGIN; SELECT pg_advisory_xact_lock(0x42656164)');
        const known = await client.query(
          'SELECT name, version FROM beadsmith.repositories WHERE name = ANY ($1)',
          [['nobody/here', 'example/older']],
        );
        assert.deepEqual(known.rows, [{ name: 'example/older', version: '3' }]);
        // As a reader may.
        prepareRepository(database, 'example/older');
        assert.deepEqual(database.all('SELECT id FROM tickets'), []);
      } finally {
        database.close();
      }
    });

    it('show a damaged ticket as damaged, and the others', async () => {
      const { store } = await open('example/damaged');
      const ids: string[] = [];
      for (let count = 0; count < 5; count++) ids.push((await createTicket(store)).id);
      const client = await admin();
      await client.query(`SET search_path = ${await schemaOf(client, 'example/damaged')}, beadsmith`);
      const damage = (id: string, path: string, value: string): Promise<unknown> =>
        client.query(
          'UPDATE tickets SET body = jsonb_set(body::jsonb, $2::text[], $3::jsonb)::text WHERE id = $1',
          [id, path, value],
        );
      await damage('ABC-2', '{priority}', '"many"');
      await damage('ABC-3', '{forge}', '{"merging": {"isQueued": 1e30}, "failures": 7}');
      await damage('ABC-4', '{updatedAt}', '"yesterday"');
      await client.query(`UPDATE tickets SET status = 'COMPLETED', body = '{' WHERE id = 'ABC-5'`);
      const list = await store.summaries();
      assert.deepEqual(
        list.map(({ id, damaged }) => [id, damaged !== undefined]),
        ids.map((id) => [id, !['ABC-1', 'ABC-3'].includes(id)]),
      );
      await client.query(
        `UPDATE tickets SET status = 'COMPLETED' WHERE id = 'ABC-4'; UPDATE tickets SET body = '{}' WHERE id = 'ABC-5'`,
      );
      assert.deepEqual((await store.completed()).toSorted(), ['ABC-4', 'ABC-5']);
      await client.query(`
        INSERT INTO inbox (id, ticket, kind, body, posted_at) VALUES
          ('gone', 'ABC-1', 'pause', chr(1) || '#${'0'.repeat(64)}', 0), ('torn', 'ABC-1', 'pause', '{', 0), ('never', 'ABC-1', 'pause', '{}', 'NaN');
        INSERT INTO comments (id, ticket, revision, body) VALUES ('torn', 'ABC-1', 1, '{'), ('odd', 'ABC-1', 1, '7')`);
      await store.post({ id: 'p', ticket: 'ABC-1', kind: 'pause', body: {} });
      assert.deepEqual(
        (await store.inbox('ABC-1')).map(({ id }) => id),
        ['p'],
      );
      assert.deepEqual(await store.reviewThreads('ABC-1'), []);
      await client.query(`INSERT INTO inbox (id, ticket, kind, body, posted_at) VALUES
        ('q', 'ABC-2', 'pause', '{}', 0), ('r', 'ABC-3', 'pause', '{}', 0); UPDATE tickets SET body = '{' WHERE id = 'ABC-3'`);
      const rows = new RunnerRows({ url: server.url, silentMs: 1, onChange: () => undefined });
      const id = (await rows.repositories()).find(({ name }) => name === 'example/damaged')?.id ?? 0;
      const waiting = await rows.waiting(id);
      await rows.close();
      assert.deepEqual(
        waiting.map(({ ticket, entry, priority }) => [ticket, entry, priority]),
        [
          ['ABC-1', 'p', 3],
          ['ABC-2', 'q', 3],
          ['ABC-3', 'r', 3],
        ],
      );
    });
  });

  describe('two runners', () => {
    it('drive the tickets that each claimed: who lost one can neither commit to it nor pass its fence', async () => {
      const [first, second] = [await open('example/fence'), await open('example/fence', { runner: 'two' })];
      const ticket = await createClaimed(first);
      const { id } = ticket;
      const other = await createClaimed(first);
      const run = runOpened(ticket, 'r-1');
      await first.store.commit({ ticket: id, journal: [run, { kind: 'step.intent', run: 'r-1', key: 'k' }] });
      assert.deepEqual(await second.claims.claim(id, silentMs), { epoch: 2, from: 'one' });
      const lost = { code: 'EPOCH_LOST' };
      await assert.rejects(first.store.commit({ ticket: id, journal: [note] }), lost);
      await assert.rejects(first.store.commit({ ticket: id, journal: [] }), lost);
      await assert.rejects(first.store.addActive('r-1', 'k', 5), lost);
      await first.claims.release(id);
      assert.deepEqual(await second.store.commit({ ticket: id, journal: [note] }), { seq: 4, revision: 0 });
      await second.store.addActive('r-1', 'k', 5);
      assert.deepEqual(await first.store.commit({ ticket: other.id, journal: [note] }), {
        seq: 2,
        revision: 0,
      });
      await first.store.post({ id: 'p', ticket: id, kind: 'pause', body: {} });
      assert.equal((await second.store.inbox(id)).length, 1);
    });

    it('know that their tickets are a team’s, which aren’t merged here', async () => {
      const { store } = await open('example/merges', { runner: null });
      const { id } = await createTicket(store);
      const [of] = [await store.summaries(), await store.summaries([id])].flat();
      assert.equal(of && refusalOf({ ...of, status: 'WAITING_PR_REVIEW' }, 'merge')?.code, 'MERGE_ON_FORGE');
    });

    it('leave a ticket to each other, or lose it once they are silent', async () => {
      const [first, second] = [await open('example/left'), await open('example/left', { runner: 'two' })];
      const { id } = await createClaimed(first);
      await first.claims.release(id);
      await assert.rejects(first.store.commit({ ticket: id, journal: [] }), { code: 'EPOCH_LOST' });
      assert.deepEqual(await second.claims.claim(id, silentMs), { epoch: 2, from: null });
      const client = await admin();
      const seen = (seconds: number): Promise<unknown> =>
        client.query(`INSERT INTO beadsmith.runners (id, host, version, can, at_once, started_at, seen_at)
          VALUES ('two', '', '', '[]', 1, 0, (extract(epoch FROM now()) - ${seconds}) * 1000)
          ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`);
      await seen(30);
      assert.equal(await first.claims.claim(id, silentMs), null);
      await seen(90);
      assert.deepEqual(await first.claims.claim(id, silentMs), { epoch: 3, from: 'two' });
      await client.query('DELETE FROM beadsmith.runners');
    });

    it('write one after the other, without a gap or a fork of the chain', async () => {
      const stores = await Promise.all([1, 2].map(() => open('example/turns', { runner: null })));
      const made = await Promise.all(
        Array.from({ length: 12 }, (_, index) => createTicket(stores[index % 2]!.store)),
      );
      assert.deepEqual(
        made.map(({ id }) => Number(id.slice(4))).toSorted((a, b) => a - b),
        Array.from({ length: 12 }, (_, index) => index + 1),
      );
    });
  });

  describe('a change', () => {
    it('is told to other processes, also after their connection was lost', async () => {
      const { store: reader } = await open('example/news', { runner: null });
      const { store: writer } = await open('example/news', { runner: null });
      let told = 0;
      reader.onDidChange(() => told++);
      const { id } = await createTicket(writer);
      await until(() => told > 0, 'the reader hears of the ticket');
      const client = await admin();
      const before = told;
      await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'beadsmith'`,
      );
      // It may have missed something: it is told to read again.
      await until(() => told > before, 'the reader is connected again');
      const after = told;
      await writer.post({ id: 'p', ticket: id, kind: 'pause', body: {} });
      await until(() => told > after, 'the reader hears of the entry');
      assert.equal((await reader.inbox(id)).length, 1);
    });
  });

  describe('a commit', () => {
    for (const [fault, what] of [
      ['lostAfter', 'whose answer is lost was made once'],
      ['lostBefore', 'that never arrived is made again'],
    ] as const)
      it(`${what}, and gives its answer`, async () => {
        const network = await FaultyNetwork.to(server.url);
        networks.push(network);
        const own = await open(`example/${fault}`, { url: network.url(server.url) });
        const { store } = own;
        const { id } = await createClaimed(own);
        network.failNext(fault);
        assert.deepEqual(await store.commit({ ticket: id, journal: [note] }), { seq: 2, revision: 0 });
        network.failNext(fault);
        const other = await createTicket(store);
        assert.equal(other.id, 'ABC-2');
        assert.deepEqual(
          (await store.tickets()).map((ticket) => ticket.id),
          [id, 'ABC-2'],
        );
        assert.equal((await store.journal(id)).length, 2);
        assert.deepEqual(await store.verify(id), { ok: true, length: 2 });
      });

    it('makes nothing of itself on another connection when its own is lost in the middle', async () => {
      const start = { url: server.url, worker: teamWorker, repository: 'example/middle', patienceMs: 10_000 };
      const [{ database }, { database: other }] = [
        await openTeamDatabase(start),
        await openTeamDatabase(start),
      ];
      try {
        const [{ pid, schema }] = database.rows(
          z.object({ pid: z.number(), schema: z.string() }),
          'SELECT pg_backend_pid() AS pid, current_schema() AS schema',
        ) as [{ pid: number; schema: string }];
        const isReconnected = (): boolean =>
          other.get(
            'SELECT 1 FROM pg_stat_activity WHERE pid NOT IN (?, pg_backend_pid()) AND query LIKE ?',
            pid,
            `%LISTEN "${schema}"%`,
          ) !== undefined;
        const raise = (to: string): number =>
          database.run(`UPDATE meta SET value = ? WHERE key = 'epoch'`, to);
        assert.throws(
          () =>
            database.write(() => {
              raise('5');
              other.get('SELECT pg_terminate_backend(?)', pid);
              while (!isReconnected());
              raise('6');
            }),
          { name: 'DatabaseBusy' },
        );
        assert.deepEqual(other.get(`SELECT value FROM meta WHERE key = 'epoch'`), { value: '0' });
      } finally {
        database.close();
        other.close();
      }
    });

    it('was made once when the thread of its connection ends before it answers, which is noticed at once', async () => {
      await commitDying(server.url, 'process.exit(3)', 5_000);
    });

    it('waits for a slow server and a locked row, says so, and is made', async () => {
      const network = await FaultyNetwork.to(server.url);
      networks.push(network);
      const own = await open('example/slow', { url: network.url(server.url) });
      const { store, onDidChangeState } = own;
      const { id } = await createClaimed(own);
      const states: StoreState['kind'][] = [];
      onDidChangeState(({ kind }) => states.push(kind));
      network.failNext('slow', 2_500);
      assert.deepEqual(await store.commit({ ticket: id, journal: [note] }), { seq: 2, revision: 0 });
      assert.deepEqual(states, ['waiting', 'ready']);
      const client = await admin();
      await client.query(`BEGIN; SELECT one FROM ${await schemaOf(client, 'example/slow')}.turn FOR UPDATE`);
      const commit = store.commit({ ticket: id, journal: [note] });
      await until(() => states.length > 2, 'the commit says that it waits');
      await client.query('ROLLBACK');
      assert.deepEqual(await commit, { seq: 3, revision: 0 });
    });

    it('continues after the server was restarted', async () => {
      const own = await open('example/restart');
      const { store } = own;
      const { id } = await createClaimed(own);
      await server.restart();
      assert.deepEqual(await store.commit({ ticket: id, journal: [note] }), { seq: 2, revision: 0 });
      assert.deepEqual(await store.verify(id), { ok: true, length: 2 });
    });

    it('says why it can’t be made: a full disk, or a database that is read-only', async () => {
      const own = await open('example/errors');
      const { store } = own;
      const { id } = await createClaimed(own);
      const client = await admin();
      const schema = await schemaOf(client, 'example/errors');
      const fail = (code: string): Promise<unknown> =>
        client.query(`
          CREATE OR REPLACE FUNCTION ${schema}.fail() RETURNS trigger LANGUAGE plpgsql AS
            $f$ BEGIN RAISE EXCEPTION 'as asked' USING ERRCODE = '${code}'; END $f$;
          CREATE OR REPLACE TRIGGER fail BEFORE INSERT ON ${schema}.journal EXECUTE FUNCTION ${schema}.fail()`);
      for (const [code, expected] of [
        ['53100', 'DISK_FULL'],
        ['25006', 'DATABASE_READ_ONLY'],
        ['58030', 'DATABASE_IO'],
      ] as const) {
        await fail(code);
        await assert.rejects(store.commit({ ticket: id, journal: [note] }), { code: expected });
      }
      await client.query(`DROP TRIGGER fail ON ${schema}.journal`);
      assert.equal((await store.journal(id)).length, 1);
      // A newer version changes tables that this one has read.
      await client.query(`ALTER TABLE ${schema}.journal ADD COLUMN later TEXT`);
      assert.equal((await store.journal(id)).length, 1);
      assert.deepEqual(await store.commit({ ticket: id, journal: [note] }), { seq: 2, revision: 0 });
    });
  });

  it('holds the tickets that the command line creates, lists and shows', async () => {
    const folder = tempFolder('team');
    try {
      await promisify(execFile)('git', ['init', '-q', folder.path]);
      const team = openTeam({ url: server.url, env: process.env });
      const origin = `https://ada:secret@example.com/Acme/${basename(folder.path)}.git`;
      await promisify(execFile)('git', ['-C', folder.path, 'remote', 'add', 'origin', origin]);
      const here = await team.openHere(folder.path, { make: true });
      const { id } = await here.client.create({ title: 'Add CSV export' });
      await here.close();
      const name = `example.com/acme/${basename(folder.path)}`.toLowerCase();
      const { rows } = await (
        await admin()
      ).query('SELECT url FROM beadsmith.repositories WHERE name = $1', [name]);
      assert.deepEqual(rows, [{ url: origin.replace('ada:secret@', '') }]);
      assert.ok((await team.names()).includes(name));
      const again = await team.open(name);
      assert.deepEqual(
        (await again.client.tickets()).map((ticket) => [ticket.id, ticket.title]),
        [[id, 'Add CSV export']],
      );
      assert.equal((await again.client.ticket(id)).ticket.status, 'DRAFT');
      await again.close();
    } finally {
      folder.remove();
    }
  });

  describe('a login', () => {
    before(async () => {
      const { store } = await openWorkerStore(teamWorker, {
        url: server.url,
        repository: 'example/roles',
        runner: null,
      });
      await createTicket(store);
      await store.close();
      const client = await admin();
      for (const role of ['runner', 'person', 'reader'])
        await client.query(`CREATE ROLE ${role}_1 LOGIN PASSWORD 'secret' IN ROLE beadsmith_${role}`);
    });
    const as = (role: string): string => {
      const url = new URL(server.url);
      url.username = `${role}_1`;
      url.password = 'secret';
      return url.href;
    };
    const denied = { code: 'DATABASE_READ_ONLY' };
    const ofDraft = `FROM tickets WHERE id = 'ABC-1'`;

    it('of a runner drives', async () => {
      const { store, claims } = await open('example/roles', { url: as('runner') });
      await claims.claim('ABC-1', silentMs);
      assert.deepEqual(await store.commit({ ticket: 'ABC-1', journal: [note] }), { seq: 2, revision: 0 });
    });

    it('of a person files tickets, entries and comments, and commits nothing', async () => {
      const { store } = await open('example/roles', { url: as('person'), runner: null });
      const { id } = await createTicket(store);
      await store.post({
        id: 'large',
        ticket: id,
        kind: 'edit',
        body: { artifact: 'prd', baseSha256: null, content: 'x'.repeat(70_000), surface: 'raw' },
      });
      assert.equal((await store.inbox(id)).length, 1);
      await assert.rejects(store.commit({ ticket: id, journal: [note] }), { code: 'EPOCH_LOST' });
      const runner = await open('example/roles', { url: as('person') });
      await assert.rejects(runner.claims.claim(id, silentMs), denied);
      await assert.rejects(open('example/new', { url: as('person') }), denied);
      const client = await admin(as('person'));
      const schema = await schemaOf(client, 'example/roles');
      await client.query(`SET search_path = ${schema}, beadsmith`);
      // What the next ones are refused for isn't the rest of them.
      await client.query(
        `INSERT INTO tickets SELECT 'XY-7', 'XY', 7, NULL, status, revision, body ${ofDraft}`,
      );
      await client.query(`INSERT INTO comments (id, ticket, revision, body) VALUES ('y', 'ABC-1', 1, '{}')`);
      await client.query(
        `INSERT INTO inbox (id, ticket, kind, body, posted_at) VALUES ('y', 'ABC-1', 'pause', '{}', 1)`,
      );
      for (const sql of [
        `UPDATE tickets SET status = 'CODING'`,
        `INSERT INTO tickets VALUES ('ABC-9', 'ABC', 9, NULL, 'CODING', 0, '{}')`,
        `INSERT INTO journal VALUES ('ABC-1', 9, '', '', 0, 0, '{"kind":"rows"}')`,
        `UPDATE inbox SET state = 'consumed'`,
        `INSERT INTO inbox (id, ticket, kind, body, posted_at, state) VALUES ('x', 'ABC-1', 'pause', '{}', 0, 'consumed')`,
        `UPDATE meta SET value = '99' WHERE key = 'epoch'`,
        `UPDATE repositories SET commits = '/srv/theirs.git'`,
        `INSERT INTO places VALUES (1, 'ABC-1', '/srv/theirs.git')`,
        `INSERT INTO meta VALUES ('write:theirs', 'no JSON')`,
        `INSERT INTO writes (owner, writer, id, at) VALUES ('${roles.runner}', 'mine', 1, 0)`,
        `UPDATE writes SET answer = 'null' WHERE owner <> current_user`,
        `UPDATE writes SET owner = '${roles.runner}'`,
        `DELETE FROM writes`,
        ...['number + 200000', '999999999', '9000000000000000000'].map(
          (number) =>
            `INSERT INTO tickets SELECT 'ABC-' || (${number}), prefix, ${number}, NULL, status, revision, body ${ofDraft}`,
        ),
        `INSERT INTO tickets SELECT 'XYZ-8', prefix, 8, NULL, status, revision, body ${ofDraft}`,
        `INSERT INTO tickets SELECT 'abc-8', 'abc', 8, NULL, status, revision, body ${ofDraft}`,
        ...['{', '{}', '7', '[]', '"x"'].map(
          (body) => `INSERT INTO tickets VALUES ('ABC-8', 'ABC', 8, NULL, 'DRAFT', 0, '${body}')`,
        ),
        ...[
          '{"priority": "1"}',
          '{"updatedAt": "x"}',
          '{"createdAt": 1e300}',
          '{"title": 1}',
          '{"branch": "main"}',
        ].map(
          (change) =>
            `INSERT INTO tickets SELECT 'ABC-8', prefix, 8, NULL, status, revision, (body::jsonb || '${change}')::text ${ofDraft}`,
        ),
        `INSERT INTO journal SELECT '${id}', 2, '', hash, at, epoch, entry, covers FROM journal WHERE ticket = '${id}'`,
        `INSERT INTO inbox (number, id, ticket, kind, body, posted_at) VALUES (9223372036854775807, 'x', 'ABC-1', 'pause', '{}', 0)`,
        ...['NaN', '1e300', '-1'].map(
          (at) =>
            `INSERT INTO inbox (id, ticket, kind, body, posted_at) VALUES ('x', 'ABC-1', 'pause', '{}', '${at}')`,
        ),
        `INSERT INTO inbox (id, ticket, kind, body, posted_at) VALUES ('x', 'ABC-1', 'pause', '{', 0)`,
        `INSERT INTO comments (number, id, ticket, revision, body) VALUES (9223372036854775807, 'x', 'ABC-1', 1, '{}')`,
        `INSERT INTO comments (id, ticket, revision, body) VALUES ('x', 'ABC-1', 9e18, '{}')`,
        `INSERT INTO comments (id, ticket, revision, body) VALUES ('x', 'ABC-1', 1, '{')`,
        `INSERT INTO beads VALUES ('ABC-1', 'one', 1, '{}')`,
        `UPDATE bodies SET content = ''`,
        `INSERT INTO bodies VALUES ('${'0'.repeat(64)}', 'not its text')`,
        `CREATE TABLE mine (one INTEGER)`,
      ]) {
        const changed = await client.query(sql).then(
          ({ rowCount }) => rowCount ?? 1,
          () => 0,
        );
        assert.equal(changed, 0, sql);
      }
      assert.equal((await store.ticket('ABC-1'))?.status, 'DRAFT');
      assert.equal((await client.query('SELECT 1 FROM writes WHERE owner <> current_user')).rowCount, 0);
      // Nothing that it wrote is in the way of those who drive.
      const { store: driver } = await open('example/roles', { url: as('runner') });
      assert.equal((await createTicket(driver)).id, 'ABC-3');
    });

    it('has no defaults that change what is read', async () => {
      const client = await admin();
      for (const set of [`bytea_output = 'escape'`, 'search_path = nowhere', 'extra_float_digits = -10'])
        await client.query(`ALTER ROLE reader_1 SET ${set}`);
      const url = new URL(as('reader'));
      url.searchParams.set('options', '-c bytea_output=escape -c search_path=nowhere');
      const content = 'é'.repeat(40_000);
      const { store: owner } = await open('example/roles', { runner: null });
      await owner.post({
        id: 'bytes',
        ticket: 'ABC-1',
        kind: 'edit',
        body: { artifact: 'prd', baseSha256: null, content, surface: 'raw' },
      });
      const { store } = await open('example/roles', { url: url.href, runner: null });
      const entry = (await store.inbox('ABC-1')).find(({ id }) => id === 'bytes');
      assert.deepEqual(entry?.body, { artifact: 'prd', baseSha256: null, content, surface: 'raw' });
    });

    it('of a team may create logins, and isn’t a superuser’s', async () => {
      const client = await admin();
      const { rows } = await client.query(
        'SELECT rolsuper, rolcreaterole FROM pg_roles WHERE rolname = current_user',
      );
      assert.deepEqual(rows, [{ rolsuper: false, rolcreaterole: true }]);
    });

    it('of a reader reads everything and writes nothing', async () => {
      const { store } = await open('example/roles', { url: as('reader'), runner: null });
      assert.equal((await store.ticket('ABC-1'))?.id, 'ABC-1');
      assert.ok((await store.summaries()).length > 0);
      await assert.rejects(createTicket(store), denied);
      await assert.rejects(store.post({ id: 'r', ticket: 'ABC-1', kind: 'pause', body: {} }), denied);
    });

    it('that is refused is said at once', async () => {
      const url = new URL(as('reader'));
      url.password = 'wrong';
      await assert.rejects(open('example/roles', { url: url.href }), {
        code: 'TEAM_LOGIN',
        message: /password authentication failed/,
        nextStep: /the password in the database's URL/,
      });
    });
  });
});
