import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { type SqliteDatabase, backupNameAt, backupNames, sizeOf, timeOfBackup } from '../sqlite/database.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Ages to which the newest backup of each hour, day and week is kept. */
const kept = { hourly: dayMs, daily: 14 * dayMs, weekly: 61 * dayMs };

const least = 3;
const mostBytes = 1024 * 1024 * 1024;

/** A larger copy takes too long for the end of a window. */
const mostBytesAtEnd = 128 * 1024 * 1024;

/**
 * Backs up a database that changed since the newest backup, if that is an hour old; removes old ones
 * (docs/decisions/126-backups-and-restoring.md). Those of migrations are a person's to remove.
 */
export function backUp(database: SqliteDatabase, now: number): void {
  const last = newestByClock(database.folder);
  const age = now - (last === undefined ? 0 : (timeOfBackup(last) ?? 0));
  if (last === undefined || ((age < 0 || age >= hourMs) && hasChanged(database, last)))
    writeBackup(database, backupNameAt(now));
  removeOld(database.folder, now);
}

/** Backs up as a driver ends, if anything changed. Removes none: a person may be about to restore it. */
export function backUpAtEnd(database: SqliteDatabase, now: number): void {
  const last = newestByClock(database.folder);
  if (last !== undefined && !hasChanged(database, last)) return;
  if (statSync(database.path).size <= mostBytesAtEnd) writeBackup(database, backupNameAt(now, 'second'));
}

/**
 * Makes a write that is worth no backup: where the newest one was up to date, the file's time is put back.
 * Others' writes keep theirs.
 */
export function withoutBackup<T>(database: SqliteDatabase, write: () => T): T {
  const last = newestByClock(database.folder);
  // One in memory has no file.
  const file = statSync(database.path, { throwIfNoEntry: false });
  if (!file) return write();
  const version = database.dataVersion;
  const isCurrent = last !== undefined && !hasChanged(database, last);
  const value = write();
  if (!isCurrent) return value;
  setTime(database.path, file.mtimeMs);
  if (!isStill(database, version)) setTime(database.path, Date.now());
  return value;
}

/** Failures are tried again next time. */
export function backUpHourly(database: SqliteDatabase): void {
  const timer = setInterval(() => {
    try {
      backUp(database, Date.now());
    } catch {
      // Busy, or a full disk: reported where work needs it.
    }
  }, hourMs / 6);
  timer.unref();
}

export function backUpBeforeMigration(database: SqliteDatabase, version: number, now: number): string {
  return writeBackup(database, `state-${new Date(now).toISOString().slice(0, 10)}-schema-${version}.db`);
}

/** Clock-made backups to remove, with sizes, oldest first. */
export function superseded(
  backups: readonly { readonly name: string; readonly bytes: number }[],
  now: number,
): readonly string[] {
  const buckets = new Set<string>();
  let bytes = 0;
  let count = 0;
  const made = backups.flatMap(({ name, bytes: size }) => {
    const time = timeOfBackup(name);
    return time === undefined ? [] : [{ name, size, time }];
  });
  return made.reverse().flatMap(({ name, size, time }) => {
    const bucket = bucketOf(time, now);
    const isFirst = bucket !== undefined && !buckets.has(bucket);
    if ((count < least || isFirst) && (count < least || bytes + size <= mostBytes)) {
      if (bucket !== undefined) buckets.add(bucket);
      count += 1;
      bytes += size;
      return [];
    }
    return [name];
  });
}

function bucketOf(time: number, now: number): string | undefined {
  const age = now - time;
  if (age <= kept.hourly) return `hour ${Math.floor(time / hourMs)}`;
  if (age <= kept.daily) return `day ${Math.floor(time / dayMs)}`;
  return age <= kept.weekly ? `week ${String(Math.floor(time / (7 * dayMs)))}` : undefined;
}

function removeOld(folder: string, now: number): void {
  const halves = readdirSync(join(folder, 'backups')).filter((name) => /^state-.*\.db\.part$/.test(name));
  for (const name of [...halves, ...superseded(sizesOf(folder), now)]) {
    try {
      rmSync(join(folder, 'backups', name), { force: true });
    } catch {
      // On Windows one that is being read stays.
    }
  }
}

function newestByClock(folder: string): string | undefined {
  return backupNames(folder).findLast((name) => timeOfBackup(name) !== undefined);
}

function sizesOf(folder: string): readonly { readonly name: string; readonly bytes: number }[] {
  return backupNames(folder).map((name) => ({
    name,
    bytes: sizeOf(join(folder, 'backups', name)),
  }));
}

/** Every commit writes to the file itself. */
function hasChanged({ folder, path }: SqliteDatabase, since: string): boolean {
  const copied = statSync(join(folder, 'backups', since), { throwIfNoEntry: false });
  const file = statSync(path, { throwIfNoEntry: false });
  return copied === undefined || file === undefined || file.mtimeMs >= copied.mtimeMs;
}

/** False as well while another process writes. */
function isStill(database: SqliteDatabase, version: number): boolean {
  try {
    return database.dataVersion === version;
  } catch {
    return false;
  }
}

function setTime(path: string, ms: number): void {
  try {
    utimesSync(path, ms / 1_000, ms / 1_000);
  } catch {
    // Then an unneeded copy is made.
  }
}

/** `VACUUM INTO` copies consistently; a half-written one never has the final name. */
function writeBackup(database: SqliteDatabase, name: string): string {
  const folder = join(database.folder, 'backups');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = join(folder, `${name}.part`);
  rmSync(temporary, { force: true });
  database.run('VACUUM INTO ?', temporary);
  renameSync(temporary, join(folder, name));
  return join(folder, name);
}
