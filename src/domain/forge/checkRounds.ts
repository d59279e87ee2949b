import * as z from 'zod';
import { CommitSha } from '../core/ids.ts';
import { type FailedCheck, ownFailures } from './failedCheck.ts';
import type { ForgeLook } from './forgeLook.ts';

/** Fixes in a row without a person. */
export const mostRounds = 3;

/**
 * An answer to failed checks of a commit. `runs`: the check runs that had failed. `request`: the entry that
 * it answers. `end`: of a fix, once it was pushed, or couldn't be.
 */
const CheckRound = z.object({
  kind: z.enum(['rerun', 'fix']),
  by: z.enum(['person', 'setting']),
  at: z.string(),
  commit: CommitSha,
  checks: z.array(z.string()),
  runs: z.array(z.number().int()),
  request: z.string(),
  end: z.enum(['pushed', 'refused']).nullable(),
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

/** A fix that isn't pushed yet, now that the ticket proposes this commit. */
export function unpushedFix(rounds: readonly CheckRound[], candidate: string): CheckRound | undefined {
  const last = rounds.at(-1);
  return last?.kind === 'fix' && last.end === null && last.commit !== candidate ? last : undefined;
}

/**
 * The next answer without a person: nothing while checks run, or while the same runs stand that were started
 * again; a rerun first, unless there was one already, here or on the forge; then a fix; and after some, a
 * person.
 */
export function nextAnswer(
  { checks, head }: Pick<ForgeLook, 'checks' | 'head'>,
  failures: readonly FailedCheck[],
  rounds: readonly CheckRound[],
): 'wait' | 'rerun' | 'fix' | 'person' {
  const own = ownFailures(failures);
  if (checks.pending > 0 || own.length === 0) return 'wait';
  const rerun = rounds.findLast(({ kind, commit }) => kind === 'rerun' && commit === head.commit);
  if (rerun && own.some(({ id }) => id !== null && rerun.runs.includes(id))) return 'wait';
  if (roundsWithoutPerson(rounds) >= mostRounds) return 'person';
  return !rerun && own.some(({ id, attempt }) => id !== null && attempt === 1) ? 'rerun' : 'fix';
}
