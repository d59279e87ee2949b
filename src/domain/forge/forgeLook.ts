import * as z from 'zod';
import { ErrorRecord, filled, type Words } from '../core/errors.ts';
import { CommitSha } from '../core/ids.ts';
import { FailedCheck, mostFailedChecks } from './failedCheck.ts';
import { forgeTexts } from './forgeTexts.ts';
import { ThreadCount } from './forgeThread.ts';
import { IssueState } from './issueLink.ts';
import { Merging, mergingLine } from './merging.ts';

/** Names of failing checks beyond these aren't kept. */
export const mostFailing = 20;

/**
 * The last outcome of each check of a commit, counted. `failing`: names of some that failed; `failedRuns`:
 * the ids of their runs, which differ once they ran again.
 */
export const CheckSummary = z.object({
  passed: z.number().int().nonnegative(),
  failed: z.number().int().nonnegative(),
  pending: z.number().int().nonnegative(),
  failing: z.array(z.string()).max(mostFailing),
  failedRuns: z.array(z.number().int()).max(mostFailing).default([]),
});
export type CheckSummary = z.infer<typeof CheckSummary>;

/**
 * A pull request as it is on its forge. `repositoryId`: of the one that has it. `base`: the branch that it
 * goes to. `head`: its branch, and the tip of it; `isThere`: the branch wasn't deleted. `merge`: the commit
 * on the base. `conflicts`: null while the forge doesn't know. `review`: what people with write access
 * decided. `merging`: null after the end, or if the forge doesn't say.
 */
export const ForgeLook = z.object({
  number: z.number().int().positive(),
  location: z.string(),
  state: z.enum(['draft', 'open', 'merged', 'closed']),
  repositoryId: z.number().int().positive().optional(),
  base: z.string(),
  head: z.object({ branch: z.string(), commit: CommitSha, isThere: z.boolean() }),
  merge: CommitSha.nullable(),
  conflicts: z.boolean().nullable(),
  review: z.enum(['none', 'approved', 'changes_requested']),
  checks: CheckSummary,
  merging: Merging.nullable().default(null),
});
export type ForgeLook = z.infer<typeof ForgeLook>;

/**
 * A ticket's pull request, as it was seen last. `repository`: its full name. `news`: what a person has to
 * know and do about it. `failures`: of the checks of its tip, once they were read. `threads`: the comments,
 * once they were read. `issue`: the one that the ticket was imported from.
 */
export const ForgeState = ForgeLook.extend({
  repository: z.string(),
  news: ErrorRecord.nullable(),
  failures: z.array(FailedCheck).max(mostFailedChecks).default([]),
  threads: ThreadCount.optional(),
  issue: IssueState.optional(),
});
export type ForgeState = z.infer<typeof ForgeState>;

/** A pull request right after it was published. */
export function publishedState(
  of: Pick<ForgeState, 'repository' | 'number' | 'location' | 'base'> & {
    readonly state: ForgeLook['state'];
    readonly repositoryId?: number | undefined;
    readonly branch: string;
    readonly commit: string;
  },
): ForgeState {
  const { branch, commit, ...rest } = of;
  return ForgeState.parse({
    ...rest,
    head: { branch, commit, isThere: true },
    merge: null,
    conflicts: null,
    review: 'none',
    checks: { passed: 0, failed: 0, pending: 0, failing: [], failedRuns: [] },
    news: null,
  });
}

/** True if a look shows the same as what is known. What the forge doesn't know yet is no change. */
export function isSameLook(known: ForgeLook, look: ForgeLook): boolean {
  const conflicts = look.conflicts ?? known.conflicts;
  return JSON.stringify(ForgeLook.parse(known)) === JSON.stringify(ForgeLook.parse({ ...look, conflicts }));
}

/** A look in a line, for facts and logs. */
export function lookLine(
  { number, state, review, checks, merging }: ForgeLook,
  words: Words = filled,
): string {
  const { passed, failed, pending } = checks;
  const total = passed + failed + pending;
  const parts = [
    words(forgeTexts[state], {}),
    ...(review === 'none' ? [] : [words(forgeTexts[review], {})]),
    ...(total === 0 ? [] : [words(forgeTexts.passed, { passed, total })]),
    ...(failed === 0 ? [] : [words(forgeTexts.failed, { failed })]),
    ...(pending === 0 ? [] : [words(forgeTexts.pending, { pending })]),
    ...[mergingLine(merging, words)].filter((line) => line !== ''),
  ];
  return `#${String(number)} ${parts.join(', ')}`;
}

/** A pull request as it is known, in a line. */
export function stateLine(forge: ForgeState, words: Words = filled): string {
  const open = forge.threads?.open ?? 0;
  const threads = words(open === 1 ? forgeTexts.thread : forgeTexts.threads, { open });
  return [lookLine(forge, words), ...(open === 0 ? [] : [threads])].join(', ');
}
