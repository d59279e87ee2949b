import { inboxBodies, type InboxEntry } from '../../domain/inbox.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { RecordIo, StepIo } from '../../engine/run.ts';
import { artifactChange } from '../execution/artifactChange.ts';
import { commitSuggestion } from '../execution/commitSuggestion.ts';
import { saveRejections } from '../execution/saveRejections.ts';

/** Keeps what a reviewer asks for until coding makes beads of it. */
export function saveRequest(io: RecordIo, ticket: TicketSnapshot, entry: InboxEntry): void {
  const request = inboxBodies.changes.parse(entry.body);
  saveRejections(io, request.items);
  io.save(artifactChange(ticket, 'changes_requested', request));
}

/** A person's own edit at a gate after coding: with it, the work goes back to be tested anew. A refused one leaves the gate open. */
export async function goBackWith(io: StepIo, ticket: TicketSnapshot, entry: InboxEntry): Promise<'changes' | 'stay'> {
  return (await commitSuggestion(io, ticket, entry)) ? 'changes' : 'stay';
}
