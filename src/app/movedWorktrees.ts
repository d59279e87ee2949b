import { existsSync } from 'node:fs';
import { isTerminal } from '../domain/workflow/workflow.ts';
import type { Git } from '../engine/ports/ports.ts';
import type { Store } from '../engine/ports/storePort.ts';

/**
 * Notes where the worktrees are of a repository that was moved with them: a ticket knows its worktree by the
 * absolute path. Only a driver calls it, before its first ticket. A run that was open keeps the previous path
 * and blocks; its retry makes git find the worktree again, and prepares it.
 */
export async function followMovedWorktrees(
  store: Pick<Store, 'tickets' | 'commit'>,
  git: Pick<Git, 'worktreePath'>,
): Promise<void> {
  for (const { id, status, worktree } of await store.tickets()) {
    if (worktree === null || isTerminal(status) || existsSync(worktree)) continue;
    const path = await git.worktreePath(id);
    if (path === worktree || !existsSync(path)) continue;
    await store.commit({ ticket: id, journal: [], changes: [{ type: 'ticket', set: { worktree: path } }] });
  }
}
