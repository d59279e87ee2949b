import { BeadsmithError, isStoreError, toBeadsmithError } from '../../domain/core/errors.ts';
import type { InboxBody, InboxEntry } from '../../domain/ticket/inbox.ts';
import { type Hold, type Ticket, waitsForProvider } from '../../domain/ticket/ticket.ts';
import { type ChangingMove, definitionOf, type ReceiptAction } from '../../domain/workflow/actions.ts';
import { refusalOf } from '../../domain/workflow/availability.ts';
import { conditionedBy, moveOf } from '../../domain/documents/moves.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';
import { actionTransition, consumed, endOfHold, refused } from '../journal/transition.ts';
import type { Ports } from '../ports/ports.ts';
import type { Change, JournalEntry, RunRow, Transaction } from '../ports/storePort.ts';

/** Builds an action's changes besides the ticket's place. Throws the reason why it can't be taken. */
export type ChangesBuilder<A extends ReceiptAction | ChangingMove | 'edit'> = (
  ports: Pick<Ports, 'store' | 'clock' | 'agent'>,
  ticket: Ticket,
  body: InboxBody<A>,
) => Promise<readonly Change[]> | readonly Change[];

/** The changes of actions, by action. */
export interface ActionChanges {
  readonly receipts: { readonly [A in ReceiptAction]: ChangesBuilder<A> };
  /** Checked before anything is archived. */
  readonly rewind: ChangesBuilder<'edit'>;
  readonly moves: { readonly [A in ChangingMove]: ChangesBuilder<A> };
}

/**
 * The transaction that takes or refuses an entry. Throws if the database can't be used: the entry stays in
 * the inbox.
 */
export async function controlTransaction(
  ports: Ports,
  ticket: Ticket,
  run: RunRow | undefined,
  entry: InboxEntry,
  changesOf: ActionChanges,
): Promise<Transaction> {
  try {
    const [facts] = await ports.store.summaries([ticket.id]);
    const problem =
      facts &&
      refusalOf(
        { ...facts, status: ticket.status, previousStatus: ticket.previousStatus },
        conditionedBy(entry),
      );
    if (problem) return refusal(ticket, entry, problem);
    return await taken(ports, ticket, run, entry, changesOf);
  } catch (error) {
    if (isStoreError(error)) throw error;
    return refusal(ticket, entry, toBeadsmithError(error));
  }
}

async function taken(
  ports: Ports,
  ticket: Ticket,
  run: RunRow | undefined,
  entry: InboxEntry,
  changesOf: ActionChanges,
): Promise<Transaction> {
  const { journal, change } = consumed(entry);
  const { effect, hold } = definitionOf(entry.kind);
  if (effect === 'hold') {
    const next = hold
      ? { kind: hold, since: ports.clock.now(), detail: '' }
      : resumed(ticket.hold, entry.body as InboxBody<'resume'>, ports.clock.now());
    const ended = endOfHold(ticket, run, next);
    return {
      ticket: ticket.id,
      journal: [journal, ...ended.journal],
      changes: [change, ...ended.changes],
    };
  }
  if (effect === 'receipt') {
    const build = changesOf.receipts[entry.kind as ReceiptAction] as ChangesBuilder<ReceiptAction>;
    const changes = await build(ports, ticket, entry.body as InboxBody<ReceiptAction>);
    return { ticket: ticket.id, journal: [journal], changes: [change, ...changes] };
  }
  const move = moveOf(ticket, entry);
  if (!move)
    throw new BeadsmithError('UNEXPECTED', { reason: `"${entry.kind}" leads nowhere from ${ticket.status}` });
  if (move.keepsRun && !run) throw new BeadsmithError('NOTHING_TO_CONTINUE');
  const keepsRun = move.keepsRun || (await isDecided(ports, ticket, run, entry));
  const ended: JournalEntry[] = !run
    ? []
    : keepsRun
      ? [{ kind: 'run.continued', run: run.id }]
      : [{ kind: 'run.closed', run: run.id, state: 'archived', exit: null }];
  return actionTransition(ticket, entry.kind, {
    to: move.to,
    entry: keepsRun ? ticket.entry : { by: entry.kind, body: entry.body },
    journal: [journal, ...ended],
    changes: [change, ...(await changesWith(ports, ticket, entry, changesOf))],
    archives: keepsRun ? [] : move.archives,
  });
}

/** True if a remote refused the commits of what a person decided at a gate: nobody decides it again. */
async function isDecided(
  { store }: Pick<Ports, 'store'>,
  ticket: Ticket,
  run: RunRow | undefined,
  { kind }: InboxEntry,
): Promise<boolean> {
  const isRefused = definitionOf(kind).keepsDecision === true && ticket.error?.code === 'PUSH_REFUSED';
  if (!isRefused || !run || rowOf(run.status).kind !== 'gate') return false;
  // A failed step would fail again.
  return (await store.steps(run.id)).every(({ state }) => state !== 'failed');
}

async function changesWith(
  ports: Ports,
  ticket: Ticket,
  entry: InboxEntry,
  changesOf: ActionChanges,
): Promise<readonly Change[]> {
  const { effect, changes } = definitionOf(entry.kind);
  if (effect !== 'move') return changesOf.rewind(ports, ticket, entry.body as InboxBody<'edit'>);
  if (!changes) return [];
  return changesOf.moves[entry.kind as ChangingMove](ports, ticket, entry.body as InboxBody<ChangingMove>);
}

/** Refuses an entry with a reason the sender can read. */
export function refusal(ticket: Ticket, entry: InboxEntry, error: BeadsmithError): Transaction {
  const { journal, change } = refused(entry, error);
  return { ticket: ticket.id, journal: [journal], changes: [change] };
}

function resumed(hold: Hold | null, { at }: InboxBody<'resume'>, now: number): Hold | null {
  if (at !== undefined) {
    if (!hold || !waitsForProvider(hold))
      throw new BeadsmithError('INVALID_INPUT', {
        what: 'The time',
        reason: 'only a wait for a provider ends at a time',
      });
    if (at > now) return { ...hold, until: at, chosen: true };
  }
  return hold?.kind === 'queue' ? { ...hold, place: -now } : null;
}
