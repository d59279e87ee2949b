import type * as z from 'zod';

/** A value in SQL; bytes are a packed text's (`Database.pack`). */
export type SqlValue = string | number | null | Uint8Array;

/**
 * A connection that answers at once, in a thread of its own
 * (docs/decisions/213-one-sql-two-databases.md). Its SQL is what SQLite and PostgreSQL both take, with `?` or
 * `?1` for values.
 */
export interface Database {
  /** Names the database in errors. */
  readonly path: string;
  /** The same as long as no other connection wrote. */
  readonly dataVersion: unknown;
  /** The number of changed rows. */
  run(sql: string, ...values: SqlValue[]): number;
  get(sql: string, ...values: SqlValue[]): unknown;
  all(sql: string, ...values: SqlValue[]): readonly unknown[];
  rows<T>(schema: z.ZodType<T>, sql: string, ...values: SqlValue[]): readonly T[];
  /** A transaction in which no other one writes. */
  write<T>(work: () => T): T;
  /** The value to store for a text that may be large. Before the transaction: a large one is kept apart. */
  pack(text: string): string | Uint8Array;
  unpack(stored: string | Uint8Array): string;
  close(): void;
}

/** As a LIMIT. */
export const unlimited = Number.MAX_SAFE_INTEGER;
