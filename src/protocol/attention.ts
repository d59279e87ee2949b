import type { notificationRows } from '../domain/settings/rows/notifications.ts';
import { roleOf } from '../domain/workflow/roles.ts';
import type { TicketDetail, TicketView } from './api.ts';

/** A property of the setting `beadsmith.notifications`. */
export type NotificationKind = keyof typeof notificationRows;

/** Things a person did themselves (a pause, a cancel) need none. */
export function notificationKindOf({
  status,
  hold,
  needsPerson,
}: Pick<TicketView, 'status' | 'hold' | 'needsPerson'>): NotificationKind | undefined {
  const role = roleOf(status);
  if (hold === 'question' || hold === 'permission') return 'questions';
  if (hold === 'paused' || role === 'canceled') return undefined;
  if (role === 'blocked' || hold === 'budget') return 'blocked';
  if (role === 'completed') return 'finished';
  return needsPerson ? 'needsYou' : undefined;
}

/** The key of what a ticket needs now: the same for everyone who tells it, and for this call alone. */
export function attentionKey(
  kind: NotificationKind,
  { ticket, requests: [request] }: Pick<TicketDetail, 'ticket' | 'requests'>,
): string {
  const since = request?.since ?? (ticket.hold?.kind === 'budget' ? ticket.hold.since : undefined);
  const news = kind === 'needsYou' ? ticket.forge?.news : undefined;
  return JSON.stringify([ticket.id, ticket.revision, kind, request?.id, since, ...(news ? [news] : [])]);
}
