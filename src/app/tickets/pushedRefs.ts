import type { GitAdapter } from '../../adapters/git/gitAdapter.ts';
import { pushedBranchRef, refToRead, ticketOfBranch } from '../../domain/core/ids.ts';
import type { DiffGit } from './ticketDiffs.ts';

/**
 * Fetches a team's commits of a ticket from `origin` into a person's clone, and answers the newest one of its
 * branch there, or undefined. Branches, worktree, `FETCH_HEAD` and the refs of this clone's own tickets stay
 * as they are. Throws FORGE_UNREACHABLE, PUSH_REFUSED where the remote can't be used.
 */
export async function fetchTicketRefs(
  git: Pick<GitAdapter, 'ticketRefs'>,
  ticket: string,
): Promise<string | undefined> {
  return (await git.ticketRefs()).fetchToRead(ticket);
}

/** A clone's git for `TicketDiffs`, in which a ticket's refs are those that were fetched to be read. */
export function pushedDiffGit(git: DiffGit): DiffGit {
  return {
    resolve: (revision) => git.resolve(toRead(revision)),
    compare: (from, to) => git.compare(from, to),
    blob: (commit, path) => git.blob(commit, path),
    diff: (place, from, to) => git.diff(place, from, to),
    mergeBase: (place, a, b) => git.mergeBase(place, a, b),
    treeOf: (commit) => git.treeOf(commit),
    writeTree: (worktree) => git.writeTree(worktree),
    stagedTree: (worktree) => git.stagedTree(worktree),
  };
}

function toRead(revision: string): string {
  const ticket = ticketOfBranch(revision.replace(/^refs\/heads\//, ''));
  return refToRead(ticket === undefined ? revision : pushedBranchRef(ticket));
}
