import { BeadsmithError, type ErrorCode } from '../../domain/errors.ts';
import type { StepIo } from '../../engine/run.ts';

/** Errors that must reach the engine, whatever a step was doing. */
const ofTheRun: readonly ErrorCode[] = ['EPOCH_LOST', 'DISK_FULL', 'DATABASE_READ_ONLY', 'STATUS_CONFLICT'];

/**
 * Does something inside a step whose failure is an outcome to record, not the end of the step. What ends the run is thrown on:
 * an aborted signal, errors of the engine, and anything that isn't a named error.
 */
export async function attempted<T>(
  io: StepIo,
  work: () => Promise<T>,
): Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: BeadsmithError }> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    io.signal.throwIfAborted();
    if (!(error instanceof BeadsmithError) || ofTheRun.includes(error.code)) throw error;
    return { ok: false, error };
  }
}
