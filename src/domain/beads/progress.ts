import * as z from 'zod';
import { sha256 } from '../../base/sha256.ts';

/**
 * A rejected check: hashes of the worktree's tree and of the problem. `ms`: the agent's working time. Checks
 * of earlier versions lack the optional fields.
 */
export const Rejected = z.object({
  tree: z.string(),
  failure: z.string(),
  of: z.string().optional(),
  ms: z.number().optional(),
  pivot: z.literal(true).optional(),
});
export type Rejected = z.infer<typeof Rejected>;

/** As docs/decisions/066-stuck-agents.md says. */
const alikeLimit = 3;
/** In milliseconds of the agent's own work. */
const shortRunMs = 30_000;

/** Alike checks in a row since the last `pivot`. */
interface ProgressCounts {
  readonly sameFiles: number;
  readonly sameFailure: number;
  readonly shortRuns: number;
}

/** The hash of a problem, without folders and numbers, which differ between runs. */
export function failureHash(problem: string): string {
  const withoutFolders = problem.replace(/(?:\/[\w.@#-]+)+\//g, '/');
  return sha256(withoutFolders.replace(/[0-9a-f]{7,}|\d+/gi, '#').replace(/\s+/g, ' '));
}

/**
 * The reason why an agent is stuck, if it is: three checks in a row with the same files or failure, or
 * shorter than `short` milliseconds, or a return to earlier files. `checks`: oldest first.
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

/** The counts as a log line. */
export function countsText({ sameFiles, sameFailure, shortRuns }: ProgressCounts): string {
  const of = (count: number) => `${String(count)} of ${String(alikeLimit)}`;
  return `same files ${of(sameFiles)}, same failure ${of(sameFailure)}, short runs ${of(shortRuns)}`;
}
