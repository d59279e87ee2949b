import { accessSync, closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { databasePathBytes, pathTooLong, reasonOf } from '../../system/files.ts';
import { BeadsmithError, toBeadsmithError } from '../../../domain/core/errors.ts';
import type { Store } from '../../../engine/ports/storePort.ts';
import { backUp } from './backups.ts';
import { newestBackup, SqliteDatabase, sizeOf } from '../sqlite/database.ts';
import { schemaVersion } from '../sql/migrations.ts';
import { create, markAsOurs, migrate, storeInstallation, versionOf, applicationId } from './migrate.ts';
import { DatabaseBusy } from '../sql/whenFree.ts';
import { refuseOlder, Tips } from '../chain/journal.ts';

export interface OpenOptions {
  readonly folder: string;
  /** This process will drive: it updates the schema and keeps backups. */
  readonly drive: boolean;
  /** Null: the user has none, and nothing is written. */
  readonly installation: string | null;
  readonly adopt: boolean;
}

export type OpenedDatabase =
  | { readonly mode: 'open'; readonly database: SqliteDatabase }
  | {
      readonly mode: 'readOnly';
      readonly database: SqliteDatabase | undefined;
      readonly reason: BeadsmithError;
    };

const Check = z.object({ quick_check: z.string() });
const FullCheck = z.object({ integrity_check: z.string() });
const SqliteVersion = z.object({ version: z.string() });
const ApplicationId = z.object({ application_id: z.number() });
const Meta = z.object({ value: z.string() }).optional();

/**
 * Opens `state.db`, or says why it is read-only: DATABASE_NEWER, DATABASE_CORRUPT, DATABASE_BEHIND,
 * DATABASE_FOREIGN, DATABASE_UNKNOWN, DATABASE_READ_ONLY, PATH_TOO_LONG. Never replaces a database with an
 * empty one. Throws DISK_FULL, and DatabaseBusy: try again.
 */
export function openDatabase(options: OpenOptions, now: number): OpenedDatabase {
  const { folder } = options;
  const path = join(folder, 'state.db');
  const tooLong = pathTooLong(path, databasePathBytes);
  if (tooLong) return unreadable(tooLong);
  const backup = newestBackup(folder);
  if (sizeOf(path) === 0 && backup !== undefined) {
    const reason = 'it is empty or gone';
    return unreadable(new BeadsmithError('DATABASE_CORRUPT', { path, reason, backup }));
  }
  const locked = whyReadOnly(folder, path);
  if (locked) return toRead(folder, locked);
  const { installation } = options;
  if (installation === null)
    return toRead(folder, new BeadsmithError('DATABASE_READ_ONLY', { reason: 'the installation has no id' }));
  if (isOthers(path)) return unreadable(new BeadsmithError('DATABASE_UNKNOWN', { path }));
  let database: SqliteDatabase | undefined;
  try {
    const tips = new Tips(folder).read();
    database = new SqliteDatabase(folder);
    prepare(database, { ...options, installation, tips }, now);
    return { mode: 'open', database };
  } catch (error) {
    database?.close();
    if (error instanceof DatabaseBusy) throw error;
    const reason = toBeadsmithError(error);
    if (reason.code === 'DISK_FULL') throw reason;
    if (reason.code !== 'UNEXPECTED') return toRead(folder, reason);
    return toRead(folder, new BeadsmithError('DATABASE_READ_ONLY', { reason: reason.message }));
  }
}

interface Preparing extends OpenOptions {
  readonly installation: string;
  readonly tips: ReturnType<Tips['read']>;
}

function prepare(database: SqliteDatabase, options: Preparing, now: number): void {
  if (versionOf(database) === 0) create(database, options.installation);
  else checkPages(database);
  if (versionOf(database) < schemaVersion && !options.drive)
    throw new BeadsmithError('DATABASE_READ_ONLY', { reason: 'an older version of Beadsmith drives them' });
  migrate(database, now);
  const { value } = Meta.parse(database.get(`SELECT value FROM meta WHERE key = 'installation'`)) ?? {};
  if (value !== options.installation) {
    if (!options.adopt) throw new BeadsmithError('DATABASE_FOREIGN');
    database.write(() => storeInstallation(database, options.installation));
  }
  if (!options.adopt) refuseOlder(database, options.tips);
  if (!options.drive) return;
  const tips = new Tips(database.folder);
  if (options.adopt || tips.isDue) tips.write(database);
  // From before databases were marked.
  if (ApplicationId.parse(database.get('PRAGMA application_id')).application_id === 0)
    database.write(() => markAsOurs(database));
  backUp(database, now);
}

function checkPages(database: SqliteDatabase): void {
  const { quick_check: found } = Check.parse(database.get('PRAGMA quick_check(1)'));
  if (found === 'ok') return;
  const backup = newestBackup(database.folder) ?? '(none)';
  throw new BeadsmithError('DATABASE_CORRUPT', { path: database.path, reason: found, backup });
}

function toRead(folder: string, reason: BeadsmithError): OpenedDatabase {
  if (sizeOf(join(folder, 'state.db')) === 0) return unreadable(reason);
  let database: SqliteDatabase | undefined;
  try {
    database = new SqliteDatabase(folder, { readOnly: true });
    database.get('SELECT count(*) FROM tickets');
    return { mode: 'readOnly', database, reason };
  } catch (error) {
    database?.close();
    if (error instanceof DatabaseBusy) throw error;
    return unreadable(reason);
  }
}

function unreadable(reason: BeadsmithError): OpenedDatabase {
  return { mode: 'readOnly', database: undefined, reason };
}

function whyReadOnly(folder: string, path: string): BeadsmithError | undefined {
  try {
    accessSync(folder, constants.W_OK);
    if (sizeOf(path) > 0) accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return new BeadsmithError('DATABASE_READ_ONLY', { reason: reasonOf(error) });
  }
}

/** Tells by the header: opening another program's could write to it. */
function isOthers(path: string): boolean {
  if (sizeOf(path) < 100) return false;
  const header = Buffer.alloc(100);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, header.length, 0);
  } finally {
    closeSync(file);
  }
  // A damaged header belongs to nobody.
  if (!header.toString('latin1').startsWith('SQLite format 3\0')) return false;
  const id = header.readUInt32BE(68);
  // A write-ahead log without a version was never made here.
  const isUnknown = header[18] === 2 && header.readUInt32BE(60) === 0;
  return id === 0 ? isUnknown : id !== applicationId;
}

export function checkDatabase(database: SqliteDatabase): Awaited<ReturnType<Store['check']>> {
  const { version } = SqliteVersion.parse(database.get('SELECT sqlite_version() AS version'));
  return { schema: versionOf(database), sqlite: version, problem: damagedPages(database) };
}

/** Null for a whole database. */
export function damagedPages(database: SqliteDatabase): string | null {
  const { integrity_check: found } = FullCheck.parse(database.get('PRAGMA integrity_check(1)'));
  return found === 'ok' ? null : found;
}
