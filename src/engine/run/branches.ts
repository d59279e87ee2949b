import type { Settled } from '../../base/result.ts';
import { BeadsmithError, type ErrorCode, isStoreError } from '../../domain/core/errors.ts';
import type { Run } from './run.ts';
import { RunStopped } from './runScope.ts';

/** docs/ARCHITECTURE.md §5.4. */
const ofTheRun: readonly ErrorCode[] = ['REPLAY_MISMATCH', 'STEP_KEY_REUSED'];

interface BranchOptions {
  readonly runOf: (name: string) => Run;
  readonly ended: () => Promise<void>;
  readonly atOnce?: number;
}

/** Runs named branches side by side; `ended` follows each success. */
export async function runBranches<T>(
  branches: Readonly<Record<string, (run: Run) => Promise<T>>>,
  { runOf, ended, atOnce = Number.POSITIVE_INFINITY }: BranchOptions,
): Promise<Record<string, Settled<T>>> {
  const waiting = Object.entries(branches);
  const settled: Record<string, Settled<T>> = {};
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, branch] = next;
      try {
        const value = await branch(runOf(name));
        await ended();
        settled[name] = { ok: true, value };
      } catch (error) {
        settled[name] = { ok: false, error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, waiting.length) }, work));
  for (const result of Object.values(settled)) if (!result.ok && interrupts(result.error)) throw result.error;
  return Object.fromEntries(Object.keys(branches).map((name) => [name, settled[name]])) as Record<
    string,
    Settled<T>
  >;
}

/** True for errors of the whole run, or for a person: nothing in the run may ignore them. */
export function interrupts(error: unknown): boolean {
  if (error instanceof RunStopped || isStoreError(error)) return true;
  return error instanceof BeadsmithError && (error.continuable || ofTheRun.includes(error.code));
}
