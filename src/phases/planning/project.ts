import { projections } from '../../domain/artifacts.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { StepIo } from '../../engine/run.ts';
import { ticketParts } from '../execution/ticketParts.ts';

/** Writes a document where people and tools can read it (architecture.md section 6). Nothing is ever read back from there. */
export async function project(io: StepIo, ticket: TicketSnapshot, artifact: string, content: string): Promise<void> {
  const path = projections[artifact];
  if (path !== undefined) await io.ports.files.write(ticketParts(ticket).worktree, path, content);
}
