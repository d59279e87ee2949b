import type { TicketView } from '../protocol/api.ts';

/** What people are told of, each with a setting `beadsmith.notices.<kind>`. */
export const noticeKinds = ['needsYou', 'questions', 'blocked', 'finished'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** Why a person is called. What a person did themselves (a pause, a cancel) is no reason. */
export function callOf({ status, hold, needsPerson }: TicketView): NoticeKind | undefined {
  if (hold === 'question' || hold === 'permission') return 'questions';
  if (hold === 'paused' || status === 'CANCELED') return undefined;
  if (status === 'BLOCKED_ERROR') return 'blocked';
  if (status === 'COMPLETED') return 'finished';
  return needsPerson ? 'needsYou' : undefined;
}

/** What was there before a window looked isn't told in it, unless it came while the window was loading. */
const recentMs = 120_000;

/** Remembers which calls this window has told, or has no need to tell. */
export class Calls {
  readonly #told = new Map<string, string>();
  readonly #known = new Set<string>();

  /** The tickets of a repository that call for somebody and weren't told yet. */
  look(root: string, tickets: readonly TicketView[], now: number): readonly TicketView[] {
    const isFirst = !this.#known.has(root);
    this.#known.add(root);
    return tickets.filter((ticket) => {
      const key = `${root}\n${ticket.id}`;
      const call = textOf(ticket);
      if (call === undefined) this.#told.delete(key);
      else if (isFirst && ticket.holdUntil === null && now - ticket.updatedAt > recentMs) this.#told.set(key, call);
      return call !== undefined && this.#told.get(key) !== call;
    });
  }

  /** To be called when it was told; what isn't comes again with the next look. */
  tell(root: string, ticket: TicketView): void {
    const call = textOf(ticket);
    if (call !== undefined) this.#told.set(`${root}\n${ticket.id}`, call);
  }
}

function textOf(ticket: TicketView): string | undefined {
  const kind = callOf(ticket);
  return kind && `${kind} ${ticket.status} ${String(ticket.holdUntil)}`;
}
