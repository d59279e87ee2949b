import { ticketRef } from '../../../domain/core/ids.ts';
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { BeadsmithError, toBeadsmithError } from '../../../domain/core/errors.ts';
import { syncFolderSync } from '../../system/files.ts';
import { SqliteDatabase, backupNames, timeOfBackup } from '../sqlite/database.ts';
import { schemaVersion } from '../sql/migrations.ts';
import { versionOf } from './migrate.ts';
import { damagedPages } from './openDatabase.ts';
import { OwnerFile } from '../sqlite/ownerFile.ts';
import { Tips } from '../chain/journal.ts';
import type { BackupInfo, LostWork, Restored } from './maintenance.ts';

const Count = z.object({ count: z.number() });
const Epoch = z.object({ value: z.coerce.number() });
const Body = z.object({ status: z.string() });

export function listBackups(folder: string): readonly BackupInfo[] {
  // Of one time, the name with seconds is newer.
  return [...backupNames(folder)]
    .reverse()
    .map((name) => {
      const { size = 0, mtimeMs = 0 } =
        statSync(join(folder, 'backups', name), { throwIfNoEntry: false }) ?? {};
      return { name, at: timeOfBackup(name) ?? mtimeMs, bytes: size, ...opened(folder, name) };
    })
    .sort((a, b) => b.at - a.at);
}

/**
 * Puts a backup in the database's place, which is kept as `state.db.damaged-<time>`. `tips`: commits of
 * tickets' branches. Answers work unknown to the backup and pauses its tickets, for a person to review.
 * Throws DRIVEN_ELSEWHERE and BACKUP_UNUSABLE; then nothing has changed.
 */
export async function restoreBackup(
  folder: string,
  name: string,
  tips: Readonly<Record<string, string>>,
  now: number,
): Promise<Restored> {
  if (!backupNames(folder).includes(name))
    throw new BeadsmithError('BACKUP_UNUSABLE', { name, reason: 'there is none of this name' });
  const claim = await OwnerFile.claim(folder);
  if (claim.kind === 'driven')
    throw new BeadsmithError('DRIVEN_ELSEWHERE', { host: claim.by.host, pid: claim.by.pid });
  try {
    return inCopy(folder, name, (copy) => {
      const { problem, tickets } = checked(copy);
      if (problem !== null) throw new BeadsmithError('BACKUP_UNUSABLE', { name, reason: problem });
      const lost = pauseLost(copy, tips, now);
      raiseEpoch(copy, epochOf(folder));
      copy.close();
      const marks = new Tips(folder);
      // A crash in between leaves none, which says nothing.
      marks.remove();
      const damaged = swap(folder, copy.path, now);
      noteTips(folder, marks);
      return { damaged, tickets, lost };
    });
  } finally {
    await claim.owner.release();
  }
}

/** Notes that fail are written by the next driver. */
function noteTips(folder: string, tips: Tips): void {
  let restored: SqliteDatabase | undefined;
  try {
    restored = new SqliteDatabase(folder, { readOnly: true });
    tips.write(restored);
  } catch {
    tips.remove();
  } finally {
    restored?.close();
  }
}

function opened(folder: string, name: string): ReturnType<typeof checked> {
  let backup: SqliteDatabase | undefined;
  try {
    backup = new SqliteDatabase(join(folder, 'backups'), { readOnly: true, file: name });
    return checked(backup);
  } catch (error) {
    return { tickets: 0, problem: toBeadsmithError(error).message };
  } finally {
    backup?.close();
  }
}

/** Checks what is put in place; the backup stays as it is. */
function inCopy<T>(folder: string, name: string, work: (copy: SqliteDatabase) => T): T {
  const place = join(folder, 'restoring');
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { mode: 0o700 });
  copyFileSync(join(folder, 'backups', name), join(place, 'state.db'));
  let copy: SqliteDatabase | undefined;
  try {
    copy = new SqliteDatabase(place);
    return work(copy);
  } finally {
    copy?.close();
    rmSync(place, { recursive: true, force: true });
  }
}

function checked(database: SqliteDatabase): Pick<BackupInfo, 'tickets' | 'problem'> {
  try {
    const version = versionOf(database);
    if (version === 0) return { tickets: 0, problem: 'it holds no tickets database' };
    if (version > schemaVersion)
      return { tickets: 0, problem: `it was written by a newer version (schema ${version})` };
    const problem = damagedPages(database);
    if (problem !== null) return { tickets: 0, problem };
    epochIn(database);
    database.get('SELECT count(*) FROM journal');
    const { count: tickets } = Count.parse(database.get('SELECT count(*) AS count FROM tickets'));
    return { tickets, problem: null };
  } catch (error) {
    return { tickets: 0, problem: toBeadsmithError(error).message };
  }
}

/** A commit that the database doesn't name was made after the backup. */
function pauseLost(
  copy: SqliteDatabase,
  tips: Readonly<Record<string, string>>,
  now: number,
): readonly LostWork[] {
  return Object.entries(tips).flatMap(([ticket, commit]) => {
    const row = copy.get('SELECT status FROM tickets WHERE id = ?', ticket);
    const known = row !== undefined;
    if (known && names(copy, ticket, commit)) return [];
    const isOpen = known && !['DRAFT', 'COMPLETED', 'CANCELED'].includes(Body.parse(row).status);
    if (isOpen) {
      const detail = `The database was restored from a backup that doesn't know the newest commits of this ticket. They are kept: git log ${lostRef(ticket, now)}`;
      const hold = JSON.stringify({ kind: 'paused', since: now, detail });
      copy.run(
        `UPDATE tickets SET body = json_set(body, '$.hold', json(?), '$.updatedAt', ?) WHERE id = ?`,
        hold,
        now,
        ticket,
      );
    }
    return [{ ticket, commit, ref: lostRef(ticket, now), known }];
  });
}

function names(copy: SqliteDatabase, ticket: string, commit: string): boolean {
  const found = copy.get(
    `SELECT EXISTS (SELECT 1 FROM tickets WHERE id = ?1 AND instr(body, ?2)) OR EXISTS (SELECT 1 FROM beads WHERE ticket = ?1 AND instr(body, ?2))
      OR EXISTS (SELECT 1 FROM journal WHERE ticket = ?1 AND typeof(entry) = 'text' AND instr(entry, ?2))
      OR EXISTS (SELECT 1 FROM artifacts WHERE ticket = ?1 AND typeof(content) = 'text' AND instr(content, ?2)) AS count`,
    ticket,
    commit,
  );
  return Count.parse(found).count > 0;
}

function lostRef(ticket: string, now: number): string {
  return ticketRef(ticket, `restored/${stamp(now)}`);
}

function stamp(now: number): string {
  return new Date(now).toISOString().slice(0, 19).replaceAll(':', '');
}

/** Cuts off earlier drivers. By far: the damaged epoch may be unread. */
function raiseEpoch(copy: SqliteDatabase, atLeast: number): void {
  const epoch = Math.max(epochIn(copy) + 1_000, atLeast) + 1;
  copy.run(`UPDATE meta SET value = ? WHERE key = 'epoch'`, String(epoch));
}

function epochIn(database: SqliteDatabase): number {
  return Epoch.parse(database.get(`SELECT value FROM meta WHERE key = 'epoch'`)).value;
}

function epochOf(folder: string): number {
  let damaged: SqliteDatabase | undefined;
  try {
    damaged = new SqliteDatabase(folder, { readOnly: true });
    return epochIn(damaged);
  } catch {
    return 0;
  } finally {
    damaged?.close();
  }
}

/** Moves also the damaged journal, which SQLite would play. `state.db` is always there. */
function swap(folder: string, restored: string, now: number): string | null {
  const path = join(folder, 'state.db');
  const kept = `${path}.damaged-${stamp(now)}`;
  const existed = existsSync(path);
  if (existed) keepAs(path, kept);
  const journals = ['-journal', '-wal', '-shm'].filter((ending) => existsSync(`${path}${ending}`));
  for (const ending of journals) copyFileSync(`${path}${ending}`, `${kept}${ending}`);
  sync(restored);
  for (const ending of journals) rmSync(`${path}${ending}`);
  renameSync(restored, path);
  syncFolderSync(folder);
  return existed ? kept : null;
}

function keepAs(path: string, kept: string): void {
  try {
    linkSync(path, kept);
  } catch {
    copyFileSync(path, kept); // this file system has no hard links
    sync(kept);
  }
}

function sync(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
