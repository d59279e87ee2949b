import type { Bead } from '../domain/bead.ts';
import type { Ticket } from '../domain/ticket.ts';
import { rowOf, type Status } from '../domain/workflow.ts';
import type { TicketSummary } from '../engine/storePort.ts';
import type { TicketView } from '../protocol/api.ts';

/** A ticket as lists show it. A hold is a call for a person in any status. */
export function ticketView(summary: TicketSummary): TicketView {
  const { status, hold } = summary;
  const row = rowOf(status);
  return {
    ...summary,
    label: row.label,
    column: hold !== null && row.kind === 'auto' ? 'Needs Input' : row.column,
    band: row.band,
    needsPerson: hold !== null || (row.kind === 'gate' && status !== 'DRAFT'),
  };
}

/** What a list shows of a ticket that was read whole. */
export function summaryOf({ id, status, title, priority, hold, updatedAt }: Ticket, beads: readonly Bead[]): TicketSummary {
  const beadsDone = beads.filter((bead) => bead.status === 'done').length;
  const holdUntil = hold?.request?.until ?? null;
  const coding = codingOf(status, beads);
  return { id, status, title, priority, hold: hold?.kind ?? null, holdUntil, coding, updatedAt, beadsDone, beadsTotal: beads.length };
}

function codingOf(status: Status, beads: readonly Bead[]): TicketSummary['coding'] {
  const at = status === 'CODING' ? beads.findIndex((bead) => bead.status === 'in_progress') : -1;
  const bead = beads[at];
  return bead ? { bead: bead.id, title: bead.title, number: at + 1, iteration: bead.iteration } : null;
}
