import { hash, randomUUID } from 'node:crypto';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import * as z from 'zod';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { Database, SqlValue } from '../sql/database.ts';
import { DatabaseBusy } from '../sql/whenFree.ts';
import {
  type Answer,
  anyConnection,
  type ConnectionStart,
  ended,
  raised,
  type Statement,
} from './connection.ts';
import { mark, reference, toPostgres } from './dialect.ts';
import { toStoreError } from './postgresErrors.ts';

/** Bytes; larger texts are rows of `bodies`. */
const largestInline = 64 * 1024;
/** Milliseconds before a wait for the server is told. */
const tellMs = 2_000;
/** Such waits without a sign of life until the connection's thread counts as dead; in its start, more. */
const mostSilent = 3;
const mostStarting = 30;

const Body = z.object({ content: z.instanceof(Uint8Array) });

export interface PostgresOptions {
  readonly url: string;
  /** The program that serves the connection: the store's worker. */
  readonly worker: URL;
  /** Called when something else changed the database, or may have. */
  readonly onChange?: () => void;
}

/**
 * A connection to PostgreSQL that answers at once: another thread talks to the server, and this one waits, so
 * that a transaction is one synchronous function here, too (docs/decisions/213-one-sql-two-databases.md).
 * Throws as SqliteDatabase does. A lost connection is DatabaseBusy, also in a commit that may have been made.
 */
export class PostgresDatabase implements Database {
  readonly path: string;
  /** Told while a call waits for the server. */
  onWait: (() => void) | undefined;
  readonly #options: PostgresOptions;
  readonly #translated = new Map<string, string>();
  #link: Link | undefined;
  #setUp = '';
  #at = anyConnection;
  #changes = 0;
  #schema = '';
  #versions = 0;

  constructor(options: PostgresOptions) {
    this.#options = options;
    this.path = placeOf(options.url);
  }

  /** Something else may write at any time, and nothing cheap tells. */
  get dataVersion(): unknown {
    return ++this.#versions;
  }

  /** Uses a repository's schema from now on, on each connection. */
  use(schema: string): void {
    this.#schema = schema;
    this.#setUp = `SET search_path = "${schema}", beadsmith, pg_catalog; LISTEN "${schema}"`;
    this.#ask({ do: 'setUp', sql: this.#setUp });
  }

  /** Statements without values. */
  exec(sql: string): void {
    this.#ask({ do: 'script', sql, at: this.#at });
  }

  run(sql: string, ...values: SqlValue[]): number {
    const { changes } = this.#query(sql, values);
    this.#changes += changes;
    return changes;
  }

  get(sql: string, ...values: SqlValue[]): unknown {
    return this.#query(sql, values).rows[0];
  }

  all(sql: string, ...values: SqlValue[]): readonly unknown[] {
    return this.#query(sql, values).rows;
  }

  rows<T>(schema: z.ZodType<T>, sql: string, ...values: SqlValue[]): readonly T[] {
    return this.all(sql, ...values).map((row) => schema.parse(row));
  }

  /** Locks the repository's row of `turn`, so that an epoch that was read stays until the commit. */
  write<T>(work: () => T): T {
    return this.transaction(() => {
      this.get('SELECT one FROM turn FOR UPDATE');
      return work();
    });
  }

  /** Others hear of it if it changed a row. */
  transaction<T>(work: () => T): T {
    this.#at = this.#ask({ do: 'script', sql: 'BEGIN', at: anyConnection }).at;
    this.#changes = 0;
    try {
      const value = work();
      const tell = this.#changes > 0 && this.#schema !== '' ? `NOTIFY "${this.#schema}"; ` : '';
      this.exec(`${tell}COMMIT`);
      return value;
    } catch (error) {
      try {
        this.exec('ROLLBACK');
      } catch {
        // Its connection is gone, and the server ends it.
      }
      throw error;
    } finally {
      this.#at = anyConnection;
    }
  }

  /**
   * A text as it is, or `\u0001#` and its hash in `bodies`. A text that begins with the mark itself gets
   * `\u0001=`, so none can pretend to be a reference.
   */
  pack(text: string): string {
    const isLarge = text.length * 3 > largestInline && Buffer.byteLength(text) > largestInline;
    if (!isLarge && !text.includes('\0')) return text.startsWith(mark) ? `${mark}=${text}` : text;
    const digest = hash('sha256', text);
    const known = this.get('SELECT 1 FROM bodies WHERE sha256 = ?', digest);
    if (known === undefined)
      this.run('INSERT INTO bodies VALUES (?, ?) ON CONFLICT DO NOTHING', digest, Buffer.from(text));
    return reference + digest;
  }

  /** Throws DATABASE_CORRUPT if its body is gone. */
  unpack(stored: string | Uint8Array): string {
    if (typeof stored !== 'string') return Buffer.from(stored).toString('utf8');
    if (!stored.startsWith(mark)) return stored;
    if (!stored.startsWith(reference)) return stored.slice(2);
    const row = this.get('SELECT content FROM bodies WHERE sha256 = ?', stored.slice(reference.length));
    if (row !== undefined) return Buffer.from(Body.parse(row).content).toString('utf8');
    throw new BeadsmithError('DATABASE_CORRUPT', {
      path: this.path,
      reason: 'a text is gone',
      backup: '(none)',
    });
  }

  close(): void {
    const link = this.#link;
    if (!link) return;
    this.#link = undefined;
    link.close();
  }

  #query(sql: string, values: readonly SqlValue[]): Extract<Answer, { rows: unknown }> {
    let translated = this.#translated.get(sql);
    if (translated === undefined) {
      translated = toPostgres(sql);
      this.#translated.set(sql, translated);
    }
    // PostgreSQL has no text with this character; what has to keep it is packed.
    const sent = values.map((value) =>
      typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value,
    );
    return this.#ask({ do: 'query', sql: translated, values: sent, at: this.#at });
  }

  #ask(statement: Statement): Extract<Answer, { rows: unknown }> {
    const answer = this.#connected().ask(statement, () => this.onWait?.());
    if (answer === undefined) {
      this.close();
      throw toStoreError({ message: 'its thread gave no answer', code: '', lost: true }, this.path);
    }
    if ('failure' in answer) throw toStoreError(answer.failure, this.path);
    return answer;
  }

  #connected(): Link {
    if (this.#link) return this.#link;
    if (this.#at !== anyConnection) throw new DatabaseBusy('the connection was lost');
    const { url, worker, onChange } = this.#options;
    this.#link = new Link(url, worker, onChange ?? (() => undefined));
    if (this.#setUp !== '') this.#link.ask({ do: 'setUp', sql: this.#setUp }, () => undefined);
    return this.#link;
  }
}

/** The thread of a connection, which is asked and waited for. */
class Link {
  readonly #worker: Worker;
  readonly #signal = new Int32Array(new SharedArrayBuffer(8));
  readonly #channel = new MessageChannel();
  readonly #changes = new MessageChannel();

  constructor(url: string, worker: URL, onChange: () => void) {
    const { port2: port } = this.#channel;
    const { port2: changes } = this.#changes;
    const start: ConnectionStart = { connection: { url, signal: this.#signal, port, changes } };
    this.#worker = new Worker(worker, {
      workerData: start,
      transferList: [port, changes],
      execArgv: [],
      name: `beadsmith postgres ${randomUUID().slice(0, 8)}`,
    });
    this.#worker.unref();
    this.#worker.on('error', () => undefined);
    this.#changes.port1.on('message', onChange).unref();
    this.#channel.port1.unref();
  }

  /** Undefined if the thread ended, or gives no sign of life. */
  ask(statement: Statement, onWait: () => void): Answer | undefined {
    this.#channel.port1.postMessage(statement);
    let told = performance.now();
    for (let silent = 0; ;) {
      const seen = Atomics.load(this.#signal, raised);
      const found = receiveMessageOnPort(this.#channel.port1);
      if (found) return found.message as Answer;
      const most = seen === 0 ? mostStarting : mostSilent;
      if (silent >= most || Atomics.load(this.#signal, ended) > 0) return undefined;
      silent = Atomics.wait(this.#signal, raised, seen, tellMs) === 'timed-out' ? silent + 1 : 0;
      if (performance.now() - told < tellMs) continue;
      told = performance.now();
      onWait();
    }
  }

  close(): void {
    this.#channel.port1.postMessage({ do: 'close' } satisfies Statement);
    this.#channel.port1.close();
    this.#changes.port1.close();
    // Ends by itself once the connection is closed; unless the server doesn't answer.
    setTimeout(() => void this.#worker.terminate(), tellMs).unref();
  }
}

/** Host and database, without the login. */
function placeOf(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `postgres://${host}${pathname}`;
  } catch {
    return 'postgres';
  }
}
