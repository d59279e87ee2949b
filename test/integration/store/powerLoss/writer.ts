import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteDatabase } from '../../../../src/adapters/store/sqlite/database.ts';

/**
 * Keeps after each commit what the disk is sure to have: `writer.ts <state folder> <disk> <copies> <count>`.
 */
const [folder = '', disk = '', copies = '', count = '0'] = process.argv.slice(2);
const database = new SqliteDatabase(folder);
database.exec('CREATE TABLE IF NOT EXISTS words (word TEXT)');
for (let row = 1; row <= Number(count); row++) {
  database.write(() => database.run('INSERT INTO words VALUES (?)', `${String(row)} ${'x'.repeat(3_000)}`));
  cpSync(disk, join(copies, String(row)), { recursive: true });
}
database.close();
