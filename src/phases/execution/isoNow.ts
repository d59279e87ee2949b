import type { StepIo } from '../../engine/run.ts';

/** The present time as an ISO text, for what a step records. */
export function isoNow(io: StepIo): string {
  return new Date(io.ports.clock.now()).toISOString();
}
