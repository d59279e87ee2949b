import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { Clock } from '../../../engine/ports/ports.ts';
import { sayWaitingMs } from './workerMessages.ts';
import { codeOf } from '../../system/files.ts';

/** Another process holds the lock. Never leaves the store: the call is tried again. */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy';
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

interface Waiting {
  readonly clock?: Pick<Clock, 'monotonic' | 'sleep'>;
  /** Milliseconds before DATABASE_BUSY, asked again and again. Default: a minute. */
  readonly patienceMs?: () => number;
  /** Told while waiting: this thread is well. */
  readonly onWait?: () => void;
}

const threadClock: Pick<Clock, 'monotonic' | 'sleep'> = {
  monotonic: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};
/** Milliseconds that a call waits for another process's lock, except in a driver. */
export const usualPatienceMs = 60_000;
const firstPauseMs = 15;
const longestPauseMs = 250;

/** Tries again while another process holds the lock, without blocking this thread. */
export async function whenFree<T>(
  call: () => T,
  { clock = threadClock, patienceMs = () => usualPatienceMs, onWait }: Waiting = {},
): Promise<T> {
  const start = clock.monotonic();
  let told = start;
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
    try {
      return call();
    } catch (error) {
      if (!(error instanceof DatabaseBusy)) throw error;
      const now = clock.monotonic();
      if (now - start > patienceMs()) {
        const seconds = Math.round((now - start) / 1_000);
        throw new BeadsmithError('DATABASE_BUSY', { seconds }, { cause: error });
      }
      if (now - told >= sayWaitingMs) {
        told = now;
        onWait?.();
      }
    }
    await clock.sleep(pause);
  }
}
