import type { RecordIo } from '../../engine/run.ts';

/** The active milliseconds of a run's limited steps so far, as the engine counts them (architecture.md section 5, rule 6). */
export async function activeMs(io: RecordIo, run: string): Promise<number> {
  let sum = 0;
  for (const step of await io.ports.store.steps(run)) sum += step.activeMs;
  return sum;
}
