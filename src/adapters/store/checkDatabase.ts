import * as z from 'zod';
import type { Store } from '../../engine/ports/storePort.ts';
import type { Database } from './database.ts';
import { versionOf } from './migrate.ts';

const Found = z.object({ integrity_check: z.string() });
const Version = z.object({ version: z.string() });

/** Every page and index of the database, and which SQLite reads it. */
export function checkDatabase(database: Database): Awaited<ReturnType<Store['check']>> {
  const { integrity_check: found } = Found.parse(database.get('PRAGMA integrity_check(1)'));
  const { version } = Version.parse(database.get('SELECT sqlite_version() AS version'));
  return { schema: versionOf(database), sqlite: version, problem: found === 'ok' ? null : found };
}
