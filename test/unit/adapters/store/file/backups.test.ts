import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  backupNames,
  newestBackup,
  SqliteDatabase,
} from '../../../../../src/adapters/store/sqlite/database.ts';
import {
  backUp,
  backUpAtEnd,
  backUpBeforeMigration,
  superseded,
  withoutBackup,
} from '../../../../../src/adapters/store/file/backups.ts';
import { folderForEach } from '../../../../support/tempFolder.ts';

const noon = (day: string): number => Date.parse(`2026-03-${day}T12:00:00Z`);
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe('backups of the database', () => {
  const folder = folderForEach('backups');
  let database: SqliteDatabase;
  beforeEach(() => {
    database = new SqliteDatabase(folder.path);
    database.exec('PRAGMA synchronous = OFF; CREATE TABLE words (word TEXT)');
  });
  afterEach(() => database.close());
  const files = (): readonly string[] => readdirSync(join(folder.path, 'backups')).sort();
  const say = (word: string): number => database.run('INSERT INTO words VALUES (?)', word);
  const wordsIn = (name: string): readonly unknown[] => {
    const restored = new DatabaseSync(join(folder.path, 'backups', name));
    const rows = restored.prepare('SELECT word FROM words ORDER BY word').all();
    restored.close();
    return rows.map(({ word }) => word);
  };

  it('are made once an hour while something changes', () => {
    say('noon');
    backUp(database, noon('01'));
    say('later');
    backUp(database, noon('01') + 59 * minute);
    assert.deepEqual(files(), ['state-2026-03-01T1200.db']);
    backUp(database, noon('01') + 61 * minute);
    assert.deepEqual(files(), ['state-2026-03-01T1200.db', 'state-2026-03-01T1301.db']);
    assert.deepEqual(wordsIn('state-2026-03-01T1200.db'), ['noon']);
    assert.deepEqual(wordsIn('state-2026-03-01T1301.db'), ['later', 'noon']);
  });

  it("aren't made while nothing changes, and don't push older ones out", () => {
    backUp(database, noon('01'));
    utimesSync(database.path, 0, 0);
    for (let hours = 2; hours < 100; hours++) backUp(database, noon('01') + hours * hour);
    assert.deepEqual(files(), ['state-2026-03-01T1200.db']);
  });

  it('are all kept for a day, daily for two weeks, weekly for two months, and the last three with one in any case', () => {
    const start = Date.parse('2026-01-01T00:30:00Z');
    let backups: { readonly name: string; readonly bytes: number }[] = [];
    let now = start;
    for (; now < start + 100 * day; now += hour) {
      backups.push({
        name: `state-${new Date(now).toISOString().slice(0, 16).replace(':', '')}.db`,
        bytes: 1,
      });
      const gone = superseded(backups, now);
      backups = backups.filter(({ name }) => !gone.includes(name));
    }
    const ages = backups.map(
      ({ name }) => (now - hour - Date.parse(name.slice(6, 21).replace(/T(..)/, 'T$1:') + ':00Z')) / day,
    );
    assert.equal(ages.filter((age) => age <= 1).length, 25);
    assert.ok(ages.filter((age) => age > 1 && age <= 14).length >= 13);
    assert.ok(
      ages.filter((age) => age > 14).length >= 6 && ages.filter((age) => age > 14).length <= 8,
      ages.join(' '),
    );
    assert.ok(Math.max(...ages) > 50 && Math.max(...ages) <= 61);
    const gone = superseded(backups, now + 300 * day);
    assert.deepEqual(gone.length, backups.length - 3);
  });

  it('are kept no longer than there is room for them, the newest three excepted', () => {
    const backups = ['01', '02', '03', '04', '05'].map((name) => ({
      name: `state-2026-03-${name}T1200.db`,
      bytes: 700 * 1024 * 1024,
    }));
    assert.deepEqual(superseded(backups, noon('05')).toSorted(), [
      'state-2026-03-01T1200.db',
      'state-2026-03-02T1200.db',
    ]);
  });

  it('of earlier versions are kept by the same rule', () => {
    mkdirSync(join(folder.path, 'backups'));
    for (const name of ['state-2025-01-01.db', 'state-2026-02-27.db', 'state-2026-02-28.db'])
      writeFileSync(join(folder.path, 'backups', name), '');
    for (const name of backupNames(folder.path)) utimesSync(join(folder.path, 'backups', name), 0, 0);
    backUp(database, noon('01'));
    assert.deepEqual(files(), ['state-2026-02-27.db', 'state-2026-02-28.db', 'state-2026-03-01T1200.db']);
  });

  it('from before a migration are never removed, and may be the newest', () => {
    backUpBeforeMigration(database, 3, noon('01'));
    for (const name of ['02', '03', '04', '05']) {
      say(name);
      backUp(database, noon(name));
    }
    assert.deepEqual(files()[0], 'state-2026-03-01-schema-3.db');
    const path = backUpBeforeMigration(database, 4, noon('09'));
    assert.equal(newestBackup(folder.path), path);
  });

  it('are whole or not there: a copy that was cut off is no backup, and is written again', () => {
    mkdirSync(join(folder.path, 'backups'));
    for (const name of ['state-2026-03-01T1200.db.part', 'state-2026-02-28T180003.db.part'])
      writeFileSync(join(folder.path, 'backups', name), 'half of a copy');
    assert.deepEqual(backupNames(folder.path), []);
    say('whole');
    backUp(database, noon('01'));
    assert.deepEqual(files(), ['state-2026-03-01T1200.db']);
    assert.deepEqual(wordsIn('state-2026-03-01T1200.db'), ['whole']);
  });

  it('leave files of people alone', () => {
    mkdirSync(join(folder.path, 'backups'));
    for (const name of ['mine.db', 'state-old.db', 'notes.txt'])
      writeFileSync(join(folder.path, 'backups', name), '');
    for (let days = 0; days < 100; days++) {
      say('x');
      backUp(database, noon('01') + days * day);
    }
    for (const name of ['mine.db', 'state-old.db', 'notes.txt'])
      assert.ok(existsSync(join(folder.path, 'backups', name)), name);
  });

  it('are made once more at the end, beside one of the same minute, if something changed', () => {
    say('noon');
    backUp(database, noon('01'));
    say('later');
    backUpAtEnd(database, noon('01') + 50_000);
    assert.deepEqual(files(), ['state-2026-03-01T1200.db', 'state-2026-03-01T120050.db']);
    assert.deepEqual(wordsIn('state-2026-03-01T120050.db'), ['later', 'noon']);
    assert.equal(newestBackup(folder.path), join(folder.path, 'backups', 'state-2026-03-01T120050.db'));
    utimesSync(database.path, 0, 0);
    backUpAtEnd(database, noon('01') + 70_000);
    assert.equal(files().length, 2, 'nothing changed since the last one');
  });

  it('take no notice of a write that is worth none, unless something changed before or beside it', () => {
    backUp(database, noon('01'));
    utimesSync(database.path, 0, 0);
    withoutBackup(database, () => say('epoch'));
    backUpAtEnd(database, noon('01') + minute);
    assert.equal(files().length, 1);
    const other = new SqliteDatabase(folder.path);
    withoutBackup(database, () => other.run("INSERT INTO words VALUES ('beside')"));
    other.close();
    backUpAtEnd(database, noon('01') + 2 * minute);
    assert.equal(files().length, 2);
    say('before');
    withoutBackup(database, () => say('epoch'));
    backUpAtEnd(database, noon('01') + 3 * minute);
    assert.equal(files().length, 3);
  });

  it('are left to the next hour when a copy would take longer than an end may', () => {
    backUp(database, noon('01'));
    truncateSync(database.path, 129 * 1024 * 1024);
    backUpAtEnd(database, noon('01') + minute);
    assert.deepEqual(files(), ['state-2026-03-01T1200.db']);
  });

  it('of many ends are thinned to the newest of each hour, and by the next driver only', () => {
    for (let minutes = 0; minutes < 180; minutes += 20) {
      say('more');
      backUpAtEnd(database, noon('01') + minutes * minute);
    }
    assert.equal(files().length, 9);
    backUp(database, noon('01') + 180 * minute - 1);
    assert.deepEqual(
      files(),
      ['124000', '134000', '140000', '142000', '144000'].map((time) => `state-2026-03-01T${time}.db`),
    );
  });

  it('are none where none was made', () => {
    assert.deepEqual([backupNames(folder.path), newestBackup(folder.path)], [[], undefined]);
  });
});
