import { statSync, existsSync, mkdirSync, readFileSync, utimesSync, readdirSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { hash } from 'node:crypto';
import * as z from 'zod';
import type { Database, SqlValue } from '../sql/database.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { syncFolderSync, writeAtomicallySync, reasonOf, codeOf } from '../../system/files.ts';
import { DatabaseBusy } from '../sql/whenFree.ts';

const Version = z.object({ data_version: z.number() });

/** Longest wait for a lock in SQLite itself (docs/decisions/006-sqlite-in-a-worker.md). */
const lockWaitMs = 50;

/**
 * A connection to `state.db`. Rollback journal and full sync are safe for several processes on every SQLite
 * (docs/decisions/005-store-location-and-durability.md). Throws DISK_FULL, DATABASE_IO, DATABASE_READ_ONLY,
 * DATABASE_CORRUPT, and DatabaseBusy: try again.
 */
export class SqliteDatabase implements Database {
  readonly folder: string;
  readonly path: string;
  readonly #blobs: Blobs;
  readonly #connection: DatabaseSync;
  readonly #file: number | undefined;
  readonly #statements = new Map<string, StatementSync>();

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

  exec(sql: string): void {
    this.#guarded(() => {
      this.#connection.exec(sql);
    });
  }

  run(sql: string, ...values: SqlValue[]): number {
    return this.#guarded(() => Number(this.#statement(sql).run(...values).changes));
  }

  get(sql: string, ...values: SqlValue[]): unknown {
    return this.#guarded(() => this.#statement(sql).get(...values));
  }

  all(sql: string, ...values: SqlValue[]): readonly unknown[] {
    return this.#guarded(() => this.#statement(sql).all(...values));
  }

  rows<T>(schema: z.ZodType<T>, sql: string, ...values: SqlValue[]): readonly T[] {
    return this.all(sql, ...values).map((row) => schema.parse(row));
  }

  /** Changes with commits of other connections only. */
  get dataVersion(): number {
    return Version.parse(this.get('PRAGMA data_version')).data_version;
  }

  /** Takes the write lock at once: it can't fail halfway as others write. */
  write<T>(work: () => T): T {
    // A restored or synced file: writes to the open one are lost.
    if (this.#fileNow() !== this.#file)
      throw new BeadsmithError('DATABASE_READ_ONLY', { reason: 'the database was replaced; open it again' });
    this.run('BEGIN IMMEDIATE');
    try {
      const value = work();
      this.run('COMMIT');
      return value;
    } catch (error) {
      // After a full disk SQLite may have rolled back.
      if (this.#connection.isTransaction) this.run('ROLLBACK');
      throw error;
    }
  }

  /** The value to store (see Blobs). Before the transaction: a large text is synced. */
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

/** Bytes; larger texts are files (docs/decisions/005-store-location-and-durability.md). */
const largestInline = 64 * 1024;

/**
 * Large texts as files `<aa>/<sha256>`, never changed. A column holds a text, or a file's 32 bytes of hash:
 * SQLite types tell them apart, so no text can pretend to be a reference.
 */
class Blobs {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A large text is on disk then, before the transaction that names it. */
  pack(text: string): string | Uint8Array {
    if (text.length * 3 <= largestInline || Buffer.byteLength(text) <= largestInline) return text;
    const digest = hash('sha256', text);
    const file = this.#file(digest);
    if (!isThere(file)) writeDurably(file, text);
    return Buffer.from(digest, 'hex');
  }

  /** Throws DATABASE_CORRUPT if its file is gone or changed. */
  unpack(stored: string | Uint8Array): string {
    if (typeof stored === 'string') return stored;
    const digest = Buffer.from(stored).toString('hex');
    const file = this.#file(digest);
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      throw damaged(file, reasonOf(error));
    }
    if (hash('sha256', text) !== digest) throw damaged(file, 'its content changed');
    return text;
  }

  #file(digest: string): string {
    return join(this.#folder, digest.slice(0, 2), digest);
  }
}

/** In bytes; 0 for no file. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Touches a wanted file, so that no cleanup removes it. */
function isThere(file: string): boolean {
  try {
    const now = new Date();
    utimesSync(file, now, now);
    return true;
  } catch {
    return existsSync(file);
  }
}

function damaged(path: string, reason: string): BeadsmithError {
  return new BeadsmithError('DATABASE_CORRUPT', { path, reason, backup: '(none)' });
}

/** After a power loss the whole file is there, or none of it. */
function writeDurably(file: string, text: string): void {
  const folder = dirname(file);
  const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined;
  writeAtomicallySync(file, text, 0o600);
  if (isNew) syncFolderSync(dirname(folder));
}

export function backupNames(folder: string): readonly string[] {
  try {
    return readdirSync(join(folder, 'backups'))
      .filter((name) => name.endsWith('.db'))
      .sort();
  } catch {
    return []; // no backup was made yet
  }
}

export function newestBackup(folder: string): string | undefined {
  const newest = backupNames(folder).at(-1);
  return newest === undefined ? undefined : join(folder, 'backups', newest);
}

/** Names of a minute, of a second at a driver's end, and of a day by earlier versions. */
const byClock = /^state-(\d{4}-\d{2}-\d{2})(?:T(\d{2})(\d{2})(\d{2})?)?\.db$/;

/** A clock-made backup's milliseconds since 1970; undefined for others. */
export function timeOfBackup(name: string): number | undefined {
  const [, day, hour = '00', minute = '00', second = '00'] = byClock.exec(name) ?? [];
  const time = day === undefined ? Number.NaN : Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** `to`: one of each may be in a minute. */
export function backupNameAt(now: number, to: 'minute' | 'second' = 'minute'): string {
  return `state-${new Date(now)
    .toISOString()
    .slice(0, to === 'minute' ? 16 : 19)
    .replaceAll(':', '')}.db`;
}

/**
 * Errors of SQLite and files as DISK_FULL, DATABASE_IO, DATABASE_READ_ONLY, DATABASE_CORRUPT, or unchanged.
 */
export function toStoreError(
  error: unknown,
  place: { readonly path: string; readonly backup: () => string },
): unknown {
  if (!(error instanceof Error) || error instanceof BeadsmithError) return error;
  const primary = sqliteCode(error);
  const system = codeOf(error);
  if (primary === 5 || primary === 6) return new DatabaseBusy(error.message, { cause: error });
  if (primary === 13 || system === 'ENOSPC' || system === 'EDQUOT')
    return new BeadsmithError('DISK_FULL', {}, { cause: error });
  if (primary === 10 || system === 'EIO')
    return new BeadsmithError('DATABASE_IO', { reason: error.message }, { cause: error });
  if (primary === 3 || primary === 8 || primary === 14 || ['EROFS', 'EACCES', 'EPERM'].includes(system))
    return new BeadsmithError('DATABASE_READ_ONLY', { reason: error.message }, { cause: error });
  if (primary === 11 || primary === 26)
    return new BeadsmithError(
      'DATABASE_CORRUPT',
      { path: place.path, reason: error.message, backup: place.backup() },
      { cause: error },
    );
  return error;
}

function sqliteCode(error: Error): number {
  return 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0;
}
