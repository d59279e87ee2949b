import { engineSource } from '../domain/ticket/agentRequest.ts';
import { passesByItself, type Ticket } from '../domain/ticket/ticket.ts';
import type { ActionName } from '../domain/workflow/actions.ts';
import { roleOf } from '../domain/workflow/roles.ts';
import { isTerminal, rowOf } from '../domain/workflow/workflow.ts';
import { isWait } from '../engine/drive/engine.ts';
import type { Store } from '../engine/ports/storePort.ts';
import { startKey } from '../phases/start/draft.ts';
import type { App } from './app.ts';

/**
 * True if the database shows a ticket as over, blocked or held, or at a ready gate without unread entries.
 */
export async function isIdleByStore(
  store: Store,
  ticket: Ticket,
  allowed: readonly ActionName[],
): Promise<boolean> {
  const { actions, kind, role } = rowOf(ticket.status);
  const pending = await store.inbox(ticket.id, { pending: true });
  if (pending.some((entry) => allowed.includes(entry.kind) && !actions[entry.kind]?.queued)) return false;
  if (isTerminal(ticket.status)) return true;
  if (role === 'blocked') return isUnchanged(store, ticket);
  if (ticket.hold) return !passesByItself(ticket.hold.kind) && (await isUnchanged(store, ticket));
  if (kind !== 'gate') return false;
  if (role === 'draft') {
    if (await isStarting(store, ticket.id)) return false;
    return isUnchanged(store, ticket);
  }
  const run = await store.openRun(ticket.id, ticket.status);
  if (!run) return false;
  return (await store.steps(run.id)).every((step) => step.state !== 'intent' || isWait(step.notes[0]));
}

/**
 * A decision leaves the inbox together with its effect, so an old ticket with a new inbox looks undecided.
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

/** True if a draft's start was taken and isn't over, in any process. */
export async function isStarting(
  store: Pick<Store, 'ticket' | 'openRun' | 'steps'>,
  id: string,
): Promise<boolean> {
  const ticket = await store.ticket(id);
  const run =
    ticket && roleOf(ticket.status) === 'draft' ? await store.openRun(id, ticket.status) : undefined;
  return run !== undefined && (await store.steps(run.id)).some(({ key }) => key === startKey);
}

/** A question of the engine, or a daily budget. */
async function waitsForPerson(app: App, id: string): Promise<boolean> {
  // Cheap, because it is asked often.
  const now = await app.ports.store.ticket(id);
  if (now && !isHeldForPerson(now.hold)) return false;
  const { ticket, idle } = await app.client.ticket(id);
  return idle && isHeldForPerson(ticket.hold);
}

function isHeldForPerson(hold: Ticket['hold']): boolean {
  return hold?.kind === 'budget' || hold?.request?.source === engineSource;
}

/** A driver asks its engine, a follower the database. A wait with a deadline isn't idle. */
export async function isIdle(app: App, id: string): Promise<boolean> {
  if (!app.engine) return (await app.client.ticket(id)).idle;
  const state = app.engine.idleState(id);
  if (!state) return waitsForPerson(app, id);
  if (state.state === 'stopped') return false;
  if (state.state === 'waiting') return state.until === undefined;
  return (await app.client.ticket(id)).idle;
}
