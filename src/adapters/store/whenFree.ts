import { BeadsmithError } from '../../domain/errors.ts';
import { DatabaseBusy } from './sqliteErrors.ts';

/** How long another process may hold the lock before a call fails (its longest write takes well under a second). */
const patienceMs = 10_000;
const pauseMs = 15;

/** Makes a call; while another process holds the lock, tries it again without blocking this thread. */
export async function whenFree<T>(call: () => T): Promise<T> {
  for (const start = performance.now(); ;) {
    try {
      return call();
    } catch (error) {
      if (!(error instanceof DatabaseBusy)) throw error;
      if (performance.now() - start > patienceMs)
        throw new BeadsmithError('UNEXPECTED', { reason: 'another process has held the database for 10 s' }, { cause: error });
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
