import { BeadsmithError } from '../domain/errors.ts';
import type { Ticket } from '../domain/ticket.ts';
import { rowOf } from '../domain/workflow.ts';
import type { ActionName } from '../domain/workflowTypes.ts';

/** What may be done to a ticket now, read from the workflow table, its hold and its error. */
export function allowedActions(ticket: Ticket): readonly ActionName[] {
  return Object.keys(rowOf(ticket.status).actions).filter(isActionOf(ticket));
}

/** Throws ACTION_NOT_ALLOWED, naming what is possible. */
export function assertAllowed(ticket: Ticket, action: ActionName): void {
  const allowed = allowedActions(ticket);
  if (allowed.includes(action)) return;
  throw new BeadsmithError('ACTION_NOT_ALLOWED', {
    status: rowOf(ticket.status).label,
    action: action.replaceAll('_', ' '),
    allowed: allowed.join(', ') || 'nothing, it is over',
  });
}

function isActionOf(ticket: Ticket) {
  return (action: string): action is ActionName => {
    if (action === 'continue') return ticket.error?.continuable === true;
    if (action === 'rewind_setup') return ticket.status !== 'BLOCKED_ERROR' || ticket.previousStatus === 'PREPARING_EXECUTION_ENV';
    if (action === 'pause') return ticket.hold?.kind !== 'paused';
    if (action === 'resume') return ticket.hold !== null;
    return true;
  };
}
