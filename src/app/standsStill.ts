import type { App } from './app.ts';
import { isControl } from '../engine/control.ts';

/**
 * Whether a ticket stands still. A driver knows it from its engine; a follower has only what the database shows. What was sent and lies
 * unread keeps a ticket from standing still as long as somebody will take it.
 */
export async function standsStill(app: App, id: string): Promise<boolean> {
  const standing = app.engine?.standing(id);
  // Asked after every commit: while the engine runs the ticket, nothing needs to be read.
  if (app.engine && (!standing || standing.state === 'stopped')) return false;
  const detail = await app.client.ticket(id);
  if (!standing) return detail.ready;
  if (standing.state !== 'waiting') return detail.ready;
  if (standing.until !== undefined) return false;
  const pending = await app.ports.store.inbox(id, { pending: true });
  return !pending.some((entry) => standing.kinds.includes(entry.kind) || isControl(detail.ticket, entry));
}
