import type { StepIo } from '../../engine/run/run.ts';

/**
 * Throws where nothing may leave any more: a cancelled step is left behind, but not ended, by what it awaits.
 */
export async function goesOn(io: StepIo): Promise<void> {
  await io.fence();
  io.signal.throwIfAborted();
}
