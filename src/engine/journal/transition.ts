import { keptOverAttempts } from '../../domain/ticket/artifacts.ts';
import { BeadsmithError, errorRecord } from '../../domain/core/errors.ts';
import type { ActionName } from '../../domain/workflow/actions.ts';
import { archivedBy } from '../../domain/documents/moves.ts';
import type { InboxEntry } from '../../domain/ticket/inbox.ts';
import type { Json } from '../../base/json.ts';
import type { Hold, RunEntry, Ticket, TicketPatch } from '../../domain/ticket/ticket.ts';
import { statusOf } from '../../domain/workflow/roles.ts';
import { rowOf, type Status } from '../../domain/workflow/workflow.ts';
import type { Change, JournalEntry, RunRow, Transaction } from '../ports/storePort.ts';

/** The end of a handler. `body` becomes the next run's `ticket.entry.body`. */
export interface HandlerResult<Exit extends string> {
  readonly exit: Exit;
  readonly patch?: TicketPatch;
  readonly changes?: readonly Change[];
  readonly body?: Json;
}

/** Closes a handler's run and moves the ticket, in one transaction (docs/ARCHITECTURE.md §5.2). */
export function exitTransition(ticket: Ticket, run: RunRow, result: HandlerResult<string>): Transaction {
  const to = rowOf(ticket.status).exits[result.exit];
  if (!to)
    throw new BeadsmithError('UNEXPECTED', { reason: `${ticket.status} has no exit "${result.exit}"` });
  const archived = newAttempts(ticket, archivedBy(ticket, result.exit, to));
  return {
    ticket: ticket.id,
    expect: { status: ticket.status, revision: ticket.revision },
    journal: [
      { kind: 'run.closed', run: run.id, state: 'closed', exit: result.exit },
      ...archived.journal,
      { kind: 'status', from: ticket.status, to, by: result.exit },
    ],
    changes: [
      ...(result.changes ?? []),
      ...archived.changes,
      move(ticket, to, { by: result.exit, body: result.body ?? null }, { ...result.patch, ...archived.set }),
    ],
  };
}

/** Blocks a ticket after a failure. Its run stays open, so that it can be continued. */
export function blockTransition(ticket: Ticket, error: BeadsmithError): Transaction {
  const { status, revision } = ticket;
  const blocked = statusOf('blocked');
  const set = { status: blocked, previousStatus: status, error: errorRecord(error), hold: null };
  return {
    ticket: ticket.id,
    expect: { status, revision },
    journal: [{ kind: 'status', from: status, to: blocked, by: error.code }],
    changes: [{ type: 'ticket', set }],
  };
}

/**
 * Pauses a ticket at the end of its budget (docs/decisions/149-budgets-pause-the-work.md). `until`: when it
 * continues by itself, in milliseconds since 1970.
 */
export function pauseTransition(
  ticket: Ticket,
  error: BeadsmithError,
  { since, until }: { readonly since: number; readonly until: number | undefined },
): Transaction {
  const end = until === undefined ? {} : { until };
  const hold: Hold = { kind: 'budget', since, detail: error.message, ...end };
  return {
    ticket: ticket.id,
    expect: { status: ticket.status, revision: ticket.revision },
    journal: [],
    changes: [{ type: 'ticket', set: { hold, error: errorRecord(error) } }],
  };
}

interface SettledEntry {
  readonly journal: JournalEntry;
  readonly change: Change;
}

/** An inbox entry that was carried out. */
export function consumed({ id, kind }: Pick<InboxEntry, 'id' | 'kind'>): SettledEntry {
  return {
    journal: { kind: 'inbox', id, outcome: 'consumed', reason: kind },
    change: { type: 'inbox', id, state: 'consumed', outcome: null },
  };
}

/** An inbox entry that is refused, with the reason for the sender. */
export function refused(
  { id }: Pick<InboxEntry, 'id'>,
  { code, message, nextStep }: BeadsmithError,
): SettledEntry {
  const outcome = { code, message: `${message} ${nextStep}` };
  return {
    journal: { kind: 'inbox', id, outcome: 'refused', reason: code },
    change: { type: 'inbox', id, state: 'refused', outcome },
  };
}

/** Ends a hold; after a budget's, the session continues. `next`: the following hold. */
export function endOfHold(
  ticket: Ticket,
  run: RunRow | undefined,
  next: Hold | null,
): Pick<Archived, 'journal' | 'changes'> {
  if (ticket.hold?.kind !== 'budget')
    return { journal: [], changes: [{ type: 'ticket', set: { hold: next } }] };
  return {
    journal: run ? [{ kind: 'run.continued', run: run.id }] : [],
    changes: [{ type: 'ticket', set: { hold: next, error: null } }],
  };
}

/** Moves a ticket by an action. `archives`: statuses with a new attempt, in order. */
export function actionTransition(
  ticket: Ticket,
  action: ActionName,
  options: {
    readonly to: Status;
    readonly entry: RunEntry;
    readonly journal: readonly JournalEntry[];
    readonly changes: readonly Change[];
    readonly archives: readonly Status[];
  },
): Transaction {
  const archived = newAttempts(ticket, options.archives);
  return {
    ticket: ticket.id,
    expect: { status: ticket.status, revision: ticket.revision },
    journal: [
      ...options.journal,
      ...archived.journal,
      { kind: 'status', from: ticket.status, to: options.to, by: action },
    ],
    changes: [...options.changes, ...archived.changes, move(ticket, options.to, options.entry, archived.set)],
  };
}

function move(
  ticket: Ticket,
  to: Status,
  entry: RunEntry,
  set: Extract<Change, { type: 'ticket' }>['set'],
): Change {
  return {
    type: 'ticket',
    set: { ...set, status: to, previousStatus: ticket.status, entry, error: null, hold: null },
  };
}

interface Archived {
  readonly journal: readonly JournalEntry[];
  readonly changes: readonly Change[];
  readonly set: { readonly attempts?: Readonly<Record<string, number>> };
}

function newAttempts(ticket: Ticket, statuses: readonly Status[]): Archived {
  const [archivedFrom] = statuses;
  if (archivedFrom === undefined) return { journal: [], changes: [], set: {} };
  const attempts = { ...ticket.attempts };
  for (const status of statuses) attempts[status] = (attempts[status] ?? 1) + 1;
  return {
    journal: [{ kind: 'attempts', archivedFrom, statuses }],
    changes: [{ type: 'artifacts.archive', statuses, keep: keptOverAttempts }],
    set: { attempts },
  };
}
