import { openTeamDatabase } from '../../../src/adapters/store/postgres/serveTeam.ts';
import { startLocalServer, type LocalServer } from '../../../src/adapters/store/postgres/localServer.ts';
import type { PostgresDatabase } from '../../../src/adapters/store/postgres/postgresDatabase.ts';
import { TeamStore } from '../../../src/adapters/store/postgres/teamStore.ts';
import { directStore } from '../engine/tempStore.ts';
import { until } from '../until.ts';
import { tempFolder } from '../tempFolder.ts';
import type { NewStore } from './anyStore.ts';

export const teamWorker = new URL('../../../src/adapters/store/postgres/worker.ts', import.meta.url);

/** PostgreSQL for the tests of a `describe`; nothing in it outlives a power loss. */
export function postgresServer(options: { readonly fsync?: 'on' | 'off' } = {}): {
  readonly url: string;
  readonly server: LocalServer;
  /** After a stop. */
  start(): Promise<void>;
  restart(): Promise<void>;
  /** Kills it as a power loss would, and starts it again. */
  kill(): Promise<void>;
} {
  const folder = tempFolder('postgres');
  let server: LocalServer | undefined;
  const start = async (): Promise<void> => {
    const settings = {
      fsync: options.fsync ?? 'off',
      autovacuum: 'off',
      shared_buffers: '16MB',
      max_connections: '40',
    };
    server = await startLocalServer({ folder: folder.path, worker: teamWorker, settings });
  };
  before(start);
  after(async () => {
    await server?.stop();
    folder.remove();
  });
  const started = (): LocalServer => server ?? assertStarted();
  return {
    get url() {
      return started().url;
    },
    get server() {
      return started();
    },
    start,
    restart: async () => {
      await started().stop();
      await start();
    },
    kill: async () => {
      const { pid, ended } = started();
      process.kill(pid, 'SIGKILL');
      await ended;
      // Its children may hold the memory for a moment.
      await until(
        () =>
          start().then(
            () => true,
            () => false,
          ),
        'the server starts again',
      );
    },
  };
}

function assertStarted(): never {
  throw new Error('The server starts with the first test');
}

/** SQLite's functions that alter rows as damage does. */
const tampering = `
  CREATE FUNCTION json_set(text, text, json) RETURNS text LANGUAGE sql AS
    $f$ SELECT jsonb_set($1::jsonb, beadsmith.json_path($2), $3::jsonb)::text $f$;
  CREATE FUNCTION json_set(text, text, text) RETURNS text LANGUAGE sql AS
    $f$ SELECT jsonb_set($1::jsonb, beadsmith.json_path($2), to_jsonb($3))::text $f$;
  CREATE FUNCTION json_set(text, text, integer) RETURNS text LANGUAGE sql AS
    $f$ SELECT jsonb_set($1::jsonb, beadsmith.json_path($2), to_jsonb($3))::text $f$;
  CREATE FUNCTION json_remove(text, text) RETURNS text LANGUAGE sql AS
    $f$ SELECT ($1::jsonb #- beadsmith.json_path($2))::text $f$;
`;
const tables =
  'claims, journal, steps, runs, inbox, artifacts, beads, sessions, calls, usage, comments, bodies, tickets, writes, meta';

/** Stores of one repository, one after the other, each with nothing in it. */
export function postgresStores(server: { readonly url: string }): NewStore {
  let database: PostgresDatabase;
  let check: ConstructorParameters<typeof TeamStore>[1]['check'];
  let runners = 0;
  before(async () => {
    ({ database, check } = await openTeamDatabase({
      url: server.url,
      worker: teamWorker,
      repository: 'example/contract',
      patienceMs: 10_000,
    }));
    database.exec(tampering);
  });
  after(() => database.close());
  return ({ now = () => Date.now() } = {}) => {
    database.exec(
      `TRUNCATE ${tables}; TRUNCATE dismissals RESTART IDENTITY; INSERT INTO meta VALUES ('epoch', '0')`,
    );
    const open = (): ReturnType<typeof directStore> => {
      const store = new TeamStore(database, { now, check, runner: `runner-${++runners}` });
      const claimed = <T extends { readonly id: string }>(ticket: T): T => {
        store.claims.claim(ticket.id, 0);
        return ticket;
      };
      store.calls.tickets().forEach(claimed);
      const { createTicket, putIn } = store.calls;
      Object.assign(store.calls, {
        createTicket: (input: Parameters<typeof createTicket>[0]) => claimed(createTicket(input)),
        putIn: (moved: Parameters<typeof putIn>[0]) => {
          putIn(moved);
          claimed({ id: moved.ticket });
        },
      });
      return directStore(store);
    };
    return {
      store: open(),
      reopen: open,
      tamper: (sql, work) => {
        database.exec(sql.replaceAll(/\bjson\(/g, 'beadsmith.as_json('));
        work?.(database);
      },
    };
  };
}
