import { roleOf } from '../../domain/workflow/roles.ts';
import type { TicketView } from '../../protocol/api.ts';

/** Kinds of notifications, each with a property of the setting `beadsmith.notifications`. */
export const noticeKinds = ['needsYou', 'questions', 'blocked', 'finished'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/**
 * Returns the kind of notification that a ticket calls for, if any. What a person did themselves (a pause, a
 * cancel) calls for none.
 */
export function noticeKindOf({ status, hold, needsPerson }: TicketView): NoticeKind | undefined {
  const role = roleOf(status);
  if (hold === 'question' || hold === 'permission') return 'questions';
  if (hold === 'paused' || role === 'canceled') return undefined;
  if (role === 'blocked' || hold === 'budget') return 'blocked';
  if (role === 'completed') return 'finished';
  return needsPerson ? 'needsYou' : undefined;
}

/**
 * Age from which a window doesn't notify about a ticket when it first checks its repository, in milliseconds.
 * A newer change may have come while the window was loading. A hold with a deadline is notified at any age.
 */
const recentMs = 120_000;

/** Remembers which calls this window has told, or has no need to tell. */
export class Attention {
  readonly #told = new Map<string, string>();
  /**
   * Of each repository the list that was checked last, and the tickets of it that had no notification then.
   */
  readonly #seen = new Map<
    string,
    { readonly tickets: readonly TicketView[]; readonly open: readonly TicketView[] }
  >();

  /**
   * The tickets of a repository that need a person and had no notification yet. A list that is the same
   * object as before costs next to nothing.
   */
  look(root: string, tickets: readonly TicketView[], now: number): readonly TicketView[] {
    const before = this.#seen.get(root);
    const candidates = before?.tickets === tickets ? before.open : tickets;
    const open = candidates.filter((ticket) => this.#isCalling(root, ticket, before ? undefined : now));
    this.#seen.set(root, { tickets, open });
    return open;
  }

  /**
   * To be called when it was told; what isn't comes again with the next look. False if it was told meanwhile.
   */
  tell(root: string, ticket: TicketView): boolean {
    const call = textOf(ticket);
    const key = `${root}\n${ticket.id}`;
    if (call === undefined || this.#told.get(key) === call) return false;
    this.#told.set(key, call);
    return true;
  }

  /** `first`: the time when a repository was first checked. */
  #isCalling(root: string, ticket: TicketView, first: number | undefined): boolean {
    const key = `${root}\n${ticket.id}`;
    const call = textOf(ticket);
    if (call === undefined) {
      // A gate that is prepared again, for the next questions, is no news when it is ready.
      if (!ticket.preparing) this.#told.delete(key);
      return false;
    }
    if (first !== undefined && ticket.holdUntil === null && first - ticket.updatedAt > recentMs)
      this.#told.set(key, call);
    return this.#told.get(key) !== call;
  }
}

function textOf(ticket: TicketView): string | undefined {
  const kind = noticeKindOf(ticket);
  return kind && `${kind} ${ticket.status} ${String(ticket.holdUntil)}`;
}
