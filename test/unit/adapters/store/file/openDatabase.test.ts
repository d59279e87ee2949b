import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SqliteDatabase } from '../../../../../src/adapters/store/sqlite/database.ts';
import { migrations, schemaVersion } from '../../../../../src/adapters/store/sql/migrations.ts';
import { create, migrate, versionOf } from '../../../../../src/adapters/store/file/migrate.ts';
import {
  openDatabase,
  type OpenedDatabase,
  type OpenOptions,
} from '../../../../../src/adapters/store/file/openDatabase.ts';
import { SqliteStore } from '../../../../../src/adapters/store/sqliteStore.ts';
import { folderForEach, tempFolder } from '../../../../support/tempFolder.ts';
import { insertUncovered } from '../../../../support/engine/uncoveredTicket.ts';
import { runOpened } from '../../../../support/storeContract/samples.ts';
import { tamper } from '../../../../support/engine/tempStore.ts';
import { newTicket, sampleTicket } from '../../../../support/samples.ts';

const today = Date.UTC(2026, 10, 21, 12);
const oneDay = 86_400_000;

describe('openDatabase', () => {
  const folder = folderForEach('open');
  let path: string;
  const opened: SqliteDatabase[] = [];
  beforeEach(() => (path = join(folder.path, 'state.db')));
  afterEach(() => {
    for (const database of opened.splice(0)) database.close();
  });

  const open = (more: Partial<OpenOptions> = {}, now = today): OpenedDatabase => {
    const result = openDatabase(
      { folder: folder.path, drive: true, installation: 'mine', adopt: false, ...more },
      now,
    );
    if (result.database) opened.push(result.database);
    return result;
  };
  const make = (installation = 'mine'): void => {
    const { database } = open({ installation });
    assert.ok(database);
    opened.pop();
    const store = new SqliteStore(database, () => today);
    store.adopt();
    const ticket = store.calls.createTicket({
      ...newTicket,
      prefix: 'ABC',
      title: 'Kept',
      description: 'd'.repeat(20_000),
    });
    store.calls.commit({ ticket: ticket.id, journal: [runOpened(ticket)] });
    store.close();
  };
  const titles = (database: SqliteDatabase | undefined): readonly string[] =>
    database ? new SqliteStore(database, () => today).calls.tickets().map(({ title }) => title) : [];
  const refusesWrites = (database: SqliteDatabase | undefined): void => {
    assert.ok(database);
    const store = new SqliteStore(database, () => today, 1);
    assert.throws(
      () => store.calls.createTicket({ prefix: 'ABC', atLeast: 1, title: 'T', description: '', priority: 3 }),
      {
        code: 'DATABASE_READ_ONLY',
      },
    );
  };

  it('makes a database where there was none, and finds it again', () => {
    make();
    const again = open();
    assert.equal(again.mode, 'open');
    assert.deepEqual(titles(again.database), ['Kept']);
  });

  it('shows a database of a newer version and writes nothing to it', () => {
    make();
    tamper(folder.path, `PRAGMA user_version = ${String(schemaVersion + 1)}`);
    const before = readFileSync(path);
    const newer = open();
    assert.ok(newer.mode === 'readOnly');
    assert.deepEqual([newer.reason.code, newer.reason.args['found']], ['DATABASE_NEWER', schemaVersion + 1]);
    assert.deepEqual(titles(newer.database), ['Kept']);
    refusesWrites(newer.database);
    assert.deepEqual(readFileSync(path), before);
  });

  for (const [what, sql] of [
    ['of another program', 'PRAGMA application_id = 12345; PRAGMA user_version = 3; CREATE TABLE theirs (a)'],
    [
      'that says nothing of whose it is',
      'PRAGMA journal_mode = WAL; CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)',
    ],
    ['without a version', 'CREATE TABLE theirs (a)'],
  ] as const)
    it(`refuses a database ${what}, and leaves it as it is`, () => {
      const foreign = new DatabaseSync(path);
      foreign.exec(sql);
      foreign.close();
      const before = readFileSync(path);
      const refused = open();
      assert.ok(refused.mode === 'readOnly');
      assert.deepEqual([refused.reason.code, refused.database], ['DATABASE_UNKNOWN', undefined]);
      assert.deepEqual(readFileSync(path), before);
    });

  it('marks a database as ours, one from before as well', () => {
    make();
    const idOf = (): number => readFileSync(path).readUInt32BE(68);
    const ours = idOf();
    assert.notEqual(ours, 0);
    tamper(folder.path, 'PRAGMA application_id = 0');
    assert.deepEqual(titles(open().database), ['Kept']);
    assert.equal(idOf(), ours);
  });

  it('says that a file with a damaged header is damaged, and leaves it as it is', () => {
    make();
    const bytes = readFileSync(path);
    bytes.fill(0x58, 0, 64);
    writeFileSync(path, bytes);
    const corrupt = open();
    assert.ok(corrupt.mode === 'readOnly');
    assert.equal(corrupt.reason.code, 'DATABASE_CORRUPT');
    assert.equal(corrupt.reason.args['backup'], join(folder.path, 'backups', 'state-2026-11-21T1200.db'));
    assert.equal(corrupt.database, undefined);
    assert.deepEqual(readFileSync(path), bytes);
  });

  it('finds a damaged page and opens what is left to read', () => {
    make();
    const bytes = readFileSync(path);
    bytes.fill(0xff, bytes.length - 4_096, bytes.length);
    writeFileSync(path, bytes);
    const corrupt = open();
    assert.ok(corrupt.mode === 'readOnly');
    assert.equal(corrupt.reason.code, 'DATABASE_CORRUPT');
    refusesWrites(corrupt.database);
    assert.deepEqual(readFileSync(path), bytes);
  });

  it('never puts an empty database where there was data', () => {
    make();
    truncateSync(path, 0);
    const empty = open();
    assert.ok(empty.mode === 'readOnly');
    assert.deepEqual([empty.reason.code, empty.database], ['DATABASE_CORRUPT', undefined]);
    assert.equal(readFileSync(path).length, 0);
  });

  it('shows tickets of another installation and drives them when they are adopted', () => {
    make('theirs');
    for (const drive of [true, false]) {
      const foreign = open({ drive });
      assert.ok(foreign.mode === 'readOnly');
      assert.equal(foreign.reason.code, 'DATABASE_FOREIGN');
      assert.deepEqual(titles(foreign.database), ['Kept']);
      refusesWrites(foreign.database);
    }
    assert.equal(open({ adopt: true }).mode, 'open');
    assert.equal(open().mode, 'open');
    assert.equal(open({ installation: 'theirs' }).mode, 'readOnly');
  });

  it('takes a database without an installation for a foreign one', () => {
    make();
    tamper(folder.path, `DELETE FROM meta WHERE key = 'installation'`);
    const foreign = open();
    assert.ok(foreign.mode === 'readOnly' && foreign.reason.code === 'DATABASE_FOREIGN');
  });

  it('writes nothing without an installation', () => {
    assert.deepEqual([open({ installation: null }).mode, existsSync(path)], ['readOnly', false]);
  });

  it('keeps a backup of each day on which something changed, each of them whole', () => {
    make();
    for (let day = 1; day <= 4; day++) {
      if (day !== 2) tamper(folder.path, `UPDATE meta SET value = '${String(day)}' WHERE key = 'epoch'`);
      open({}, today + day * oneDay);
    }
    const names = readdirSync(join(folder.path, 'backups')).sort();
    assert.deepEqual(
      names,
      ['21', '22', '24', '25'].map((day) => `state-2026-11-${day}T1200.db`),
    );
    const restored = tempFolder('restored');
    copyFileSync(join(folder.path, 'backups', 'state-2026-11-25T1200.db'), join(restored.path, 'state.db'));
    const database = new SqliteDatabase(restored.path);
    assert.deepEqual(titles(database), ['Kept']);
    database.close();
    restored.remove();
  });

  it('does not back up for a follower', () => {
    open({ drive: false });
    assert.equal(existsSync(join(folder.path, 'backups')), false);
  });
});

describe('migrate', () => {
  let folder: ReturnType<typeof tempFolder>;
  let database: SqliteDatabase;
  beforeEach(() => {
    folder = tempFolder('migrate');
    database = new SqliteDatabase(folder.path);
  });
  afterEach(() => {
    database.close();
    folder.remove();
  });
  const first = `CREATE TABLE a (n INTEGER); INSERT INTO a VALUES (1);`;
  const second = `ALTER TABLE a ADD COLUMN m INTEGER; UPDATE a SET m = n + 1;`;

  it('makes a new database with its owner at once, or not at all', () => {
    assert.throws(
      () => create(database, 'mine', [...migrations, 'INSERT INTO nowhere VALUES (1)']),
      /nowhere/,
    );
    assert.deepEqual([versionOf(database), database.get('SELECT name FROM sqlite_schema')], [0, undefined]);
    create(database, 'mine');
    create(database, 'theirs');
    const { value } = Object(database.get(`SELECT value FROM meta WHERE key = 'installation'`)) as {
      value: unknown;
    };
    assert.deepEqual([versionOf(database), value], [schemaVersion, 'mine']);
  });

  it('takes the missing steps only, after a backup', () => {
    migrate(database, today, [first]);
    assert.equal(existsSync(join(folder.path, 'backups')), false); // there was nothing to lose
    migrate(database, today, [first, second]);
    assert.equal(versionOf(database), 2);
    assert.deepEqual({ ...Object(database.get('SELECT * FROM a')) }, { n: 1, m: 2 });
    const restored = tempFolder('restored');
    mkdirSync(restored.path, { recursive: true });
    copyFileSync(
      join(folder.path, 'backups', 'state-2026-11-21-schema-1.db'),
      join(restored.path, 'state.db'),
    );
    const old = new SqliteDatabase(restored.path);
    assert.equal(versionOf(old), 1);
    assert.deepEqual({ ...Object(old.get('SELECT * FROM a')) }, { n: 1 });
    old.close();
    restored.remove();
  });

  it('leaves a step that failed half-way undone, so that it can be tried again', () => {
    migrate(database, today, [first]);
    assert.throws(
      () => migrate(database, today, [first, `${second} INSERT INTO nowhere VALUES (1);`]),
      /nowhere/,
    );
    assert.equal(versionOf(database), 1);
    migrate(database, today, [first, second]);
    assert.equal(versionOf(database), 2);
  });

  it('takes the database of the first release along, without what nobody used', () => {
    migrate(database, today, migrations.slice(0, 1));
    const ticket = sampleTicket({ id: 'ABC-1', title: 'Kept', createdAt: today });
    insertUncovered(database, ticket);
    database.exec(`INSERT INTO outbox (ticket, kind, body) VALUES ('${ticket.id}', 'a', '1')`);
    migrate(database, today);
    const store = new SqliteStore(database, () => today);
    store.adopt();
    store.calls.commit({ ticket: ticket.id, journal: [runOpened(ticket)] });
    assert.deepEqual(
      [versionOf(database), store.calls.ticket(ticket.id)?.title, store.calls.verify(ticket.id).ok],
      [schemaVersion, 'Kept', true],
    );
    assert.equal(database.get(`SELECT name FROM sqlite_schema WHERE name LIKE 'outbox%'`), undefined);
    assert.ok(existsSync(join(folder.path, 'backups', 'state-2026-11-21-schema-1.db')));
  });

  it('refuses a newer database', () => {
    migrate(database, today, [first, second]);
    assert.throws(() => migrate(database, today, [first]), { code: 'DATABASE_NEWER' });
  });
});

describe('a full disk', () => {
  it('is DISK_FULL, loses nothing, and is over when there is room again', () => {
    const folder = tempFolder('full');
    const database = new SqliteDatabase(folder.path);
    migrate(database, today);
    const store = new SqliteStore(database, () => today);
    store.adopt();
    const ticket = store.calls.createTicket({ ...newTicket, prefix: 'ABC', title: 'T' });
    database.exec('PRAGMA max_page_count = 1');
    const fill = (content: string) =>
      store.calls.commit({
        ticket: ticket.id,
        journal: [],
        changes: [{ type: 'artifact', artifact: 'prd', content, status: 'DRAFT', attempt: 1 }],
      });
    assert.throws(() => fill('x'.repeat(60_000)), { code: 'DISK_FULL' });
    assert.equal(store.calls.artifact(ticket.id, 'prd'), undefined);
    database.exec('PRAGMA max_page_count = 1000000');
    fill('y'.repeat(60_000));
    assert.equal(store.calls.artifact(ticket.id, 'prd')?.info.version, 1);
    store.close();
    folder.remove();
  });
});
