import type { MessagePort } from 'node:worker_threads';
import { errorRecord, toBeadsmithError } from '../../../domain/core/errors.ts';
import { serveCalls } from '../sql/serveCalls.ts';
import type { FromWorker } from '../sql/workerMessages.ts';
import { TeamStore } from './teamStore.ts';
import * as z from 'zod';
import type { Store } from '../../../engine/ports/storePort.ts';
import { schemaVersion } from '../sql/migrations.ts';
import { whenFree } from '../sql/whenFree.ts';
import { PostgresDatabase, type PostgresOptions } from './postgresDatabase.ts';
import { prepareRepository, type Preparing } from './prepare.ts';

/** Milliseconds that an opening waits for the server; a runner waits as long as it takes. */
const openingMs = 10_000;

/** Serves a team's store to the other thread. `worker`: this program, for the connection. */
export async function serveTeam(port: MessagePort, data: object, worker: URL): Promise<void> {
  const say = (message: FromWorker): void => {
    port.postMessage(message);
  };
  try {
    const { runner, ...start } = TeamRequest.parse(data);
    const opened = await openTeamDatabase({
      ...start,
      worker,
      patienceMs: runner === null ? openingMs : Number.POSITIVE_INFINITY,
      onChange: () => say({ type: 'changed' }),
    });
    const { database, check } = opened;
    const store = new TeamStore(database, {
      now: () => Date.now(),
      runner,
      writer: start.writer,
      check,
    });
    const calls = { ...store.calls, ...store.facts, ...store.claims, ...store.places, ...store.log };
    serveCalls(port, {
      store: { calls, once: (...write) => store.once(...write) },
      reason: null,
      isPatient: runner !== null,
      onCall: (sayWaiting) => (database.onWait = sayWaiting),
      stop: () => undefined,
      end: () => store.close(),
    });
    const methods = Object.keys(calls);
    say({ type: 'opened', opened: { mode: 'open', epoch: null, readable: true, methods, reason: null } });
  } catch (error) {
    say({ type: 'failed', error: errorRecord(toBeadsmithError(error)) });
    port.close();
  }
}

const TeamRequest = z.object({
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

interface TeamDatabase {
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
