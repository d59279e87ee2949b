import type { TicketSnapshot } from '../domain/ticket.ts';
import type { StepIo } from '../engine/run.ts';

/**
 * After a retry: makes the ticket's worktree again from its branch when somebody deleted the folder, as WORKTREE_LOST promises. Only then, and
 * before anything else: in the middle of work an empty beginning would pass for what was done. Throws WORKTREE_EXISTS, WORKTREE_FAILED, BRANCH_EXISTS.
 */
export async function remakeWorktree(io: StepIo, { id, entry, worktree, branch, baseCommit }: TicketSnapshot): Promise<void> {
  if (entry.by !== 'retry' || worktree === null || branch === null || baseCommit === null) return;
  // In there from the beginning; where only this is missing, it is all that is made again.
  if (await io.ports.files.exists(worktree, '.ticket/.gitignore')) return;
  await io.fence();
  await io.ports.git.addWorktree({ ticket: id, branch, commit: baseCommit });
}
