import type { RecordIo } from '../../engine/run.ts';

/** The present time as an ISO text, for what a step records. */
export function isoNow(io: RecordIo): string {
  return new Date(io.ports.clock.now()).toISOString();
}
