import * as z from 'zod';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { backUpBeforeMigration } from './backups.ts';
import { migrations } from '../sql/migrations.ts';
import type { SqliteDatabase } from '../sqlite/database.ts';

const Version = z.object({ user_version: z.number() });

/** 0 when it is empty. */
export function versionOf(database: SqliteDatabase): number {
  return Version.parse(database.get('PRAGMA user_version')).user_version;
}

/**
 * Makes an empty database's tables and stores its owner in one transaction. Of several processes the later
 * ones find it done.
 */
export function create(
  database: SqliteDatabase,
  installation: string,
  steps: readonly string[] = migrations,
): void {
  database.write(() => {
    if (versionOf(database) > 0) return;
    if (database.get('SELECT 1 FROM sqlite_master') !== undefined)
      throw new BeadsmithError('DATABASE_UNKNOWN', { path: database.path });
    markAsOurs(database);
    for (const sql of steps) database.exec(sql);
    storeInstallation(database, installation);
    database.exec(`PRAGMA user_version = ${steps.length}`);
  });
}

/** The file says whose it is, to any program. */
export function markAsOurs(database: SqliteDatabase): void {
  database.exec(`PRAGMA application_id = ${applicationId}`);
}

export function storeInstallation(database: SqliteDatabase, installation: string): void {
  database.run(
    `INSERT INTO meta VALUES ('installation', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    installation,
  );
}

/**
 * Each step in its own transaction, after a backup of any data; a second process finds it done. Throws
 * DATABASE_NEWER.
 */
export function migrate(database: SqliteDatabase, now: number, steps: readonly string[] = migrations): void {
  const found = versionOf(database);
  if (found > steps.length) throw new BeadsmithError('DATABASE_NEWER', { found, known: steps.length });
  if (found > 0 && found < steps.length) backUpBeforeMigration(database, found, now);
  for (const [index, sql] of steps.entries()) {
    if (index < found) continue;
    database.write(() => {
      if (versionOf(database) !== index) return;
      database.exec(sql);
      database.exec(`PRAGMA user_version = ${index + 1}`);
    });
  }
}

/** "Bead", SQLite's application id of ours. */
export const applicationId = 0x42656164;
