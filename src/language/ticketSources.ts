import type { LinkSources } from '../domain/links/links.ts';
import { answeredSources, type LinkedTicket, type LinksChanged } from '../protocol/documentLinks.ts';

interface Known {
  readonly ticket: LinkedTicket;
  sources: LinkSources | undefined;
  /** To compare with the next answer. */
  answer: string;
  /** Older answers don't count. */
  asked: Promise<void>;
}

/**
 * Link sources of open documents' tickets, requested once, and again after changes; meanwhile the previous
 * answer counts.
 */
export class TicketSources {
  readonly #ask: (ticket: LinkedTicket) => Promise<unknown>;
  readonly #changed: (ticket: LinkedTicket) => void;
  readonly #known = new Map<string, Known>();

  /** `changed`: a ticket's sources did. */
  constructor(ask: (ticket: LinkedTicket) => Promise<unknown>, changed: (ticket: LinkedTicket) => void) {
    this.#ask = ask;
    this.#changed = changed;
  }

  /** Doesn't wait; asks the editor first if needed. */
  now(ticket: LinkedTicket): LinkSources | undefined {
    return this.#of(ticket).sources;
  }

  async whenAnswered(ticket: LinkedTicket): Promise<LinkSources | undefined> {
    const known = this.#of(ticket);
    await known.asked;
    return known.sources;
  }

  askAgain({ repository, ticket }: LinksChanged): void {
    for (const known of this.#known.values())
      if (known.ticket.repository === repository && (ticket === undefined || known.ticket.ticket === ticket))
        this.#askAbout(known);
  }

  keepOnly(open: readonly LinkedTicket[]): void {
    const kept = new Set(open.map(keyOf));
    for (const key of this.#known.keys()) if (!kept.has(key)) this.#known.delete(key);
  }

  #of(ticket: LinkedTicket): Known {
    const before = this.#known.get(keyOf(ticket));
    if (before) return before;
    const known: Known = { ticket, sources: undefined, answer: '', asked: Promise.resolve() };
    this.#known.set(keyOf(ticket), known);
    this.#askAbout(known);
    return known;
  }

  #askAbout(known: Known): void {
    const asked: Promise<void> = this.#ask(known.ticket).then(
      (answer) => this.#take(known, asked, answer),
      () => this.#take(known, asked, undefined),
    );
    known.asked = asked;
  }

  #take(known: Known, asked: Promise<void>, answer: unknown): void {
    if (known.asked !== asked || this.#known.get(keyOf(known.ticket)) !== known) return;
    const sources = answeredSources(answer);
    const text = sources ? JSON.stringify(sources) : '';
    if (text === known.answer) return;
    known.sources = sources;
    known.answer = text;
    this.#changed(known.ticket);
  }
}

function keyOf({ repository, ticket }: LinkedTicket): string {
  return `${repository}/${ticket}`;
}
