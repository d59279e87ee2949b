import { roleOf } from '../../domain/workflow/roles.ts';
import type { TicketView } from '../../protocol/api.ts';

/** Each is a property of the setting `beadsmith.notifications`. */
const noticeKinds = ['needsYou', 'questions', 'blocked', 'finished'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** Things a person did themselves (a pause, a cancel) call for none. */
export function noticeKindOf({ status, hold, needsPerson }: TicketView): NoticeKind | undefined {
  const role = roleOf(status);
  if (hold === 'question' || hold === 'permission') return 'questions';
  if (hold === 'paused' || role === 'canceled') return undefined;
  if (role === 'blocked' || hold === 'budget') return 'blocked';
  if (role === 'completed') return 'finished';
  return needsPerson ? 'needsYou' : undefined;
}

/**
 * Older changes aren't notified when a window first checks a repository, in milliseconds. A hold with a
 * deadline is notified at any age.
 */
const recentMs = 120_000;

/** Remembers which calls this window has told, or has no need to tell. */
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
