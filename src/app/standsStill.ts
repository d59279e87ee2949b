import type { App } from './app.ts';

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
