import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { Clock } from '../../../engine/ports/ports.ts';
import { sayWaitingMs } from './workerMessages.ts';

/** Another process holds the lock, or the server is away. Never leaves the store: the call is tried again. */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy';
  /** Thrown instead of DATABASE_BUSY after a long wait. */
  readonly lasting: BeadsmithError | undefined;

  constructor(
    message: string,
    options: { readonly cause?: unknown; readonly lasting?: BeadsmithError } = {},
  ) {
    super(message, { cause: options.cause });
    this.lasting = options.lasting;
  }
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
        throw error.lasting ?? new BeadsmithError('DATABASE_BUSY', { seconds }, { cause: error });
      }
      if (now - told >= sayWaitingMs) {
        told = now;
        onWait?.();
      }
    }
    await clock.sleep(pause);
  }
}
