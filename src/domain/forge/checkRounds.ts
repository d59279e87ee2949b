import * as z from 'zod';
import { ErrorRecord } from '../core/errors.ts';
import { CommitSha } from '../core/ids.ts';
import { type FailedCheck, ownFailures } from './failedCheck.ts';
import type { ForgeLook } from './forgeLook.ts';

/** Fixes in a row without a person. */
export const mostRounds = 3;

/**
 * An answer to failed checks of a commit. `runs`: the check runs that had failed. `request`: the entry that
 * it answers. `end`: of a fix, once it was pushed, was refused (`refusal`), or is dropped: it changed
 * nothing, or isn't to be pushed without a person any more.
 */
const CheckRound = z.object({
  kind: z.enum(['rerun', 'fix']),
  by: z.enum(['person', 'setting']),
  at: z.string(),
  commit: CommitSha,
  checks: z.array(z.string()),
  runs: z.array(z.number().int()),
  request: z.string(),
  end: z.enum(['pushed', 'refused', 'dropped']).nullable(),
  refusal: ErrorRecord.nullable().default(null),
});
export type CheckRound = z.infer<typeof CheckRound>;

/** `check_rounds`: all answers to failed checks of a ticket, oldest first. */
export const CheckRounds = z.object({ schema_version: z.literal(1), rounds: z.array(CheckRound) });
export type CheckRounds = z.infer<typeof CheckRounds>;

/** Fixes since a person last decided. */
export function roundsWithoutPerson(rounds: readonly CheckRound[]): number {
  const last = rounds.findLastIndex(({ by }) => by === 'person');
  return rounds.slice(last + 1).filter(({ kind }) => kind === 'fix').length;
}

/** A fix that hasn't ended. */
export function openFix(rounds: readonly CheckRound[]): CheckRound | undefined {
  const last = rounds.at(-1);
  return last?.kind === 'fix' && last.end === null ? last : undefined;
}

/** The refusal of the last fix, while the pull request is still at the commit that was to be fixed. */
export function standingRefusal(rounds: readonly CheckRound[], head: string): ErrorRecord | null {
  const last = rounds.at(-1);
  return last?.end === 'refused' && last.commit === head ? last.refusal : null;
}

/** True for what code can cause. Otherwise a check was stopped, never started, or waits for someone. */
export function isFixable({ conclusion }: FailedCheck): boolean {
  return ['failure', 'timed_out'].includes(conclusion);
}

/** A check that was started again and still hasn't a new run doesn't get one by itself. */
const rerunMs = 15 * 60_000;

/**
 * The next answer without a person: nothing while checks run, or for a while if the same runs stand that were
 * started again; a rerun first, unless there was one already, here or on the forge; then a fix of what code
 * can fix; and after some, for anything else, and for runs that stay, a person. `now`: in milliseconds since
 * 1970.
 */
export function nextAnswer(
  { checks, head }: Pick<ForgeLook, 'checks' | 'head'>,
  failures: readonly FailedCheck[],
  rounds: readonly CheckRound[],
  now?: number,
): 'wait' | 'rerun' | 'fix' | 'person' {
  const own = ownFailures(failures);
  if (checks.pending > 0 || own.length === 0) return 'wait';
  const rerun = rounds.findLast(({ kind, commit }) => kind === 'rerun' && commit === head.commit);
  if (rerun && own.some(({ id }) => id !== null && rerun.runs.includes(id)))
    return now !== undefined && now - Date.parse(rerun.at) >= rerunMs ? 'person' : 'wait';
  if (roundsWithoutPerson(rounds) >= mostRounds) return 'person';
  if (!rerun && own.some(({ id, attempt }) => id !== null && attempt === 1)) return 'rerun';
  return own.some(isFixable) ? 'fix' : 'person';
}
