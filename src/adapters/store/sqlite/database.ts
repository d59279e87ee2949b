import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { newestBackup } from './backupNames.ts';
import { Blobs } from './blobs.ts';
import { toStoreError } from './sqliteErrors.ts';

/**
 * The longest SQLite may wait for a lock by itself (docs/decisions/006-sqlite-in-a-worker.md); waiting longer
 * is done outside, without blocking.
 */
const lockWaitMs = 50;

/**
 * One connection to `state.db` of a state folder, with cached prepared statements. Rollback journal and full
 * sync are safe with several processes on every SQLite version
 * (docs/decisions/005-store-location-and-durability.md). Throws DISK_FULL, DATABASE_IO, DATABASE_READ_ONLY,
 * DATABASE_CORRUPT, and DatabaseBusy, after which the caller tries again.
 */
export class Database {
  readonly folder: string;
  readonly path: string;
  readonly #blobs: Blobs;
  readonly #connection: DatabaseSync;
  /** The inode of the file that is open. */
  readonly #file: number | undefined;
  readonly #statements = new Map<string, StatementSync>();

  /** `file`: default, `state.db`. */
  constructor(folder: string, options: { readonly readOnly?: boolean; readonly file?: string } = {}) {
    this.folder = folder;
    this.path = join(folder, options.file ?? 'state.db');
    this.#blobs = new Blobs(join(folder, 'blobs'));
    const readOnly = options.readOnly ?? false;
    this.#connection = this.#guarded(
      () => new DatabaseSync(this.path, { readOnly, timeout: lockWaitMs, enableForeignKeyConstraints: true }),
    );
    try {
      this.exec(
        readOnly ? 'PRAGMA query_only = ON' : 'PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL',
      );
      this.#file = this.#fileNow();
    } catch (error) {
      this.close(); // the caller gets no object to close
      throw error;
    }
  }

  /** Runs SQL that isn't worth preparing. */
  exec(sql: string): void {
    this.#guarded(() => {
      this.#connection.exec(sql);
    });
  }

  run(sql: string, ...values: SQLInputValue[]): number {
    return this.#guarded(() => Number(this.#statement(sql).run(...values).changes));
  }

  get(sql: string, ...values: SQLInputValue[]): unknown {
    return this.#guarded(() => this.#statement(sql).get(...values));
  }

  all(sql: string, ...values: SQLInputValue[]): readonly unknown[] {
    return this.#guarded(() => this.#statement(sql).all(...values));
  }

  /**
   * One transaction that takes the write lock at once, so that it can't fail halfway because another process
   * wrote.
   */
  write<T>(work: () => T): T {
    // A backup was restored, or the file was synced from elsewhere: what is written to the one that is open
    // is lost.
    if (this.#fileNow() !== this.#file)
      throw new BeadsmithError('DATABASE_READ_ONLY', { reason: 'the database was replaced; open it again' });
    this.run('BEGIN IMMEDIATE');
    try {
      const value = work();
      this.run('COMMIT');
      return value;
    } catch (error) {
      // After a full disk SQLite may have rolled back by itself.
      if (this.#connection.isTransaction) this.run('ROLLBACK');
      throw error;
    }
  }

  /**
   * Returns the value to store for a text of any size; see Blobs. Before the transaction, because a large
   * text is written and synced here.
   */
  pack(text: string): string | Uint8Array {
    return this.#guarded(() => this.#blobs.pack(text));
  }

  unpack(stored: string | Uint8Array): string {
    return this.#guarded(() => this.#blobs.unpack(stored));
  }

  close(): void {
    this.#statements.clear();
    if (this.#connection.isOpen) this.#connection.close();
  }

  #fileNow(): number | undefined {
    return statSync(this.path, { throwIfNoEntry: false })?.ino;
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw toStoreError(error, { path: this.path, backup: () => newestBackup(this.folder) ?? '(none)' });
    }
  }
}
