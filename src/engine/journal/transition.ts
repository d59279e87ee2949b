import type { ArtifactType } from '../../domain/artifacts.ts';
import { BeadsmithError, errorRecord } from '../../domain/errors.ts';
import { statusesFrom } from '../../domain/workflow/rewind.ts';
import type { RunEntry, Ticket } from '../../domain/ticket.ts';
import { rowOf, type Status } from '../../domain/workflow/workflow.ts';
import type { ActionName } from '../../domain/workflow/rows.ts';
import type { HandlerResult } from '../run/run.ts';
import type { Change, JournalEntry, RunRow, Transaction } from '../ports/storePort.ts';

/** What a new attempt gets from the previous one: notes and what a person said. Everything else of an archived attempt is history. */
const keptOverAttempts: readonly ArtifactType[] = [
  'execution_setup_notes',
  'final_test_notes',
  'execution_setup_plan_notes',
  'execution_setup_plan',
  'user_context',
  'changes_requested',
];

/** A handler's exit: closes its run and moves the ticket, in one transaction (docs/ARCHITECTURE.md §5.2). */
export function exitTransition(ticket: Ticket, run: RunRow, result: HandlerResult<string>): Transaction {
  const row = rowOf(ticket.status);
  const to = row.exits[result.exit];
  if (!to) throw new BeadsmithError('UNEXPECTED', { reason: `${ticket.status} has no exit "${result.exit}"` });
  const action = Object.entries(row.actions).find(([name]) => name === result.exit)?.[1];
  const archived =
    action?.archivesFrom && action.archivesFrom !== 'previous'
      ? newAttempts(ticket, statusesFrom(action.archivesFrom), action.archivesFrom)
      : none;
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

/** A failure: the ticket blocks. Its run stays open, so that it can be continued. */
export function blockTransition(ticket: Ticket, error: BeadsmithError): Transaction {
  const record = errorRecord(error);
  return {
    ticket: ticket.id,
    expect: { status: ticket.status, revision: ticket.revision },
    journal: [{ kind: 'status', from: ticket.status, to: 'BLOCKED_ERROR', by: error.code }],
    changes: [{ type: 'ticket', set: { status: 'BLOCKED_ERROR', previousStatus: ticket.status, error: record, hold: null } }],
  };
}

/**
 * A person's action that moves the ticket, whatever its handler is doing. `archive` lists the statuses whose attempts end; the first of them is named
 * in the journal.
 */
export function actionTransition(
  ticket: Ticket,
  action: ActionName,
  options: {
    readonly to: Status;
    readonly entry: RunEntry;
    readonly journal: readonly JournalEntry[];
    readonly changes: readonly Change[];
    readonly archive?: readonly Status[];
  },
): Transaction {
  const archived = options.archive?.[0] ? newAttempts(ticket, options.archive, options.archive[0]) : none;
  return {
    ticket: ticket.id,
    expect: { status: ticket.status, revision: ticket.revision },
    journal: [...options.journal, ...archived.journal, { kind: 'status', from: ticket.status, to: options.to, by: action }],
    changes: [...options.changes, ...archived.changes, move(ticket, options.to, options.entry, archived.set)],
  };
}

function move(ticket: Ticket, to: Status, entry: RunEntry, set: Extract<Change, { type: 'ticket' }>['set']): Change {
  return { type: 'ticket', set: { ...set, status: to, previousStatus: ticket.status, entry, error: null, hold: null } };
}

interface Archived {
  readonly journal: readonly JournalEntry[];
  readonly changes: readonly Change[];
  readonly set: { readonly attempts?: Readonly<Record<string, number>> };
}
const none: Archived = { journal: [], changes: [], set: {} };

function newAttempts(ticket: Ticket, archive: readonly Status[], from: Status): Archived {
  // CODING has no attempts: its beads have iterations, and what is done stays done (docs/decisions/003-retry-continue-and-cancel.md).
  const raised = archive.filter((status) => status !== 'CODING');
  const attempts = { ...ticket.attempts };
  for (const status of raised) attempts[status] = (attempts[status] ?? 1) + 1;
  return {
    journal: [{ kind: 'attempts', archivedFrom: from, statuses: raised }],
    changes: [{ type: 'artifacts.archive', statuses: raised, keep: keptOverAttempts }],
    set: { attempts },
  };
}
