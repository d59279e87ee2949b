import type { MessagePort } from 'node:worker_threads';
import type { Client, QueryArrayResult } from 'pg';
import { connectMs, loadPg, session } from './loadPg.ts';
import { changedPlan, type PostgresFailure } from './postgresErrors.ts';

/** The start of a connection's thread. */
export interface ConnectionStart {
  readonly connection: {
    readonly url: string;
    /** Raised by each answer and sign of life, and waited for by the asking thread; then the thread's end. */
    readonly signal: Int32Array<SharedArrayBuffer>;
    readonly port: MessagePort;
    /** Tells that something else changed the database. */
    readonly changes: MessagePort;
  };
}

/** `at`: the transaction's connection; on another one the statement isn't made. */
export type Statement =
  | { readonly do: 'query'; readonly sql: string; readonly values: readonly unknown[]; readonly at: number }
  | { readonly do: 'script'; readonly sql: string; readonly at: number }
  /** From now on, after each connect. */
  | { readonly do: 'setUp'; readonly sql: string }
  | { readonly do: 'close' };

export type Answer =
  | { readonly rows: readonly unknown[]; readonly changes: number; readonly at: number }
  | { readonly failure: PostgresFailure };

/** In `signal`. */
export const raised = 0;
export const ended = 1;

/** Any connection will do. */
export const anyConnection = 0;

/** Milliseconds. */
const reconnectMs = 500;
/** Without a statement, until the server is asked whether it is there. */
const unusedMs = 20_000;
/** Between signs of life while something was asked. */
const signMs = 500;

/** Types as SQLite has them: numbers, and flags as numbers. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => Number(text === 't'),
  20: Number,
  21: Number,
  23: Number,
  700: Number,
  701: Number,
  1700: Number,
};

/** Serves one connection to PostgreSQL to a thread that waits for each answer. */
export function serveConnection({ url, signal, port, changes }: ConnectionStart['connection']): void {
  let client: Client | undefined;
  let generation = 0;
  let setUp = '';
  let isClosed = false;
  const names = new Map<string, string>();
  let lastName = 0;
  let usedAt = performance.now();
  let looking: Promise<unknown> | undefined;
  const raise = (): void => {
    Atomics.add(signal, raised, 1);
    Atomics.notify(signal, raised);
  };
  // The asking thread waits, and hears no event.
  process.once('exit', () => {
    Atomics.store(signal, ended, 1);
    raise();
  });

  const parser = (oid: number): ((text: string) => unknown) => parsers[oid] ?? ((text) => text);
  const connect = async (): Promise<Client> => {
    const { Client: PgClient } = await loadPg();
    const made = new PgClient({
      connectionString: url,
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      application_name: 'beadsmith',
      types: { getTypeParser: (oid: number) => (oid === bytes ? toBytes : parser(oid)) },
    });
    const isFirst = generation === 0;
    const forget = (): void => {
      if (client !== made) return;
      client = undefined;
      // What was told meanwhile is lost: listeners read again after the reconnect.
      if (!isClosed) setTimeout(() => void reconnect(), reconnectMs);
    };
    made.on('error', forget);
    made.on('end', forget);
    // Its own are told by the calls that made them.
    made.on('notification', ({ processId }) => {
      if (processId !== Reflect.get(made, 'processID')) changes.postMessage('changed');
    });
    try {
      await made.connect();
      await made.query(session + setUp);
    } catch (error) {
      void made.end().catch(() => undefined);
      throw error;
    }
    names.clear();
    client = made;
    generation++;
    if (!isFirst) changes.postMessage('changed');
    return made;
  };
  let connecting: Promise<Client> | undefined;
  const connected = async (): Promise<Client> => {
    if (client) return client;
    connecting ??= connect().finally(() => (connecting = undefined));
    return connecting;
  };
  const reconnect = async (): Promise<void> => {
    if (isClosed || client) return;
    await connected().catch(() => setTimeout(() => void reconnect(), reconnectMs));
  };

  const answer = async (statement: Statement): Promise<Answer> => {
    usedAt = performance.now();
    await looking;
    if (statement.do === 'close') {
      isClosed = true;
      await client?.end().catch(() => undefined);
      return { rows: [], changes: 0, at: generation };
    }
    if (statement.do === 'setUp') setUp = statement.sql;
    const isSetUp = statement.do === 'setUp' && client === undefined;
    const at = statement.do === 'setUp' ? anyConnection : statement.at;
    if (at !== anyConnection && (at !== generation || !client))
      return { failure: { message: 'the connection was lost', code: '', lost: true } };
    let used: Client;
    try {
      used = await connected();
    } catch (error) {
      return { failure: failureOf(error, true) };
    }
    if (isSetUp) return { rows: [], changes: 0, at: generation };
    try {
      const found = await ask(used, statement);
      // A script has a result for each of its statements.
      const last = Array.isArray(found) ? (found.at(-1) as QueryArrayResult) : found;
      return { rows: last.rows, changes: last.rowCount ?? 0, at: generation };
    } catch (error) {
      const failure = failureOf(error, false);
      // Tables changed: the statements are prepared again.
      if (failure.code === changedPlan) names.clear();
      if (failure.lost && client === used) {
        client = undefined;
        void used.end().catch(() => undefined);
        setTimeout(() => void reconnect(), reconnectMs);
      }
      return { failure };
    }
  };
  // A connection that only listens would never know that the network swallows it.
  setInterval(() => {
    if (performance.now() - usedAt >= unusedMs)
      looking ??= client
        ?.query('SELECT 1')
        .catch(() => undefined)
        .finally(() => (looking = undefined));
  }, unusedMs).unref();
  const ask = (used: Client, statement: Exclude<Statement, { do: 'close' }>) => {
    if (statement.do !== 'query') return used.query(statement.sql);
    const name = names.get(statement.sql) ?? `s${++lastName}`;
    names.set(statement.sql, name);
    return used.query({ name, text: statement.sql, values: [...statement.values] });
  };

  port.on('message', (statement: Statement) => {
    raise();
    const signs = setInterval(raise, signMs);
    void answer(statement).then((answered) => {
      clearInterval(signs);
      port.postMessage(answered);
      raise();
      if (statement.do === 'close') {
        port.close();
        changes.close();
      }
    });
  });
}

const bytes = 17;
/** `\x` and two digits a byte. */
function toBytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.slice(2), 'hex'));
}

/** An error with a severity is the server's word; another one is of the connection. */
function failureOf(error: unknown, connecting: boolean): PostgresFailure {
  const of = (name: string): string => {
    const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
    return typeof value === 'string' ? value : '';
  };
  const code = of('code');
  if (code === 'ERR_MODULE_NOT_FOUND')
    return { message: 'the package pg is missing: run "npm install pg"', code: '58P01', lost: false };
  const message = of('message') || code || String(error);
  if (of('severity') === '') return { message, code: '', lost: true };
  // A refused login stays refused.
  const isRefused = connecting && /^(?:28|3D)/.test(code);
  return { message, code, lost: !isRefused && (of('severity') === 'FATAL' || code.startsWith('08')) };
}
