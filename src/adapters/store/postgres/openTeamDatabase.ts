import * as z from 'zod';
import type { Store } from '../../../engine/ports/storePort.ts';
import { schemaVersion } from '../sql/migrations.ts';
import { whenFree } from '../sql/whenFree.ts';
import { PostgresDatabase, type PostgresOptions } from './postgresDatabase.ts';
import { prepareRepository, type Preparing } from './prepare.ts';

export const TeamRequest = z.object({
  /** With the login. */
  url: z.string(),
  repository: z.string(),
  /** Null for a process that drives nothing. */
  runner: z.string().nullable(),
  /** Makes or updates its tables. */
  make: z.boolean().default(true),
  /** Of a new repository: its address for clones, without a login. */
  origin: z.string().default(''),
  writer: z.string(),
});

const Server = z.object({ server_version: z.string() });

export interface TeamDatabase {
  readonly database: PostgresDatabase;
  readonly check: () => Awaited<ReturnType<Store['check']>>;
}

/** Opens a repository in a team's database. Throws DATABASE_IO, and as `prepareRepository` does. */
export async function openTeamDatabase(
  options: PostgresOptions & Preparing & { readonly repository: string; readonly patienceMs: number },
): Promise<TeamDatabase> {
  const database = new PostgresDatabase(options);
  try {
    await whenFree(() => prepareRepository(database, options.repository, options), {
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
