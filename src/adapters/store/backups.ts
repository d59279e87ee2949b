import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backupNames } from './backupNames.ts';
import type { Database } from './database.ts';

const keptDays = 3;
const daily = /^state-\d{4}-\d{2}-\d{2}\.db$/;

/** Keeps one copy per day, the last three of them. Copies from before a migration are kept until a person removes them. */
export function backUpDaily(database: Database, now: number): void {
  const today = `state-${day(now)}.db`;
  if (backupNames(database.folder).includes(today)) return;
  writeBackup(database, today);
  const old = backupNames(database.folder)
    .filter((name) => daily.test(name))
    .slice(0, -keptDays);
  for (const name of old) rmSync(join(database.folder, 'backups', name), { force: true });
}

/** Keeps a copy of the database in this schema version. */
export function backUpBeforeMigration(database: Database, version: number, now: number): string {
  return writeBackup(database, `state-${day(now)}-schema-${String(version)}.db`);
}

/** `VACUUM INTO` writes a whole, consistent copy; a half-written one never has the final name. */
function writeBackup(database: Database, name: string): string {
  const folder = join(database.folder, 'backups');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = join(folder, `${name}.part`);
  rmSync(temporary, { force: true });
  database.run('VACUUM INTO ?', temporary);
  renameSync(temporary, join(folder, name));
  return join(folder, name);
}

function day(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}
