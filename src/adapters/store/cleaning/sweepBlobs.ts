import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { backupNames } from '../sqlite/backupNames.ts';
import { Database } from '../sqlite/database.ts';

/** Every column that may name a file. */
const columns = [
  ['journal', 'entry'],
  ['journal', 'covers'],
  ['inbox', 'body'],
  ['artifacts', 'content'],
  ['calls', 'plan'],
  ['calls', 'input'],
  ['calls', 'output'],
] as const;
const Hash = z.object({ hash: z.string() });

/**
 * A file that was written, or wanted again, this recently may belong to a transaction that isn't committed
 * yet.
 */
const graceMs = 3_600_000;

/**
 * Removes the large texts that neither the database names nor a backup, nor a database that was replaced. If
 * one of those can't be read, nothing is removed.
 */
export function sweepBlobs(database: Database, now: number): void {
  const { folder } = database;
  const replaced = readdirSync(folder).filter((name) => /^state\.db\.damaged-[^-]+-\d\d-[^-]+$/.test(name));
  const named = new Set<string>();
  try {
    for (const name of backupNames(folder)) addNamed(named, join(folder, 'backups'), name);
    for (const name of replaced) addNamed(named, folder, name);
  } catch {
    return;
  }
  collect(named, database);
  const blobs = join(folder, 'blobs');
  if (!existsSync(blobs)) return; // no text was that large yet
  for (const entry of readdirSync(blobs, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/^[0-9a-f]{64}$/.test(entry.name) || named.has(entry.name)) continue;
    if (now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) >= graceMs)
      rmSync(path, { force: true });
  }
}

function addNamed(named: Set<string>, folder: string, file: string): void {
  const database = new Database(folder, { readOnly: true, file });
  try {
    collect(named, database);
  } finally {
    database.close();
  }
}

function collect(named: Set<string>, database: Database): void {
  for (const [table, column] of columns)
    for (const row of database.all(
      `SELECT lower(hex(${column})) AS hash FROM ${table} WHERE typeof(${column}) = 'blob'`,
    ))
      named.add(Hash.parse(row).hash);
}
