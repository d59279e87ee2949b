import { BeadsmithError } from '../../domain/errors.ts';
import { isAsking, type Ticket } from '../../domain/ticket.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';
import type { ActionName } from '../../domain/workflow/rows.ts';

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

const replyTo = { question_reply: 'question', permission_reply: 'permission' } as const;

const afterRetry: readonly string[] = ['changes', 'accept_bead', 'suggest_edit'] satisfies readonly ActionName[];

function isActionOf(ticket: Ticket) {
  return (action: string): action is ActionName => {
    if (action === 'continue') return ticket.error?.continuable === true;
    // A blocked ticket takes what the status it came from would take.
    if (ticket.status === 'BLOCKED_ERROR' && afterRetry.includes(action)) return action in rowOf(ticket.previousStatus ?? 'DRAFT').actions;
    if (action === 'rewind_setup') return ticket.status !== 'BLOCKED_ERROR' || ticket.previousStatus === 'PREPARING_EXECUTION_ENV';
    if (action === 'pause') return ticket.hold?.kind !== 'paused';
    // What an agent asked is answered, not resumed.
    if (action === 'resume') return ticket.hold !== null && !isAsking(ticket.hold);
    if (action === 'question_reply' || action === 'permission_reply') return ticket.hold?.request?.content.kind === replyTo[action];
    return true;
  };
}
