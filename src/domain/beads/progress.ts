import { sha256 } from '../../base/sha256.ts';

/** What a rejected check saw: everything that was in the worktree, as the hash of a tree, and what was wrong, as the hash of its words. */
export interface Rejected {
  readonly tree: string;
  readonly failure: string;
}

/** So many checks in a row with the same failure end an iteration. */
const sameFailureLimit = 3;

/** What was wrong, without what differs from run to run: where files are, and numbers such as times, ports, process ids and lines. */
export function failureHash(problem: string): string {
  const withoutFolders = problem.replace(/(?:\/[\w.@#-]+)+\//g, '/');
  return sha256(withoutFolders.replace(/[0-9a-f]{7,}|\d+/gi, '#').replace(/\s+/g, ' '));
}

/**
 * Why an agent that keeps working isn't getting anywhere, by the checks of its iteration, oldest first; empty while it may. It left the files as they
 * were, brought back a state that had failed in the same way, or fails in the same way for the third time.
 */
export function stuckReason(checks: readonly Rejected[]): string {
  const last = checks.at(-1);
  if (!last) return '';
  const earlier = checks.slice(0, -1);
  const same = earlier.findLastIndex(({ tree, failure }) => tree === last.tree && failure === last.failure);
  if (same >= 0 && same === earlier.length - 1)
    return 'No progress: the files are the same as at the previous check, and so is the failure.';
  if (same >= 0) return `No progress: the files went back to what failed ${String(earlier.length - same)} checks ago.`;
  const recent = checks.slice(-sameFailureLimit);
  if (recent.length < sameFailureLimit || recent.some(({ failure }) => failure !== last.failure)) return '';
  return `No progress: ${String(sameFailureLimit)} checks in a row failed in the same way.`;
}
