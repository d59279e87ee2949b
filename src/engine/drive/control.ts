import { BeadsmithError, toBeadsmithError } from '../../domain/errors.ts';
import type { InboxBody, InboxEntry, InboxKind } from '../../domain/inbox.ts';
import type { Ticket } from '../../domain/ticket.ts';
import { rewindTarget, statusesFrom } from '../../domain/workflow/rewind.ts';
import { rowOf, type Status } from '../../domain/workflow/workflow.ts';
import { actionTransition } from '../journal/transition.ts';
import type { Ports } from '../ports/ports.ts';
import type { JournalEntry, RunRow, Transaction } from '../ports/storePort.ts';
import { allowedActions } from './allowedActions.ts';
import { acceptance, limitsChanges } from './receipts.ts';

/** Checks an edit before anything is archived because of it. Returns why it can't be used, or undefined. */
export type EditCheck = (ports: Ports, ticket: Ticket, body: InboxBody<'edit'>) => Promise<BeadsmithError | undefined>;

/** Actions that the engine carries out itself, whatever the handler of the status is doing. */
const always: readonly InboxKind[] = ['cancel', 'pause', 'resume', 'retry', 'continue', 'rewind_setup', 'accept_bead', 'limits'];

/** Whether the engine carries out an entry itself in this status. Such an entry interrupts a running handler. */
export function isControl(ticket: Ticket, entry: InboxEntry): boolean {
  if (entry.kind === 'edit') return 'artifact' in entry.body && rewindTarget(ticket.status, entry.body.artifact) !== undefined;
  return always.includes(entry.kind);
}

/** Whether an entry changes nothing that the open run reads. It is applied at once, and a running handler continues. */
export function isReceipt(entry: InboxEntry): boolean {
  return entry.kind === 'accept_bead' || entry.kind === 'limits';
}

/** The transaction that applies a control entry. Undefined for a cancel, which has a handler of its own. */
export async function controlTransaction(
  ports: Ports,
  ticket: Ticket,
  run: RunRow | undefined,
  entry: InboxEntry,
  checkEdit: EditCheck,
): Promise<Transaction | undefined> {
  if (!allowedActions(ticket).includes(entry.kind) && entry.kind !== 'edit') return refusal(ticket, entry, notAllowed(ticket, entry));
  const journal: JournalEntry[] = [{ kind: 'inbox', id: entry.id, outcome: 'consumed', reason: entry.kind }];
  const changes = [{ type: 'inbox', id: entry.id, state: 'consumed', outcome: null } as const];
  const previous = ticket.previousStatus ?? 'DRAFT';
  const archiveRun: JournalEntry[] = run ? [{ kind: 'run.closed', run: run.id, state: 'archived', exit: null }] : [];
  switch (entry.kind) {
    case 'pause':
      return {
        ticket: ticket.id,
        journal,
        changes: [...changes, { type: 'ticket', set: { hold: { kind: 'paused', since: ports.clock.now(), detail: '' } } }],
      };
    case 'resume':
      return { ticket: ticket.id, journal, changes: [...changes, { type: 'ticket', set: { hold: null } }] };
    case 'accept_bead':
      return acceptance(ports, ticket, entry.body as InboxBody<'accept_bead'>).then(
        (receipt) => ({ ticket: ticket.id, journal, changes: [...changes, receipt] }),
        (error: unknown) => refusal(ticket, entry, toBeadsmithError(error)),
      );
    case 'limits':
      try {
        return { ticket: ticket.id, journal, changes: [...changes, ...limitsChanges(ports, ticket, entry.body as InboxBody<'limits'>)] };
      } catch (error) {
        return refusal(ticket, entry, toBeadsmithError(error));
      }
    case 'retry':
      return actionTransition(ticket, 'retry', {
        to: previous,
        entry: { by: 'retry', body: entry.body },
        journal: [...journal, ...archiveRun],
        changes,
        archive: [previous],
      });
    case 'continue':
      if (!run) return refusal(ticket, entry, new BeadsmithError('NOTHING_TO_CONTINUE'));
      return actionTransition(ticket, 'continue', {
        to: previous,
        entry: ticket.entry,
        journal: [...journal, { kind: 'run.continued', run: run.id }],
        changes,
      });
    case 'rewind_setup': {
      const to: Status = 'WAITING_EXECUTION_SETUP_APPROVAL';
      return actionTransition(ticket, 'rewind_setup', {
        to,
        entry: { by: 'rewind_setup', body: null },
        journal: [...journal, ...archiveRun],
        changes,
        archive: statusesFrom(to),
      });
    }
    case 'edit': {
      const body = entry.body as InboxBody<'edit'>;
      const to = rewindTarget(ticket.status, body.artifact);
      if (!to) return refusal(ticket, entry, notAllowed(ticket, entry));
      const problem = await checkEdit(ports, ticket, body).catch(toBeadsmithError);
      if (problem) return refusal(ticket, entry, problem);
      const archive = statusesFrom(to);
      return actionTransition(ticket, 'edit', {
        to,
        entry: { by: 'edit', body },
        journal: [...journal, ...archiveRun],
        changes: [...changes, { type: 'beads', beads: [] }],
        archive,
      });
    }
    default:
      return undefined;
  }
}

/** The transaction that refuses an entry, with a reason for its sender. */
export function refusal(ticket: Ticket, entry: InboxEntry, error: BeadsmithError): Transaction {
  return {
    ticket: ticket.id,
    journal: [{ kind: 'inbox', id: entry.id, outcome: 'refused', reason: error.code }],
    changes: [
      { type: 'inbox', id: entry.id, state: 'refused', outcome: { code: error.code, message: `${error.message} ${error.nextStep}` } },
    ],
  };
}

function notAllowed(ticket: Ticket, entry: InboxEntry): BeadsmithError {
  return new BeadsmithError('ACTION_NOT_ALLOWED', {
    status: rowOf(ticket.status).label,
    action: entry.kind,
    allowed: allowedActions(ticket).join(', '),
  });
}
