import type { Bead } from '../../domain/bead.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Status } from '../../domain/workflow.ts';
import type { StepIo } from '../../engine/run.ts';
import { ticketParts } from '../execution/ticketParts.ts';

/** Replaces the ticket's plan: rows, the artifact `beads` (one bead a line) and its projection. */
export async function saveBeads(
  io: StepIo,
  ticket: TicketSnapshot,
  beads: readonly Bead[],
  place: { readonly status: Status; readonly attempt: number },
): Promise<string> {
  const content = beadLines(beads);
  const { worktree, baseBranch } = ticketParts(ticket);
  io.save({ type: 'beads', beads });
  io.save({ type: 'artifact', artifact: 'beads', content, ...place });
  await io.ports.files.write(worktree, `.ticket/beads/${baseBranch}/.beads/issues.jsonl`, content);
  return content;
}

/** A plan as JSON lines. */
export function beadLines(beads: readonly Bead[]): string {
  return beads.map((bead) => `${JSON.stringify(bead)}\n`).join('');
}
