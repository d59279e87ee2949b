import type { Client } from 'pg';
import * as z from 'zod';
import { roles } from './roles.ts';

const Id = z.coerce.number();
const Runner = z.object({
  id: z.string(),
  host: z.string(),
  version: z.string(),
  at_once: Id,
  wanted: z.enum(['work', 'pause', 'drain', 'leave']),
  started_at: Id,
  seen_at: Id,
  silent: z.boolean(),
});
const Repository = z.object({ id: Id, name: z.string(), url: z.string() });
const Rights = z.object({ makes: z.boolean(), hasRole: z.boolean() });
const Waiting = z.object({ ticket: z.string(), entry: z.string(), priority: Id });

/** A runner, as its team knows it. `silent`: it is taken for gone. */
export type RunnerRow = z.infer<typeof Runner>;
export type RepositoryRow = z.infer<typeof Repository>;
/** A ticket and the newest entry that it has not taken. */
export type WaitingTicket = z.infer<typeof Waiting>;

export interface NewRunner {
  readonly id: string;
  readonly host: string;
  readonly version: string;
  readonly atOnce: number;
}

/** Milliseconds since 1970, by the server's clock. */
const now = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)';
const connectMs = 5_000;
const answerMs = 20_000;

/** The runners of a team, and what waits for one of them. Each call fails while the server is away. */
export class RunnerRows {
  readonly #url: string;
  readonly #silentMs: number;
  readonly #onChange: (repository: number) => void;
  readonly #heard = new Set<number>();
  #client: Promise<Client> | undefined;
  #isClosed = false;

  /** `onChange`: a repository's tickets changed. `silentMs`: after them, a runner is taken for gone. */
  constructor(options: {
    readonly url: string;
    readonly silentMs: number;
    readonly onChange: (repository: number) => void;
  }) {
    this.#url = options.url;
    this.#silentMs = options.silentMs;
    this.#onChange = options.onChange;
  }

  /** Whether this login may make the queue's tables, and whether there is a role for other runners. */
  async rights(): Promise<z.infer<typeof Rights>> {
    const [row] = await this.#rows(
      Rights,
      `SELECT has_database_privilege(current_database(), 'CREATE') AS makes,
        EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS "hasRole"`,
      [roles.runner],
    );
    return row ?? { makes: false, hasRole: false };
  }

  /** Registers the runner, or says that it is alive; answers what people want of it. */
  async beat({ id, host, version, atOnce }: NewRunner): Promise<RunnerRow['wanted']> {
    const [row] = await this.#rows(
      Runner.pick({ wanted: true }),
      `INSERT INTO beadsmith.runners (id, host, version, can, at_once, started_at, seen_at)
        VALUES ($1, $2, $3, '["drive"]', $4, ${now}, ${now})
        ON CONFLICT (id) DO UPDATE SET seen_at = ${now} RETURNING wanted`,
      [id, host, version, atOnce],
    );
    return row?.wanted ?? 'work';
  }

  async remove(id: string): Promise<void> {
    await this.#rows(z.unknown(), 'DELETE FROM beadsmith.runners WHERE id = $1', [id]);
  }

  /** The oldest first. */
  runners(): Promise<readonly RunnerRow[]> {
    return this.#rows(
      Runner,
      `SELECT id, host, version, at_once, wanted, started_at, seen_at, seen_at <= ${now} - CAST($1 AS BIGINT) AS silent
        FROM beadsmith.runners ORDER BY started_at, id`,
      [this.#silentMs],
    );
  }

  /** From now on, changes in them are told. */
  async repositories(): Promise<readonly RepositoryRow[]> {
    const found = await this.#rows(
      Repository,
      'SELECT id, name, url FROM beadsmith.repositories ORDER BY id',
      [],
    );
    for (const { id } of found) {
      if (this.#heard.has(id)) continue;
      await this.#rows(z.unknown(), `LISTEN "beadsmith_${id}"`, []);
      this.#heard.add(id);
    }
    return found;
  }

  waiting(repository: number): Promise<readonly WaitingTicket[]> {
    const schema = `"beadsmith_${Id.parse(repository)}"`;
    return this.#rows(
      Waiting,
      `SELECT DISTINCT ON (one.ticket) one.ticket, one.id AS entry,
          COALESCE(beadsmith.as_json(tickets.body) ->> 'priority', '3') AS priority
        FROM ${schema}.inbox AS one JOIN ${schema}.tickets ON tickets.id = one.ticket
        WHERE one.state = 'pending' ORDER BY one.ticket, one.number DESC`,
      [],
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const client = await this.#client?.catch(() => undefined);
    await client?.end().catch(() => undefined);
  }

  async #rows<T>(schema: z.ZodType<T>, sql: string, values: readonly unknown[]): Promise<readonly T[]> {
    if (this.#isClosed) throw new Error('the connection was closed');
    this.#client ??= this.#connect();
    const client = await this.#client;
    const { rows } = await client.query<object>(sql, [...values]);
    return rows.map((row) => schema.parse(row));
  }

  async #connect(): Promise<Client> {
    const { Client: PgClient } = await import('pg');
    const made = new PgClient({
      connectionString: this.#url,
      connectionTimeoutMillis: connectMs,
      query_timeout: answerMs,
      keepAlive: true,
      application_name: 'beadsmith runner',
    });
    const forget = (): void => {
      this.#client = undefined;
      this.#heard.clear();
    };
    made.on('error', forget);
    made.on('end', forget);
    made.on('notification', ({ channel }) => {
      const id = Number(channel.replace('beadsmith_', ''));
      if (Number.isInteger(id)) this.#onChange(id);
    });
    try {
      await made.connect();
    } catch (error) {
      forget();
      throw error;
    }
    return made;
  }
}
