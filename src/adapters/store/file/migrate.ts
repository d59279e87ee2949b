import * as z from 'zod';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { backUpBeforeMigration } from './backups.ts';
import type { Database } from '../sqlite/database.ts';
import { applicationId, migrations } from '../sqlite/schema.ts';

const Version = z.object({ user_version: z.number() });

/** The schema version of an open database; 0 when it is empty. */
export function versionOf(database: Database): number {
  return Version.parse(database.get('PRAGMA user_version')).user_version;
}

/**
 * Makes the tables of an empty database and stores whose it is, in one transaction: another process sees
 * nothing or all of it, and a killed one leaves nothing half made. Several processes may try at once: the
 * second finds it done.
 */
export function create(
  database: Database,
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
    database.exec(`PRAGMA user_version = ${String(steps.length)}`);
  });
}

/** So that the file says whose it is, to this program and to others. */
export function markAsOurs(database: Database): void {
  database.exec(`PRAGMA application_id = ${String(applicationId)}`);
}

/** Stores that the database belongs to an installation. */
export function storeInstallation(database: Database, installation: string): void {
  database.run(
    `INSERT INTO meta VALUES ('installation', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    installation,
  );
}

/**
 * Updates the schema, each step in its own transaction, after a backup if there is data. Several processes
 * may try at once: the second finds the step done. Throws DATABASE_NEWER if the database is newer than this
 * program.
 */
export function migrate(database: Database, now: number, steps: readonly string[] = migrations): void {
  const found = versionOf(database);
  if (found > steps.length) throw new BeadsmithError('DATABASE_NEWER', { found, known: steps.length });
  if (found > 0 && found < steps.length) backUpBeforeMigration(database, found, now);
  for (const [index, sql] of steps.entries()) {
    if (index < found) continue;
    database.write(() => {
      if (versionOf(database) !== index) return;
      database.exec(sql);
      database.exec(`PRAGMA user_version = ${String(index + 1)}`);
    });
  }
}
