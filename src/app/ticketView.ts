import { rowOf } from '../domain/workflow/workflow.ts';
import type { TicketSummary } from '../engine/ports/storePort.ts';
import type { TicketView } from '../protocol/api.ts';

/** A ticket as lists show it. A hold is a call for a person in any status; a gate isn't one while it is still being prepared. */
export function ticketView(summary: TicketSummary): TicketView {
  const { status, hold, preparing } = summary;
  const row = rowOf(status);
  return {
    ...summary,
    label: row.label,
    column: hold !== null && row.kind === 'auto' ? 'Needs Input' : row.column,
    band: row.band,
    needsPerson: hold !== null || (row.kind === 'gate' && status !== 'DRAFT' && !preparing),
  };
}
