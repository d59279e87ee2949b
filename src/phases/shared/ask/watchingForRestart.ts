import type { StepIo } from '../../../engine/run/run.ts';

/**
 * Does `work` while it watches the inbox for a person who wants its session ended (`Question.restartsOn`).
 * The signal is aborted then; it is undefined where nobody can want that.
 */
export async function watchingForRestart<T>(
  io: StepIo,
  restartsOn: ((io: StepIo) => Promise<boolean>) | undefined,
  work: (restart: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (!restartsOn) return work(undefined);
  const restart = new AbortController();
  const check = async (): Promise<void> => {
    if (!restart.signal.aborted && (await restartsOn(io))) restart.abort();
  };
  const watch = io.ports.store.onDidChange((ticket, cause) => {
    // If the inbox can't be read now, the next change tries again.
    if (cause !== 'commit' && (ticket === undefined || ticket === io.ticket))
      void check().catch(() => undefined);
  });
  try {
    await check();
    return await work(restart.signal);
  } finally {
    watch.dispose();
  }
}
