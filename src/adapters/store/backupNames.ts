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
