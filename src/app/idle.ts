import type { InboxKind } from '../domain/inbox.ts';
import type { Ticket } from '../domain/ticket.ts';
import { isTerminal, rowOf } from '../domain/workflow/workflow.ts';
import { allowedActions } from '../engine/drive/allowedActions.ts';
import type { Store } from '../engine/ports/storePort.ts';
import type { App } from './app.ts';

/** Entries that wait in the inbox until somebody has use for them; they don't keep a gate from being ready. */
const lyingAbout: readonly InboxKind[] = ['context'];

/**
 * Whether a ticket stands still, as far as the database tells: it is over, blocked or held, or its gate is ready for an answer. A gate isn't
 * while its handler works (asks the next questions, repairs a plan) or while something it takes lies unread.
 */
export async function atRest(store: Store, ticket: Ticket): Promise<boolean> {
  if (isTerminal(ticket.status)) return true;
  const allowed = allowedActions(ticket);
  const pending = await store.inbox(ticket.id, { pending: true });
  if (pending.some((entry) => allowed.includes(entry.kind) && !lyingAbout.includes(entry.kind) && !waitsForCoding(ticket, entry.kind)))
    return false;
  if (ticket.hold || ticket.status === 'BLOCKED_ERROR') return true;
  if (rowOf(ticket.status).kind !== 'gate') return false;
  if (ticket.status === 'DRAFT') return true;
  const run = await store.openRun(ticket.id, ticket.status);
  if (!run) return false;
  return (await store.steps(run.id)).every((step) => step.state !== 'intent' || waits(step.notes[0]));
}

/** What coding takes between two beads waits for as long as it rests. */
function waitsForCoding(ticket: Ticket, kind: InboxKind): boolean {
  return (kind === 'changes' || kind === 'suggest_edit') && (ticket.status === 'CODING' || ticket.status === 'BLOCKED_ERROR');
}

/** A wait with a deadline notes when it began; that is no work. */
function waits(note: unknown): boolean {
  return typeof note === 'object' && note !== null && 'since' in note;
}

/**
 * Whether a ticket stands still. A driver knows it from its engine, which hears of everything that is filed before whoever filed it goes on;
 * a follower has only what the database shows. A wait with a deadline ends by itself, so that is no standstill.
 */
export async function standsStill(app: App, id: string): Promise<boolean> {
  if (!app.engine) return (await app.client.ticket(id)).ready;
  const standing = app.engine.standing(id);
  if (!standing || standing.state === 'stopped') return false;
  if (standing.state === 'waiting') return standing.until === undefined;
  return (await app.client.ticket(id)).ready;
}
