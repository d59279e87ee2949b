import { existsSync } from 'node:fs';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { isTerminal } from '../../domain/workflow/workflow.ts';
import type { Ports } from '../../engine/ports/ports.ts';
import { recordedTip } from '../../phases/shared/worktree/branchTip.ts';

/**
 * Makes the worktree of a ticket that another runner drove last: in this clone, at the newest commit that its
 * journal knows. What no commit holds is the other runner's. Throws while the commit isn't here.
 */
export async function takeWorktree(ports: Pick<Ports, 'store' | 'git'>, id: string): Promise<void> {
  const { store, git } = ports;
  const ticket = await store.ticket(id);
  if (!ticket || isTerminal(ticket.status)) return;
  const { branch, baseCommit, worktree } = ticket;
  if (worktree === null || branch === null || baseCommit === null) return;
  const tip = (await recordedTip({ ticket: id, ports: { store } }))?.commit ?? baseCommit;
  if ((await git.resolve(tip)) === undefined)
    throw new BeadsmithError('UNEXPECTED', {
      reason: `the commit ${tip.slice(0, 12)} of ${id} isn't here yet`,
    });
  const path = await git.worktreePath(id);
  if (!existsSync(path) || (await git.head(path)) !== tip) {
    const made = await git.addWorktree({ ticket: id, branch, commit: baseCommit, setAside: true });
    await git.resetHard(made.path, tip);
  }
  if (worktree === path) return;
  await store.commit({ ticket: id, journal: [], changes: [{ type: 'ticket', set: { worktree: path } }] });
}
