import type { Bead } from '../../domain/bead.ts';
import { BeadsmithError } from '../../domain/errors.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { StepIo } from '../../engine/run.ts';
import { ticketParts } from './ticketParts.ts';

/**
 * Takes the worktree back to where a bead began, after its state was kept under `ref` (architecture.md section 5, rule 11).
 * Doing it twice does no harm: once the tree is the start's, there is nothing to keep any more.
 */
export async function resetBead(io: StepIo, ticket: TicketSnapshot, bead: Bead, ref: string): Promise<void> {
  const { worktree } = ticketParts(ticket);
  const { git } = io.ports;
  const start = bead.beadStartCommit;
  if (start === null) throw new BeadsmithError('UNEXPECTED', { reason: `bead ${bead.id} has no start commit` });
  const kept = io.resume !== 'first' && (await git.resolve(ref)) !== undefined && (await isClean(io, worktree, start));
  if (!kept) await git.keep(worktree, ref, `${ticket.id} ${bead.id}, iteration ${bead.iteration}: what was left`);
  await git.sweepAgentConfig(worktree);
  await io.fence();
  await git.resetHard(worktree, await resetPoint(io, worktree, bead.id, start));
}

async function isClean(io: StepIo, worktree: string, start: string): Promise<boolean> {
  const { git } = io.ports;
  return (await git.head(worktree)) === start && (await git.status(worktree)).length === 0;
}

/** The bead's start, unless commits of other beads stand on it: their work is never given up for this one's. */
async function resetPoint(io: StepIo, worktree: string, bead: string, start: string): Promise<string> {
  const { git } = io.ports;
  const head = await git.head(worktree);
  const commits = head === start ? [] : await git.commits(worktree, start, head);
  const others = commits.filter(({ trailers }) => trailers['Bead'] !== undefined && trailers['Bead'] !== bead);
  return others.length > 0 ? head : start;
}
