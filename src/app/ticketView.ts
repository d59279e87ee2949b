import type { Bead } from '../domain/bead.ts';
import type { Ticket } from '../domain/ticket.ts';
import { rowOf } from '../domain/workflow.ts';
import type { TicketView } from '../protocol/api.ts';

/** A ticket as lists show it. A hold is a call for a person in any status. */
export function ticketView(ticket: Ticket, beads: readonly Bead[]): TicketView {
  const row = rowOf(ticket.status);
  return {
    id: ticket.id,
    title: ticket.title,
    status: ticket.status,
    label: row.label,
    column: ticket.hold && row.kind === 'auto' ? 'Needs Input' : row.column,
    band: row.band,
    priority: ticket.priority,
    hold: ticket.hold?.kind ?? null,
    needsPerson: ticket.hold !== null || (row.kind === 'gate' && ticket.status !== 'DRAFT'),
    beadsDone: beads.filter((bead) => bead.status === 'done').length,
    beadsTotal: beads.length,
    updatedAt: ticket.updatedAt,
  };
}
