import { BeadsmithError } from '../../domain/errors.ts';

/** Another process holds the lock. It never leaves the store: the call is tried again without blocking. */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy';
}

/** An error of SQLite or the file system as one that people can act on: DISK_FULL, DATABASE_READ_ONLY, DATABASE_CORRUPT, or the error itself. */
export function toStoreError(error: unknown, place: { readonly path: string; readonly backup: () => string }): unknown {
  if (!(error instanceof Error) || error instanceof BeadsmithError) return error;
  const primary = sqliteCode(error);
  const system = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (primary === 5 || primary === 6) return new DatabaseBusy(error.message, { cause: error });
  if (primary === 13 || system === 'ENOSPC' || system === 'EDQUOT') return new BeadsmithError('DISK_FULL', {}, { cause: error });
  if (primary === 3 || primary === 8 || primary === 14 || ['EROFS', 'EACCES', 'EPERM'].includes(system))
    return new BeadsmithError('DATABASE_READ_ONLY', { reason: error.message }, { cause: error });
  if (primary === 11 || primary === 26)
    return new BeadsmithError('DATABASE_CORRUPT', { path: place.path, reason: error.message, backup: place.backup() }, { cause: error });
  return error;
}

/** The primary result code of SQLite (the low byte of the extended one), 0 for other errors. */
function sqliteCode(error: Error): number {
  return 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0;
}

/** How long another process may hold the lock before a call fails (its longest write takes well under a second). */
const patienceMs = 10_000;
const pauseMs = 15;

/** Makes a call, and tries it again while another process holds the lock, without blocking this thread. */
export async function whenFree<T>(call: () => T): Promise<T> {
  for (const start = performance.now(); ;) {
    try {
      return call();
    } catch (error) {
      if (!(error instanceof DatabaseBusy)) throw error;
      if (performance.now() - start > patienceMs)
        throw new BeadsmithError('DATABASE_BUSY', { seconds: patienceMs / 1_000 }, { cause: error });
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
