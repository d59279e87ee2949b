import { statSync, existsSync, mkdirSync, readFileSync, utimesSync, readdirSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { hash } from 'node:crypto';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { toStoreError } from './sqliteErrors.ts';
import { syncFolderSync, writeAtomicallySync, reasonOf } from '../../system/files.ts';

/** The longest that SQLite itself waits for a lock (docs/decisions/006-sqlite-in-a-worker.md). */
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

  /** One transaction that takes the write lock at once: it can't fail halfway as others write. */
  write<T>(work: () => T): T {
    // A backup was restored, or the file was synced: what is written to the open one is lost.
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

  /** The value to store for a text; see Blobs. Before the transaction: a large text is synced here. */
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

/** Larger texts, in bytes, are files (docs/decisions/005-store-location-and-durability.md). */
const largestInline = 64 * 1024;

/**
 * Large texts as files `<aa>/<sha256>`, written once and never changed. A column holds either the text itself
 * or the 32 bytes of the hash that names its file; SQLite tells them apart by type, so no text can pretend to
 * be a reference.
 */
class Blobs {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The value to store for a text. A large one is on disk then: before the transaction that names it. */
  pack(text: string): string | Uint8Array {
    if (text.length * 3 <= largestInline || Buffer.byteLength(text) <= largestInline) return text;
    const digest = hash('sha256', text);
    const file = this.#file(digest);
    if (!isThere(file)) writeDurably(file, text);
    return Buffer.from(digest, 'hex');
  }

  /** The text that a column stands for. DATABASE_CORRUPT if its file is gone or was changed. */
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

/** Marks one that is wanted again as new: no cleanup takes it for one that nothing names. */
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

/** Either the whole file is there after a power loss, or none of it. */
function writeDurably(file: string, text: string): void {
  const folder = dirname(file);
  const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined;
  writeAtomicallySync(file, text, 0o600);
  if (isNew) syncFolderSync(dirname(folder));
}

/** The backups of a state folder by file name, oldest first. */
export function backupNames(folder: string): readonly string[] {
  try {
    return readdirSync(join(folder, 'backups'))
      .filter((name) => name.endsWith('.db'))
      .sort();
  } catch {
    return []; // no backup was made yet
  }
}

/** The path of the newest backup of a state folder, if there is any. */
export function newestBackup(folder: string): string | undefined {
  const newest = backupNames(folder).at(-1);
  return newest === undefined ? undefined : join(folder, 'backups', newest);
}

/** One made by the clock: of a minute, a second at a driver's end, or a day by earlier versions. */
const byClock = /^state-(\d{4}-\d{2}-\d{2})(?:T(\d{2})(\d{2})(\d{2})?)?\.db$/;

/** The time of a backup made by the clock, in milliseconds since 1970; undefined for other files. */
export function timeOfBackup(name: string): number | undefined {
  const [, day, hour = '00', minute = '00', second = '00'] = byClock.exec(name) ?? [];
  const time = day === undefined ? Number.NaN : Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** The name of a backup made at this time. `to`: how exactly; there may be one of each in a minute. */
export function backupNameAt(now: number, to: 'minute' | 'second' = 'minute'): string {
  return `state-${new Date(now)
    .toISOString()
    .slice(0, to === 'minute' ? 16 : 19)
    .replaceAll(':', '')}.db`;
}
