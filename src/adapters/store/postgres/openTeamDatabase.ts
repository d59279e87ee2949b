import * as z from 'zod';
import type { Store } from '../../../engine/ports/storePort.ts';
import { schemaVersion } from '../sql/migrations.ts';
import { whenFree } from '../sql/whenFree.ts';
import { PostgresDatabase, type PostgresOptions } from './postgresDatabase.ts';
import { prepareRepository } from './prepare.ts';

export const TeamRequest = z.object({
  /** With the login. */
  url: z.string(),
  repository: z.string(),
  /** Null for a process that drives nothing. */
  runner: z.string().nullable(),
  /** Of a new repository: its address for clones. */
  origin: z.string().optional(),
  writer: z.string(),
});

const Server = z.object({ server_version: z.string() });

export interface TeamDatabase {
  readonly database: PostgresDatabase;
  readonly check: () => Awaited<ReturnType<Store['check']>>;
}

/** Opens a repository in a team's database, and makes its tables. Throws DATABASE_IO, DATABASE_NEWER. */
export async function openTeamDatabase(
  options: PostgresOptions & {
    readonly repository: string;
    readonly origin?: string | undefined;
    readonly patienceMs: number;
  },
): Promise<TeamDatabase> {
  const database = new PostgresDatabase(options);
  try {
    await whenFree(() => prepareRepository(database, options.repository, { origin: options.origin }), {
      patienceMs: () => options.patienceMs,
    });
  } catch (error) {
    database.close();
    throw error;
  }
  const check = (): Awaited<ReturnType<Store['check']>> => {
    const { server_version: version } = Server.parse(database.get('SHOW server_version'));
    return { schema: schemaVersion, sqlite: `PostgreSQL ${version}`, problem: null };
  };
  return { database, check };
}
