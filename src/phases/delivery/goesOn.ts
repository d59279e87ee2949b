import type { StepIo } from '../../engine/run/run.ts';

/** Lets nothing leave of a cancelled step, which is left behind, but not ended, by what it waits for. */
export async function goesOn(io: StepIo): Promise<void> {
  await io.fence();
  io.signal.throwIfAborted();
}
