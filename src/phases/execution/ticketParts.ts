import { BeadsmithError } from '../../domain/errors.ts';
import type { Settings } from '../../domain/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';

/** What every started ticket has. */
export interface TicketParts {
  readonly settings: Settings;
  /** Absolute path of the ticket's worktree. */
  readonly worktree: string;
  readonly branch: string;
  readonly baseBranch: string;
}

/** The parts of a ticket that are filled in at Start. Throws WORKTREE_LOST or UNEXPECTED for a ticket that was never started. */
export function ticketParts(ticket: TicketSnapshot): TicketParts {
  const { settings, worktree, branch, baseBranch } = ticket;
  if (worktree === null) throw new BeadsmithError('WORKTREE_LOST', { path: '(none)' });
  if (settings === null || branch === null || baseBranch === null) {
    throw new BeadsmithError('UNEXPECTED', { reason: `${ticket.id} has no settings, branch or base branch` });
  }
  return { settings, worktree, branch, baseBranch };
}
