import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import type * as z from 'zod';
import { DatabaseBusy } from '../sql/whenFree.ts';
import { connectMs, loadPg, session } from './loadPg.ts';
import { lastingError, storeErrorOf } from './postgresErrors.ts';

/** Milliseconds that a call waits for the server, and between its tries. */
const patienceMs = 10_000;
const pauseMs = 200;

/**
 * Asks for what all repositories of a team share. Each call may be made twice: it tries again while the
 * server is away. Throws DATABASE_IO, and DATABASE_READ_ONLY where this login may not.
 */
export class TeamPool {
  readonly #url: string;
  readonly #name: string;
  #pool: Promise<Pool> | undefined;

  /** `name`: of its connections, for the server's owner. */
  constructor(url: string, name: string) {
    this.#url = url;
    this.#name = name;
  }

  async ask<T>(
    schema: z.ZodType<T>,
    sql: string,
    ...values: readonly (string | number)[]
  ): Promise<readonly T[]> {
    const pool = await (this.#pool ??= openPool(this.#url, this.#name));
    for (const start = performance.now(); ;) {
      try {
        const { rows } = await pool.query<object>(sql, [...values]);
        return rows.map((row) => schema.parse(row));
      } catch (thrown) {
        const error = storeErrorOf(thrown);
        if (!(error instanceof DatabaseBusy)) throw error;
        if (performance.now() - start > patienceMs) throw lastingError(error, patienceMs);
      }
      await pause(pauseMs);
    }
  }

  async close(): Promise<void> {
    const opened = this.#pool;
    this.#pool = undefined;
    const pool = await opened?.catch(() => undefined);
    await pool?.end().catch(() => undefined);
  }
}

async function openPool(url: string, name: string): Promise<Pool> {
  const { Pool: PgPool } = await loadPg();
  const pool = new PgPool({
    connectionString: url,
    max: 2,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 10_000,
    allowExitOnIdle: true,
    application_name: name,
    verify: (client, done) => void client.query(session).then(() => done(), done),
  });
  pool.on('error', () => undefined);
  return pool;
}
