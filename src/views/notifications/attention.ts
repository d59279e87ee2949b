import type { TicketView } from '../../protocol/api.ts';
import { notificationKindOf } from '../../protocol/attention.ts';

/**
 * Older changes aren't notified when a window first checks a repository, in milliseconds. A hold with a
 * deadline is notified at any age.
 */
const recentMs = 120_000;

/** Remembers what this window notified of, or has no need to. */
export class Attention {
  readonly #told = new Map<string, string>();
  readonly #seen = new Map<
    string,
    { readonly tickets: readonly TicketView[]; readonly open: readonly TicketView[] }
  >();

  /** The same list as before costs next to nothing. */
  look(root: string, tickets: readonly TicketView[], now: number): readonly TicketView[] {
    const before = this.#seen.get(root);
    const candidates = before?.tickets === tickets ? before.open : tickets;
    const open = candidates.filter((ticket) => this.#isCalling(root, ticket, before ? undefined : now));
    this.#seen.set(root, { tickets, open });
    return open;
  }

  /** Notes that it was told; otherwise it comes again with the next look. False if it was told meanwhile. */
  tell(root: string, ticket: TicketView): boolean {
    const text = textOf(ticket);
    const key = `${root}\n${ticket.id}`;
    if (text === undefined || this.#told.get(key) === text) return false;
    this.#told.set(key, text);
    return true;
  }

  /** `first`: the time when a repository was first checked. */
  #isCalling(root: string, ticket: TicketView, first: number | undefined): boolean {
    const key = `${root}\n${ticket.id}`;
    const text = textOf(ticket);
    if (text === undefined) {
      // A gate that is prepared again, for the next questions, is no news when it is ready.
      if (!ticket.preparing) this.#told.delete(key);
      return false;
    }
    if (first !== undefined && ticket.holdUntil === null && first - ticket.updatedAt > recentMs)
      this.#told.set(key, text);
    return this.#told.get(key) !== text;
  }
}

function textOf(ticket: TicketView): string | undefined {
  const kind = notificationKindOf(ticket);
  return kind && `${kind} ${ticket.status} ${String(ticket.holdUntil)} ${ticket.forgeNews ?? ''}`;
}
