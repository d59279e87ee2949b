import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import * as z from 'zod';
import { Mutex } from '../../../base/mutex.ts';
import { jsonOf } from '../../../base/json.ts';
import { Abilities, forgeAbility } from '../../../domain/team/abilities.ts';
import { needsOf } from '../../../domain/team/needs.ts';
import { pullRequestForms } from '../../../domain/workflow/pullRequestForms.ts';
import { isTerminal, statuses } from '../../../domain/workflow/workflow.ts';
import { connectMs, loadPg, session } from './loadPg.ts';
import { lastingError, storeErrorOf } from './postgresErrors.ts';
import { roles } from './roles.ts';
import { atWork, mostAtWork, serverNow, silentSince } from '../../system/teamSql.ts';

const Id = z.coerce.number();
const Runner = z.object({
  id: z.string(),
  host: z.string(),
  version: z.string(),
  can: z.string().transform((text) => Abilities.safeParse(jsonOf(text)).data ?? {}),
  at_once: Id,
  wanted: z.enum(['work', 'pause', 'drain', 'leave']),
  started_at: Id,
  seen_at: Id,
  silent: z.boolean(),
});
const Beat = Runner.pick({ wanted: true }).extend({ silentMs: Id, at: Id });
const Repository = z.object({ id: Id, name: z.string(), url: z.string(), commits: z.string() });
const Needed = z.object({
  settings: z.string().nullable(),
  started: z.string().nullable(),
  words: z.string(),
  repository: z.string(),
  asksForge: z.boolean(),
});
const Line = z.object({ queue: z.string(), id: z.string() });
const Claimed = z.object({ ticket: z.string(), runner: z.string(), epoch: Id });
const AtWork = z.object({ tickets: Id, most: Id.nullable() });
const Queued = z.object({ waiting: Id, running: Id, later: Id });
const Spent = z.object({
  day: Id,
  answers: Id,
  tokens: Id,
  money: z.coerce.number().nullable(),
  unpriced: Id,
});
const Rights = z.object({ makes: z.boolean(), hasRole: z.boolean() });
// One that can't be read holds up no other: it is shown as damaged, and may be driven.
const Waiting = z.object({
  ticket: z.string(),
  entry: z.string(),
  priority: Id.pipe(z.number().int().min(1).max(5)).catch(3),
});

/** The answer to a sign of life: what people want, and the server's time, now and since the last one. */
export type Beat = z.infer<typeof Beat>;
/** A runner, as its team knows it. `silent`: it is taken for gone. */
export type RunnerRow = z.infer<typeof Runner>;
export type RepositoryRow = z.infer<typeof Repository>;
export type CommitsNoted = 'noted' | 'unknown' | 'taken';
/** A ticket and the newest entry that it has not taken. */
export type WaitingTicket = z.infer<typeof Waiting>;

export interface NewRunner {
  readonly id: string;
  readonly host: string;
  readonly version: string;
  /** Unknown at first. */
  readonly can?: Abilities;
  readonly atOnce: number;
  /** Its drives that let others work. */
  readonly asides?: number;
}

const answerMs = 20_000;
/** Milliseconds in which another runner has made its tables, and between two tries. */
const makingMs = 60_000;
const makingPauseMs = 200;
/** "Make" */
const makingLock = 0x4d616b65;
const Mine = z.object({ mine: z.boolean() });

/**
 * The runners of a team, and what waits for one of them. Each call fails while the server is away. Throws
 * DATABASE_IO, and DATABASE_READ_ONLY where this login may not.
 */
export class RunnerRows {
  readonly #url: string;
  readonly #silentMs: number;
  readonly #onChange: (repository: number) => void;
  readonly #heard = new Set<number>();
  readonly #turns = new Mutex();
  #client: Promise<Client> | undefined;
  #made: Client | undefined;
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

  /** `makes`: this login may make the queue's tables. `hasRole`: other runners have one. */
  async rights(): Promise<z.infer<typeof Rights>> {
    const [row] = await this.#rows(
      Rights,
      `SELECT has_database_privilege(current_database(), 'CREATE') AS makes,
        EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS "hasRole"`,
      [roles.runner],
    );
    return row ?? { makes: false, hasRole: false };
  }

  /**
   * Works while no other runner makes tables, or after a while all the same: a reader could hold the lock.
   * Asks again and again, because the queue's indexes wait for every statement that is under way.
   */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const { Client: PgClient } = await loadPg();
    const client = new PgClient({ connectionString: this.#url, connectionTimeoutMillis: connectMs });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(session);
      for (const deadline = performance.now() + makingMs; performance.now() < deadline;) {
        const { rows } = await client.query<object>('SELECT pg_try_advisory_lock($1) AS mine', [makingLock]);
        if (Mine.parse(rows[0]).mine) break;
        await pause(makingPauseMs);
      }
      return await work();
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Lets runners with the role use what this one made in a schema. */
  async share(schema: string): Promise<void> {
    await this.#rows(
      z.unknown(),
      `GRANT USAGE ON SCHEMA "${schema}" TO ${roles.runner};
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${schema}" TO ${roles.runner};
        GRANT USAGE ON ALL SEQUENCES IN SCHEMA "${schema}" TO ${roles.runner};
        GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA "${schema}" TO ${roles.runner}`,
    );
  }

  /** Registers the runner, or says that it is alive. */
  async beat({ id, host, version, can = {}, atOnce, asides = 0 }: NewRunner): Promise<Beat> {
    const [row] = await this.#rows(
      Beat,
      `WITH before AS (SELECT seen_at FROM beadsmith.runners WHERE id = $1)
        INSERT INTO beadsmith.runners (id, host, version, can, at_once, asides, started_at, seen_at)
        VALUES ($1, $2, $3, $5, $4, $6, ${serverNow}, ${serverNow})
        ON CONFLICT (id) DO UPDATE SET seen_at = ${serverNow}, can = excluded.can, asides = excluded.asides
        RETURNING wanted, seen_at - coalesce((SELECT seen_at FROM before), seen_at) AS "silentMs",
          seen_at AS at`,
      [id, host, version, atOnce, JSON.stringify(can), asides],
    );
    return row ?? { wanted: 'work', silentMs: 0, at: Date.now() };
  }

  async remove(id: string): Promise<void> {
    await this.#rows(z.unknown(), 'DELETE FROM beadsmith.runners WHERE id = $1', [id]);
  }

  /** Forgets runners that weren't heard of for so many milliseconds, and codes that expired before. */
  async forget(ms: number): Promise<void> {
    await this.#rows(
      z.unknown(),
      `DELETE FROM beadsmith.runners WHERE seen_at < ${silentSince(ms)};
        DELETE FROM beadsmith.pairings WHERE expires_at < ${silentSince(ms)}`,
    );
  }

  /** The oldest first. */
  runners(): Promise<readonly RunnerRow[]> {
    return this.#rows(
      Runner,
      `SELECT id, host, version, can, at_once, wanted, started_at, seen_at, seen_at <= ${silentSince(this.#silentMs)} AS silent
        FROM beadsmith.runners ORDER BY started_at, id`,
    );
  }

  /** From now on, changes in them are told. */
  async repositories(): Promise<readonly RepositoryRow[]> {
    const found = await this.#rows(
      Repository,
      'SELECT id, name, url, commits FROM beadsmith.repositories ORDER BY id',
    );
    for (const { id } of found) {
      if (this.#heard.has(id)) continue;
      await this.#rows(z.unknown(), `LISTEN "beadsmith_${id}"`);
      this.#heard.add(id);
    }
    return found;
  }

  waiting(repository: number): Promise<readonly WaitingTicket[]> {
    const schema = `"beadsmith_${Id.parse(repository)}"`;
    return this.#rows(
      Waiting,
      `SELECT DISTINCT ON (one.ticket) one.ticket, one.id AS entry,
          CASE WHEN beadsmith.json_valid(tickets.body) THEN beadsmith.as_json(tickets.body) ->> 'priority' END AS priority
        FROM ${schema}.inbox AS one JOIN ${schema}.tickets ON tickets.id = one.ticket
        WHERE one.state = 'pending' ORDER BY one.ticket, one.number DESC`,
    );
  }

  /**
   * The abilities that a ticket needs of its runner: by its settings or those that it is to start with, and
   * a sign-in for what it is to do on the forge.
   */
  async needs(repository: number, ticket: string): Promise<readonly string[]> {
    const schema = `"beadsmith_${Id.parse(repository)}"`;
    const settings = (body: string): string =>
      `CASE WHEN beadsmith.json_valid(${body}) THEN beadsmith.as_json(${body}) ->> 'settings' END`;
    const [row] = await this.#rows(
      Needed,
      `SELECT ${settings('tickets.body')} AS settings,
          (SELECT ${settings('one.body')} FROM ${schema}.inbox AS one WHERE one.ticket = tickets.id
            AND one.kind = 'start' AND one.state = 'pending' ORDER BY one.number DESC LIMIT 1) AS started,
          repositories.needs AS words, repositories.name AS repository,
          EXISTS (SELECT FROM ${schema}.inbox AS one WHERE one.ticket = tickets.id AND one.state = 'pending'
            AND one.kind = ANY($3)) AS "asksForge"
        FROM ${schema}.tickets JOIN beadsmith.repositories ON repositories.id = $2 WHERE tickets.id = $1`,
      [ticket, repository, Object.keys(pullRequestForms)],
    );
    if (!row) return [];
    const needs = needsOf(jsonOf(row.settings ?? row.started ?? 'null'), row.words);
    const forge = forgeAbility(row.repository);
    // Where nobody has a sign-in, any runner says what is missing.
    const isThere =
      row.asksForge && (await this.runners()).some(({ can, silent }) => !silent && forge in can);
    return isThere ? [...needs, forge] : needs;
  }

  /** Notes what all tickets of a repository need; false: there is no such repository. */
  need(repository: string, words: readonly string[]): Promise<boolean> {
    return this.#set('needs', repository, words.join(' '));
  }

  /**
   * Notes where the commits of a repository's tickets go; empty: to the remote. `taken`: another's go there.
   */
  async commits(repository: string, url: string): Promise<CommitsNoted> {
    const others = await this.#rows(
      z.object({ id: Id }),
      `SELECT id FROM beadsmith.repositories WHERE commits = $2 AND commits <> '' AND name <> $1`,
      [repository, url],
    );
    if (others.length > 0) return 'taken';
    return (await this.#set('commits', repository, url)) ? 'noted' : 'unknown';
  }

  async #set(column: 'needs' | 'commits', repository: string, value: string): Promise<boolean> {
    const found = await this.#rows(
      z.object({ id: Id }),
      `UPDATE beadsmith.repositories SET ${column} = $2 WHERE name = $1 RETURNING id`,
      [repository, value],
    );
    return found.length > 0;
  }

  /** Limits the tickets that are at work over all runners; null: not at all. */
  async limit(most: number | null): Promise<void> {
    await this.#rows(z.unknown(), 'UPDATE beadsmith.limits SET at_work = $1', [most]);
  }

  /** The tickets at work, and the most that may be; null without a limit. */
  async atWork(): Promise<z.infer<typeof AtWork>> {
    const tickets = (await this.#hasQueue()) ? atWork(this.#silentMs) : '0';
    const [row] = await this.#rows(AtWork, `SELECT ${tickets} AS tickets, ${mostAtWork} AS most`);
    return row ?? { tickets: 0, most: null };
  }

  /** The drives that wait for a runner, with their queues; none where no runner has made the queue. */
  async line(): Promise<readonly z.infer<typeof Line>[]> {
    if (!(await this.#hasQueue())) return [];
    return this.#rows(
      Line,
      `SELECT queue_name AS queue, workflow_uuid AS id FROM beadsmith_queue.workflow_status
        WHERE name = 'drive' AND status = 'ENQUEUED' ORDER BY priority, created_at`,
    );
  }

  async #hasQueue(): Promise<boolean> {
    const [there] = await this.#rows(
      z.object({ found: z.string().nullable() }),
      `SELECT CAST(to_regclass('beadsmith_queue.workflow_status') AS TEXT) AS found`,
    );
    return typeof there?.found === 'string';
  }

  /** The tickets that runners drive. */
  claims(repository: number): Promise<readonly z.infer<typeof Claimed>[]> {
    const schema = `"beadsmith_${Id.parse(repository)}"`;
    return this.#rows(
      Claimed,
      `SELECT ticket, runner, epoch FROM ${schema}.claims WHERE runner <> '' ORDER BY ticket`,
    );
  }

  /** Tickets at their review that have a pull request on the forge, each with the length of its journal. */
  async published(repository: number): Promise<ReadonlyMap<string, number>> {
    const schema = `"beadsmith_${Id.parse(repository)}"`;
    const found = await this.#rows(
      z.object({ id: z.string(), entries: Id }),
      `SELECT id, (SELECT max(seq) FROM ${schema}.journal WHERE ticket = tickets.id) AS entries
        FROM ${schema}.tickets WHERE status = 'WAITING_PR_REVIEW' AND EXISTS (
          SELECT 1 FROM ${schema}.artifacts AS one WHERE one.ticket = tickets.id
            AND one.type = 'forge_pull_request' AND one.archived = 0 AND CASE
              WHEN beadsmith.json_valid(one.content) THEN beadsmith.as_json(one.content) ->> 'number' END IS NOT NULL)
        ORDER BY id`,
    );
    return new Map(found.map(({ id, entries }) => [id, entries]));
  }

  /** Tickets at work that no runner ever had: they came from a machine of their own. */
  async unclaimed(repository: number): Promise<readonly string[]> {
    const schema = `"beadsmith_${Id.parse(repository)}"`;
    const over = statuses.filter((status) => isTerminal(status));
    const found = await this.#rows(
      z.object({ id: z.string() }),
      `SELECT id FROM ${schema}.tickets WHERE status <> ALL($1) AND id NOT IN (SELECT ticket FROM ${schema}.claims)`,
      [['DRAFT', ...over]],
    );
    return found.map(({ id }) => id);
  }

  /** Drives by their state; none where no runner has made the queue. */
  async queued(): Promise<z.infer<typeof Queued>> {
    if (!(await this.#hasQueue())) return { waiting: 0, running: 0, later: 0 };
    const count = (status: string): string => `count(*) FILTER (WHERE status = '${status}')`;
    const [row] = await this.#rows(
      Queued,
      `SELECT ${count('ENQUEUED')} AS waiting, ${count('PENDING')} AS running, ${count('DELAYED')} AS later
        FROM beadsmith_queue.workflow_status WHERE name = 'drive'`,
    );
    return row ?? { waiting: 0, running: 0, later: 0 };
  }

  /**
   * The usage of model calls that ended at or after these times, in ascending order: `day` is the number of
   * the last one that came before, from 1. A reported cost of 0 means an unknown price.
   */
  spent(repository: number, starts: readonly number[]): Promise<readonly z.infer<typeof Spent>[]> {
    const schema = `"beadsmith_${Id.parse(repository)}"`;
    return this.#rows(
      Spent,
      `SELECT width_bucket(call.ended_at, CAST($1 AS DOUBLE PRECISION[])) AS day, count(*) AS answers,
          sum(one.input + one.output + one.reasoning + one.cache_read + one.cache_write) AS tokens,
          sum(one.cost) FILTER (WHERE one.cost > 0) AS money, count(*) FILTER (WHERE one.cost <= 0) AS unpriced
        FROM ${schema}.usage AS one JOIN ${schema}.calls AS call ON call.id = one.call
        WHERE call.ended_at >= $2 GROUP BY 1 ORDER BY 1`,
      [[...starts], starts[0] ?? 0],
    );
  }

  /** Undefined: there is no such runner. A silent one that shall leave is forgotten. */
  async want(id: string, wanted: RunnerRow['wanted']): Promise<RunnerRow | undefined> {
    const runner = (await this.runners()).find((one) => one.id === id);
    if (runner?.silent === true && wanted === 'leave') await this.remove(id);
    else
      await this.#rows(z.unknown(), 'UPDATE beadsmith.runners SET wanted = $2 WHERE id = $1', [id, wanted]);
    return runner;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const client = await this.#client?.catch(() => undefined);
    await client?.end().catch(() => undefined);
  }

  async #rows<T>(schema: z.ZodType<T>, sql: string, values: readonly unknown[] = []): Promise<readonly T[]> {
    try {
      return await this.#turns.run('', () => this.#ask(schema, sql, values));
    } catch (error) {
      throw lastingError(storeErrorOf(error), answerMs);
    }
  }

  async #ask<T>(schema: z.ZodType<T>, sql: string, values: readonly unknown[]): Promise<readonly T[]> {
    if (this.#isClosed) throw new Error('the connection was closed');
    this.#client ??= this.#connect();
    const client = await this.#client;
    // With an empty list, a script would be refused.
    const asked = values.length === 0 ? client.query<object>(sql) : client.query<object>(sql, [...values]);
    const found = await asked.catch((error: unknown) => {
      // The server's own word leaves the connection as it was.
      if (!(error instanceof Error && 'severity' in error)) void client.end().catch(() => undefined);
      throw error;
    });
    const { rows = [] } = Array.isArray(found) ? {} : found;
    return rows.map((row) => schema.parse(row));
  }

  async #connect(): Promise<Client> {
    const { Client: PgClient } = await loadPg();
    const made = new PgClient({
      connectionString: this.#url,
      connectionTimeoutMillis: connectMs,
      query_timeout: answerMs,
      keepAlive: true,
      application_name: 'beadsmith runner',
    });
    const forget = (): void => {
      if (this.#made !== made) return;
      this.#made = undefined;
      this.#client = undefined;
      this.#heard.clear();
    };
    this.#made = made;
    made.on('error', forget);
    made.on('end', forget);
    made.on('notification', ({ channel }) => {
      const id = Number(channel.replace('beadsmith_', ''));
      if (Number.isInteger(id)) this.#onChange(id);
    });
    try {
      await made.connect();
      await made.query(session);
    } catch (error) {
      forget();
      throw error;
    }
    return made;
  }
}
