import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backupNames, newestBackup } from '../../../../src/adapters/store/backupNames.ts';
import { backUpBeforeMigration, backUpDaily } from '../../../../src/adapters/store/backups.ts';
import { Database } from '../../../../src/adapters/store/database.ts';
import { tempFolder } from '../../../support/tempFolder.ts';

const on = (day: string): number => Date.parse(`2026-03-${day}T12:00:00Z`);

describe('backups of the database', () => {
  let folder: ReturnType<typeof tempFolder>;
  let database: Database;
  beforeEach(() => {
    folder = tempFolder('backups');
    database = new Database(folder.path);
    database.exec('PRAGMA synchronous = OFF; CREATE TABLE words (word TEXT)');
  });
  afterEach(() => {
    database.close();
    folder.remove();
  });
  const files = (): readonly string[] => readdirSync(join(folder.path, 'backups')).sort();
  const say = (word: string): number => database.run('INSERT INTO words VALUES (?)', word);
  const wordsIn = (name: string): readonly unknown[] => {
    // A backup is a whole database: it opens in the place of the one it was made of.
    const copy = tempFolder('restored');
    try {
      database.run('VACUUM INTO ?', join(copy.path, 'unused.db'));
      const restored = new Database(copy.path);
      restored.run('ATTACH ? AS backup', join(folder.path, 'backups', name));
      const rows = restored.all('SELECT word FROM backup.words ORDER BY word').map((row) => (row as { word: string }).word);
      restored.close();
      return rows;
    } finally {
      copy.remove();
    }
  };

  it('are made once a day, of what was there first', () => {
    say('morning');
    backUpDaily(database, on('01'));
    say('evening');
    backUpDaily(database, on('01') + 3_600_000);
    assert.deepEqual(files(), ['state-2026-03-01.db']);
    assert.deepEqual(wordsIn('state-2026-03-01.db'), ['morning']);
  });

  it('are kept for the last three days with one, however long ago those are', () => {
    for (const day of ['01', '02', '09', '10', '28']) backUpDaily(database, on(day));
    assert.deepEqual(files(), ['state-2026-03-09.db', 'state-2026-03-10.db', 'state-2026-03-28.db']);
  });

  it('from before a migration are never removed, and may be the newest', () => {
    backUpBeforeMigration(database, 3, on('01'));
    for (const day of ['02', '03', '04', '05']) backUpDaily(database, on(day));
    assert.deepEqual(files()[0], 'state-2026-03-01-schema-3.db');
    assert.equal(files().length, 4);
    const path = backUpBeforeMigration(database, 4, on('09'));
    assert.equal(newestBackup(folder.path), path);
  });

  it('are whole or not there: a copy that was cut off is no backup, and is written again', () => {
    mkdirSync(join(folder.path, 'backups'));
    writeFileSync(join(folder.path, 'backups', 'state-2026-03-01.db.part'), 'half of a copy');
    assert.deepEqual(backupNames(folder.path), []);
    say('whole');
    backUpDaily(database, on('01'));
    assert.deepEqual(files(), ['state-2026-03-01.db']);
    assert.deepEqual(wordsIn('state-2026-03-01.db'), ['whole']);
  });

  it('leave files of people alone', () => {
    mkdirSync(join(folder.path, 'backups'));
    for (const name of ['mine.db', 'state-old.db', 'notes.txt']) writeFileSync(join(folder.path, 'backups', name), '');
    for (const day of ['01', '02', '03', '04']) backUpDaily(database, on(day));
    for (const name of ['mine.db', 'state-old.db', 'notes.txt']) assert.ok(existsSync(join(folder.path, 'backups', name)), name);
  });

  it('are none where none was made', () => {
    assert.deepEqual([backupNames(folder.path), newestBackup(folder.path)], [[], undefined]);
  });
});
