import * as z from 'zod';
import { sha256 } from '../../base/sha256.ts';

/**
 * The observations of a rejected check: everything that was in the worktree, as the hash of a tree, and what
 * was wrong, as the hash of its words. `of`: the check that failed. `ms`: the time for which the agent had
 * worked on it. `pivot`: the coder was asked to take another approach after it. Checks of earlier versions
 * lack these.
 */
export const Rejected = z.object({
  tree: z.string(),
  failure: z.string(),
  of: z.string().optional(),
  ms: z.number().optional(),
  pivot: z.literal(true).optional(),
});
export type Rejected = z.infer<typeof Rejected>;

/** So many alike checks in a row mean no progress (docs/decisions/066-stuck-agents.md). */
const alikeLimit = 3;
/** An agent that reports sooner, in milliseconds of its own work, has hardly tried. */
export const shortRunMs = 30_000;

/** The similarities of the last checks of an iteration, counted since the last `pivot`. */
export interface ProgressCounts {
  readonly sameFiles: number;
  readonly sameFailure: number;
  /** Short runs that left the same check failing. */
  readonly shortRuns: number;
}

/** Returns the hash of what was wrong, without folders and numbers, which differ from run to run. */
export function failureHash(problem: string): string {
  const withoutFolders = problem.replace(/(?:\/[\w.@#-]+)+\//g, '/');
  return sha256(withoutFolders.replace(/[0-9a-f]{7,}|\d+/gi, '#').replace(/\s+/g, ' '));
}

/**
 * Returns the reason why an agent that keeps working isn't getting anywhere, by the checks of its iteration,
 * oldest first; empty while it may continue. Three checks in a row found the same files or the same failure,
 * the files went back to those of an earlier check, or three runs were too short to have tried anything.
 * `short`: the milliseconds of the agent's work below which a run is short.
 */
export function stuckReason(checks: readonly Rejected[], short: number = shortRunMs): string {
  const last = checks.at(-1);
  if (!last) return '';
  const { sameFiles, sameFailure, shortRuns } = progressCounts(checks, short);
  const limit = String(alikeLimit);
  if (sameFiles >= alikeLimit) return `No progress: the files were the same at ${limit} checks in a row.`;
  const changed = checks.findLastIndex(({ tree }) => tree !== last.tree);
  const before = checks.slice(0, Math.max(0, changed)).findLastIndex(({ tree }) => tree === last.tree);
  if (before >= 0 && sameFiles === 1)
    return `No progress: the files went back to what failed ${String(checks.length - 1 - before)} checks ago.`;
  if (sameFailure >= alikeLimit) return `No progress: ${limit} checks in a row failed in the same way.`;
  return shortRuns >= alikeLimit
    ? `No progress: ${limit} runs in a row took less than ${String(Math.round(short / 1_000))} s each.`
    : '';
}

/** The counts behind `stuckReason`. */
export function progressCounts(checks: readonly Rejected[], short: number = shortRunMs): ProgressCounts {
  const last = checks.at(-1);
  const since = checks.slice(
    Math.max(
      0,
      checks.slice(0, -1).findLastIndex(({ pivot }) => pivot),
    ),
  );
  const row = (alike: (one: Rejected) => boolean): number => {
    const other = since.findLastIndex((one) => !alike(one));
    return since.length - 1 - other;
  };
  return {
    sameFiles: row(({ tree }) => tree === last?.tree),
    sameFailure: row(({ failure }) => failure === last?.failure),
    shortRuns: row(({ ms, of }) => ms !== undefined && ms < short && of === last?.of),
  };
}

/** The counts as a line of the log. */
export function countsText({ sameFiles, sameFailure, shortRuns }: ProgressCounts): string {
  const of = (count: number) => `${String(count)} of ${String(alikeLimit)}`;
  return `same files ${of(sameFiles)}, same failure ${of(sameFailure)}, short runs ${of(shortRuns)}`;
}
