import { engineSource } from '../domain/ticket/agentRequest.ts';
import { passesByItself, type Ticket } from '../domain/ticket/ticket.ts';
import type { ActionName } from '../domain/workflow/actions.ts';
import { roleOf } from '../domain/workflow/roles.ts';
import { isTerminal, rowOf } from '../domain/workflow/workflow.ts';
import type { Store } from '../engine/ports/storePort.ts';
import { startKey } from '../phases/scan/draft.ts';
import type { App } from './app.ts';

/**
 * Checks whether a ticket is idle, as far as the database shows: it is over, blocked or held, or its gate is
 * ready for an answer. It isn't while the gate's handler works or an inbox entry for it is unread.
 */
export async function isIdleByStore(
  store: Store,
  ticket: Ticket,
  allowed: readonly ActionName[],
): Promise<boolean> {
  if (isTerminal(ticket.status)) return true;
  const { actions, kind, role } = rowOf(ticket.status);
  const pending = await store.inbox(ticket.id, { pending: true });
  if (pending.some((entry) => allowed.includes(entry.kind) && !actions[entry.kind]?.queued)) return false;
  if (role === 'blocked') return isUnchanged(store, ticket);
  if (ticket.hold) return !passesByItself(ticket.hold.kind) && (await isUnchanged(store, ticket));
  if (kind !== 'gate') return false;
  if (role === 'draft') {
    if (await isStarting(store, ticket.id)) return false;
    return isUnchanged(store, ticket);
  }
  const run = await store.openRun(ticket.id, ticket.status);
  if (!run) return false;
  return (await store.steps(run.id)).every((step) => step.state !== 'intent' || waits(step.notes[0]));
}

/**
 * Checks whether a ticket still has the place it had when it was read. A person's decision is taken from the
 * inbox in the same transaction in which it has its effect, so a ticket from before it and an inbox from
 * after it look like one that nobody decided about.
 */
async function isUnchanged(store: Pick<Store, 'ticket'>, { id, status, hold }: Ticket): Promise<boolean> {
  const now = await store.ticket(id);
  return (
    now?.status === status &&
    now.hold?.kind === hold?.kind &&
    now.hold?.since === hold?.since &&
    now.hold?.request?.id === hold?.request?.id
  );
}

/** Checks whether the start of a draft was taken from its inbox and isn't over, in any process. */
export async function isStarting(
  store: Pick<Store, 'ticket' | 'openRun' | 'steps'>,
  id: string,
): Promise<boolean> {
  const ticket = await store.ticket(id);
  const run =
    ticket && roleOf(ticket.status) === 'draft' ? await store.openRun(id, ticket.status) : undefined;
  return run !== undefined && (await store.steps(run.id)).some(({ key }) => key === startKey);
}

/** A wait with a deadline notes when it began; that is no work. */
function waits(note: unknown): boolean {
  return typeof note === 'object' && note !== null && 'since' in note;
}

/**
 * A question of the engine itself is as good as a gate until a person answers. So is a budget of the day,
 * after which the ticket continues tomorrow.
 */
async function waitsForPerson(app: App, id: string): Promise<boolean> {
  // Of a ticket at work, which is asked for often, nothing else is read.
  const now = await app.ports.store.ticket(id);
  if (now && !isHeldForPerson(now.hold)) return false;
  const { ticket, idle } = await app.client.ticket(id);
  return idle && isHeldForPerson(ticket.hold);
}

function isHeldForPerson(hold: Ticket['hold']): boolean {
  return hold?.kind === 'budget' || hold?.request?.source === engineSource;
}

/**
 * Checks whether a ticket is idle. A driver knows it from its engine, a follower only from the database. A
 * wait with a deadline ends by itself, so it isn't idle.
 */
export async function isIdle(app: App, id: string): Promise<boolean> {
  if (!app.engine) return (await app.client.ticket(id)).idle;
  const state = app.engine.idleState(id);
  if (!state) return waitsForPerson(app, id);
  if (state.state === 'stopped') return false;
  if (state.state === 'waiting') return state.until === undefined;
  return (await app.client.ticket(id)).idle;
}
