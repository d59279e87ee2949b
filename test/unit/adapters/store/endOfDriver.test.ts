import assert from 'node:assert/strict';
import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../../../../src/adapters/store/file/openDatabase.ts';
import { SqliteStore } from '../../../../src/adapters/store/sqliteStore.ts';
import { folderForEach } from '../../../support/tempFolder.ts';

const noon = Date.UTC(2026, 10, 21, 12);

describe('The end of a process that has the database open', () => {
  const folder = folderForEach('end');
  let now: number;
  const opened: SqliteStore[] = [];
  beforeEach(() => (now = noon));
  afterEach(() => {
    for (const store of opened.splice(0)) store.close();
  });

  const open = (drive = true): SqliteStore => {
    const { mode, database } = openDatabase(
      { folder: folder.path, drive, installation: 'mine', adopt: false },
      now,
    );
    assert.ok(mode === 'open');
    const store = new SqliteStore(database, () => now);
    opened.push(store);
    // A coarse clock gives the copy the time of the last write.
    utimesSync(database.path, 0, 0);
    if (drive) store.adopt();
    now += 61_000;
    return store;
  };
  const file = (store: SqliteStore, title: string): void => {
    store.calls.createTicket({ prefix: 'ABC', atLeast: 1, title, description: '', priority: 3 });
  };
  const backups = (): readonly string[] => readdirSync(join(folder.path, 'backups')).sort();
  const titlesIn = (name: string | undefined): readonly unknown[] => {
    const copy = new DatabaseSync(join(folder.path, 'backups', name ?? ''));
    const rows = copy.prepare(`SELECT json_extract(body, '$.title') AS title FROM tickets ORDER BY id`).all();
    copy.close();
    return rows.map(({ title }) => title);
  };

  it('leaves a backup with everything, if it drove and something changed', () => {
    const store = open();
    file(store, 'Greet');
    store.end();
    assert.deepEqual(backups(), ['state-2026-11-21T1200.db', 'state-2026-11-21T120101.db']);
    assert.deepEqual(backups().map(titlesIn), [[], ['Greet']]);
  });

  it('leaves none when nothing changed but who drives, however often', () => {
    for (let times = 0; times < 4; times += 1) open().end();
    now += 3_600_000;
    open().end();
    assert.deepEqual(backups(), ['state-2026-11-21T1200.db']);
  });

  it('leaves one with what others filed, and with what a killed driver left', () => {
    const driver = open();
    const follower = open(false);
    file(follower, 'Wave');
    follower.end();
    assert.equal(backups().length, 1, 'a follower makes none');
    driver.end();
    assert.deepEqual(titlesIn(backups().at(-1)), ['Wave']);
    const killed = open();
    file(killed, 'Bow');
    killed.close();
    const { path } = folder;
    const { database } = openDatabase({ folder: path, drive: true, installation: 'mine', adopt: false }, now);
    assert.ok(database);
    const next = new SqliteStore(database, () => now);
    opened.push(next);
    next.adopt();
    next.end();
    assert.deepEqual(titlesIn(backups().at(-1)), ['Wave', 'Bow']);
  });

  it('leaves none when another process drives by now', () => {
    const first = open();
    file(first, 'Greet');
    open();
    first.end();
    assert.equal(backups().length, 1);
  });

  it('closes the database also when no backup can be made', () => {
    const store = open();
    file(store, 'Greet');
    rmSync(join(folder.path, 'backups'), { recursive: true });
    writeFileSync(join(folder.path, 'backups'), 'no folder');
    store.end();
    assert.throws(() => store.calls.tickets(), /not open/);
  });
});
