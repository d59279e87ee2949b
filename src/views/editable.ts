import { inboxBodies, type InboxBody } from '../domain/inbox.ts';
import { rewindTarget } from '../domain/workflow/rewind.ts';
import type { Status } from '../domain/workflow/workflow.ts';
import type { DrivingMode, TicketDetail } from '../protocol/api.ts';

export type EditedArtifact = InboxBody<'edit'>['artifact'];

/**
 * Whether a document can be changed now. `gate`: it is what its gate asks about. `rewind`: it was approved, so that a change goes back to where its
 * successor is drafted, and what was built on it is made anew. `no`: it can only be read.
 */
export type Editable =
  | { readonly kind: 'gate'; readonly artifact: EditedArtifact }
  | { readonly kind: 'rewind'; readonly artifact: EditedArtifact; readonly to: Status }
  | { readonly kind: 'no' };

/** What the engine accepts as an edit of the present version of a document, as far as the ticket tells. */
export function editable(detail: Pick<TicketDetail, 'ticket' | 'actions' | 'gate'>, type: string, mode: DrivingMode): Editable {
  const artifact = inboxBodies.edit.shape.artifact.safeParse(type);
  const { ticket, actions, gate } = detail;
  // While a ticket is held nobody takes an edit, and the person would wait for nothing.
  if (mode === 'readOnly' || !artifact.success || !actions.includes('edit') || ticket.hold !== null) return { kind: 'no' };
  if (gate?.artifact === type) return { kind: 'gate', artifact: artifact.data };
  const to = rewindTarget(ticket.status, type);
  return to === undefined ? { kind: 'no' } : { kind: 'rewind', artifact: artifact.data, to };
}
