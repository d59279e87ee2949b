import { readdirSync } from 'node:fs';
import { join } from 'node:path';

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

/**
 * One that is made by the clock: of a minute, of a second at the end of a driver, or, as earlier versions
 * named it, of a day.
 */
const byClock = /^state-(\d{4}-\d{2}-\d{2})(?:T(\d{2})(\d{2})(\d{2})?)?\.db$/;

/**
 * Returns the time at which a backup was made by the clock, in milliseconds since 1970; undefined for any
 * other file.
 */
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
