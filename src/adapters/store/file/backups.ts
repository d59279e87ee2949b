import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type Database, backupNameAt, backupNames, timeOfBackup } from '../sqlite/database.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The ages to which backups are kept: the newest of each hour, then of each day, then of each week. */
const kept = { hourly: dayMs, daily: 14 * dayMs, weekly: 61 * dayMs };

/** As many are kept whatever their age, and no more than so many bytes beyond them. */
const least = 3;
const mostBytes = 1024 * 1024 * 1024;

/** A copy of a larger database takes longer than the second or two that it may delay the end of a window. */
const mostBytesAtEnd = 128 * 1024 * 1024;

const Version = z.object({ data_version: z.number() });

/**
 * Keeps a copy of the database if it changed since the newest one, which is an hour old, and removes those
 * that are too old (docs/decisions/126-backups-and-restoring.md). Copies from before a migration are kept
 * until a person removes them.
 */
export function backUp(database: Database, now: number): void {
  const last = newestByClock(database.folder);
  const age = now - (last === undefined ? 0 : (timeOfBackup(last) ?? 0));
  if (last === undefined || ((age < 0 || age >= hourMs) && hasChanged(database, last)))
    writeBackup(database, backupNameAt(now));
  removeOld(database.folder, now);
}

/**
 * Keeps one more copy as a driver ends, if the database changed since the newest one. None is removed then: a
 * person may be about to restore it, and the next driver sees to that.
 */
export function backUpAtEnd(database: Database, now: number): void {
  const last = newestByClock(database.folder);
  if (last !== undefined && !hasChanged(database, last)) return;
  if (statSync(database.path).size <= mostBytesAtEnd) writeBackup(database, backupNameAt(now, 'second'));
}

/**
 * Makes a write that is worth no backup: if the newest one is of the database as it was, the file gets the
 * time of its last change back. What another process writes meanwhile keeps its time.
 */
export function withoutBackup<T>(database: Database, write: () => T): T {
  const last = newestByClock(database.folder);
  // One in memory has no file.
  const file = statSync(database.path, { throwIfNoEntry: false });
  if (!file) return write();
  const version = versionOf(database);
  const isCurrent = last !== undefined && !hasChanged(database, last);
  const value = write();
  if (!isCurrent) return value;
  setTime(database.path, file.mtimeMs);
  if (!isStill(database, version)) setTime(database.path, Date.now());
  return value;
}

/** Backs up while this thread works. What fails is tried again the next time. */
export function backUpHourly(database: Database): void {
  const timer = setInterval(() => {
    try {
      backUp(database, Date.now());
    } catch {
      // It is busy, or the disk is full: that is reported where work needs it.
    }
  }, hourMs / 6);
  timer.unref();
}

/** Keeps a copy of the database in this schema version. */
export function backUpBeforeMigration(database: Database, version: number, now: number): string {
  return writeBackup(
    database,
    `state-${new Date(now).toISOString().slice(0, 10)}-schema-${String(version)}.db`,
  );
}

/** Backups that aren't kept any more, of those made by the clock, with sizes, oldest first. */
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
  if (age <= kept.hourly) return `hour ${String(Math.floor(time / hourMs))}`;
  if (age <= kept.daily) return `day ${String(Math.floor(time / dayMs))}`;
  return age <= kept.weekly ? `week ${String(Math.floor(time / (7 * dayMs)))}` : undefined;
}

/** Removes backups that aren't kept any more, and halves of those whose process was killed. */
function removeOld(folder: string, now: number): void {
  const halves = readdirSync(join(folder, 'backups')).filter((name) => /^state-.*\.db\.part$/.test(name));
  for (const name of [...halves, ...superseded(sizesOf(folder), now)]) {
    try {
      rmSync(join(folder, 'backups', name), { force: true });
    } catch {
      // On Windows one that is being read stays until the next time.
    }
  }
}

function newestByClock(folder: string): string | undefined {
  return backupNames(folder).findLast((name) => timeOfBackup(name) !== undefined);
}

function sizesOf(folder: string): readonly { readonly name: string; readonly bytes: number }[] {
  return backupNames(folder).map((name) => ({
    name,
    bytes: statSync(join(folder, 'backups', name), { throwIfNoEntry: false })?.size ?? 0,
  }));
}

/** Every commit writes to the file itself. */
function hasChanged({ folder, path }: Database, since: string): boolean {
  const copied = statSync(join(folder, 'backups', since), { throwIfNoEntry: false });
  const file = statSync(path, { throwIfNoEntry: false });
  return copied === undefined || file === undefined || file.mtimeMs >= copied.mtimeMs;
}

/** Changes with the commits of other connections only. */
function versionOf(database: Database): number {
  return Version.parse(database.get('PRAGMA data_version')).data_version;
}

/** False as well while another process writes. */
function isStill(database: Database, version: number): boolean {
  try {
    return versionOf(database) === version;
  } catch {
    return false;
  }
}

function setTime(path: string, ms: number): void {
  try {
    utimesSync(path, ms / 1_000, ms / 1_000);
  } catch {
    // Then a copy is made that isn't needed.
  }
}

/** `VACUUM INTO` writes a whole, consistent copy; a half-written one never has the final name. */
function writeBackup(database: Database, name: string): string {
  const folder = join(database.folder, 'backups');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = join(folder, `${name}.part`);
  rmSync(temporary, { force: true });
  database.run('VACUUM INTO ?', temporary);
  renameSync(temporary, join(folder, name));
  return join(folder, name);
}
