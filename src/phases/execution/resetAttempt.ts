import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { StepIo } from '../../engine/run.ts';
import { ticketParts } from './ticketParts.ts';

/**
 * Takes the worktree back to `start` after a failed attempt of a status, which is kept under `refs/beadsmith/<ticket>/_<name>`
 * (no bead can be called that). Doing it twice does no harm.
 */
export async function resetAttempt(io: StepIo, ticket: TicketSnapshot, start: string, name: string): Promise<void> {
  const { worktree } = ticketParts(ticket);
  const { git } = io.ports;
  const dirty = (await git.head(worktree)) !== start || (await git.status(worktree)).length > 0;
  if (dirty) await git.keep(worktree, statusRef(ticket, name), `${ticket.id}: what ${name} left`);
  await git.sweepAgentConfig(worktree);
  await io.fence();
  await git.resetHard(worktree, start);
}

/** Where something that belongs to a status instead of a bead is kept. */
export function statusRef(ticket: TicketSnapshot, name: string): string {
  return `refs/beadsmith/${ticket.id}/_${name}`;
}
