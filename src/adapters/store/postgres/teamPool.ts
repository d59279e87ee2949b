import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import * as z from 'zod';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { DatabaseBusy } from '../sql/whenFree.ts';
import { connectMs, loadPg, session } from './loadPg.ts';
import { toStoreError } from './postgresErrors.ts';

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
        if (performance.now() - start > patienceMs)
          throw error.lasting ?? new BeadsmithError('DATABASE_BUSY', { seconds: patienceMs / 1_000 });
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

/** An error with a severity is the server's word; another one is of the connection. */
function storeErrorOf(error: unknown): Error {
  if (error instanceof BeadsmithError || error instanceof z.ZodError) return error;
  const of = (name: string): string => {
    const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
    return typeof value === 'string' ? value : '';
  };
  const lost = of('severity') === '' || of('severity') === 'FATAL';
  const isRefused = /^(?:28|3D)/.test(of('code'));
  return toStoreError(
    { message: of('message') || String(error), code: of('code'), lost: lost && !isRefused },
    'postgres',
  );
}
