import * as z from 'zod';
import { BeadsmithError } from '../../domain/errors.ts';
import { backUpBeforeMigration } from './backups.ts';
import type { Database } from './database.ts';
import { migrations } from './schema.ts';

const Version = z.object({ user_version: z.number() });

/** The schema version of an open database; 0 when it is empty. */
export function versionOf(database: Database): number {
  return Version.parse(database.get('PRAGMA user_version')).user_version;
}

/**
 * Updates the schema, each step in its own transaction, after a backup if there is data. Several processes may try at once: the second finds the step
 * done. Throws DATABASE_NEWER if the database is newer than this program.
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
