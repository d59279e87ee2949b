import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { backUp } from '../../../../../src/adapters/store/file/backups.ts';
import { listBackups, restoreBackup } from '../../../../../src/adapters/store/file/restore.ts';
import { openDatabase } from '../../../../../src/adapters/store/file/openDatabase.ts';
import { OwnerFile } from '../../../../../src/adapters/store/sqlite/ownerFile.ts';
import { schemaVersion } from '../../../../../src/adapters/store/sql/migrations.ts';
import { SqliteStore } from '../../../../../src/adapters/store/sqliteStore.ts';
import { BeadsmithError } from '../../../../../src/domain/core/errors.ts';
import { folderForEach } from '../../../../support/tempFolder.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');
const hour = 3_600_000;
const newTicket = { prefix: 'ABC', atLeast: 1, description: 'Say hello.', priority: 3 };

describe('restoring a backup', () => {
  const folder = folderForEach('restore');
  let path: string;
  beforeEach(() => (path = join(folder.path, 'state.db')));

  const work = (titles: readonly string[], at: number): number => {
    const opened = openDatabase(
      { folder: folder.path, drive: false, installation: 'mine', adopt: false },
      at,
    );
    assert.ok(opened.mode === 'open');
    const store = new SqliteStore(opened.database, () => at);
    const epoch = store.adopt();
    for (const title of titles) store.calls.createTicket({ ...newTicket, title });
    backUp(opened.database, at);
    store.close();
    return epoch;
  };
  const read = (sql: string): readonly unknown[] => {
    const database = new DatabaseSync(path);
    const rows = database.prepare(sql).all();
    database.close();
    return rows.map((row) => Object.values(row)[0]);
  };
  const tamper = (sql: string): void => {
    const database = new DatabaseSync(path);
    database.exec(sql);
    database.close();
  };
  const code = (wanted: string) => (error: unknown) =>
    error instanceof BeadsmithError && error.code === wanted;
  const damage = (): Buffer => {
    const bytes = readFileSync(path);
    bytes.fill(0x58, 0, 4_096);
    writeFileSync(path, bytes);
    return bytes;
  };
  const first = 'state-2026-03-01T1200.db';
  const second = 'state-2026-03-01T1400.db';

  it('lists them with their tickets, the newest first, and says what is wrong with one', () => {
    work(['One'], noon);
    work(['Two'], noon + 2 * hour);
    writeFileSync(join(folder.path, 'backups', 'state-2026-03-02T1200.db'), 'no database');
    const listed = listBackups(folder.path);
    assert.deepEqual(
      listed.map(({ name, tickets, problem }) => [name, tickets, problem === null]),
      [
        ['state-2026-03-02T1200.db', 0, false],
        [second, 2, true],
        [first, 1, true],
      ],
    );
    assert.deepEqual([listed[1]?.at, (listed[1]?.bytes ?? 0) > 10_000], [noon + 2 * hour, true]);
  });

  it('lists the one of the end of a driver ahead of one that was made in the same second', () => {
    work(['One'], noon);
    copyFileSync(
      join(folder.path, 'backups', first),
      join(folder.path, 'backups', 'state-2026-03-01T120000.db'),
    );
    assert.deepEqual(
      listBackups(folder.path).map(({ name }) => name),
      ['state-2026-03-01T120000.db', first],
    );
  });

  it('puts it in the place of a damaged database, which is kept, and raises the epoch', async () => {
    const epoch = work(['One'], noon);
    work(['Two'], noon + 2 * hour);
    const bytes = damage();
    writeFileSync(`${path}-journal`, 'what SQLite would play back');
    const restored = await restoreBackup(folder.path, first, {}, noon + 3 * hour);
    assert.deepEqual(read("SELECT json_extract(body, '$.title') FROM tickets"), ['One']);
    assert.ok(Number(read(`SELECT value FROM meta WHERE key = 'epoch'`)[0]) > epoch + 1);
    assert.equal(restored.damaged, `${path}.damaged-2026-03-01T150000`);
    assert.deepEqual(readFileSync(restored.damaged), bytes);
    assert.equal(readFileSync(`${restored.damaged}-journal`, 'utf8'), 'what SQLite would play back');
    assert.equal(existsSync(`${path}-journal`), false);
    assert.ok(existsSync(join(folder.path, 'backups', first)), 'the backup stays');
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => name.startsWith('restoring') || name.startsWith('owner')),
      [],
    );
  });

  it('works where the database is gone', async () => {
    work(['One'], noon);
    writeFileSync(path, '');
    await restoreBackup(folder.path, first, {}, noon);
    assert.equal(read('SELECT count(*) FROM tickets')[0], 1);
  });

  it('changes nothing while another process drives', async () => {
    work(['One'], noon);
    const claim = await OwnerFile.claim(folder.path);
    assert.ok(claim.kind === 'owned');
    const before = readFileSync(path);
    await assert.rejects(restoreBackup(folder.path, first, {}, noon), code('DRIVEN_ELSEWHERE'));
    assert.deepEqual(readFileSync(path), before);
    await claim.owner.release();
  });

  it('refuses a backup that is damaged, newer, no database of ours, or not there, and changes nothing', async () => {
    work(['One'], noon);
    const before = readFileSync(path);
    const put = (name: string, make: (file: string) => void): string => {
      make(join(folder.path, 'backups', name));
      return name;
    };
    const sql = (text: string) => (file: string) => {
      writeFileSync(file, readFileSync(join(folder.path, 'backups', first)));
      const database = new DatabaseSync(file);
      database.exec(text);
      database.close();
    };
    const bad = [
      put('a.db', (file) => {
        const bytes = readFileSync(join(folder.path, 'backups', first));
        bytes.fill(0x58, 8_192, 20_000);
        writeFileSync(file, bytes);
      }),
      put('b.db', sql(`PRAGMA user_version = ${String(schemaVersion + 1)}`)),
      put('c.db', sql('DROP TABLE meta')),
      put('d.db', (file) => writeFileSync(file, '')),
      'none.db',
      '../state.db',
    ];
    for (const name of bad)
      await assert.rejects(restoreBackup(folder.path, name, {}, noon), code('BACKUP_UNUSABLE'), name);
    assert.deepEqual(readFileSync(path), before);
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => name.includes('damaged')),
      [],
    );
  });

  it('names the branches that are newer, and pauses their tickets', async () => {
    work(['One', 'Two', 'Three'], noon - 2 * hour);
    const [one, two, three] = read('SELECT id FROM tickets ORDER BY number').map(String);
    assert.ok(one !== undefined && two !== undefined && three !== undefined);
    const known = 'a'.repeat(40);
    const newer = 'b'.repeat(40);
    for (const id of [one, two, three])
      tamper(
        `UPDATE tickets SET status = 'CODING', body = json_set(body, '$.baseCommit', '${known}') WHERE id = '${id}'`,
      );
    tamper(`UPDATE tickets SET status = 'COMPLETED' WHERE id = '${three}'`);
    work([], noon);
    damage();
    const { lost } = await restoreBackup(
      folder.path,
      first,
      { [one]: known, [two]: newer, [three]: newer, 'ABC-99': newer },
      noon,
    );
    assert.deepEqual(
      lost.map(({ ticket, known: isKnown }) => [ticket, isKnown]),
      [
        [two, true],
        [three, true],
        ['ABC-99', false],
      ],
    );
    assert.equal(lost[0]?.ref, `refs/beadsmith/${two}/restored/2026-03-01T120000`);
    assert.deepEqual(read(`SELECT json_extract(body, '$.hold.kind') FROM tickets ORDER BY number`), [
      null,
      'paused',
      null,
    ]);
    assert.match(
      String(read(`SELECT json_extract(body, '$.hold.detail') FROM tickets WHERE id = '${two}'`)[0]),
      /restored\/2026-03-01T120000/,
    );
  });

  it('keeps a window that has the replaced file open from writing to it', async () => {
    work(['One'], noon);
    const opened = openDatabase(
      { folder: folder.path, drive: false, installation: 'mine', adopt: false },
      noon,
    );
    assert.ok(opened.mode === 'open');
    const follower = new SqliteStore(opened.database, () => noon);
    await restoreBackup(folder.path, first, {}, noon);
    assert.throws(
      () => follower.calls.createTicket({ ...newTicket, title: 'Lost' }),
      code('DATABASE_READ_ONLY'),
    );
    follower.close();
  });
});
