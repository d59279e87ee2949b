import type { LinkSources } from '../domain/links/links.ts';
import { answeredSources, type LinkedTicket, type LinksChanged } from '../protocol/documentLinks.ts';

interface Known {
  readonly ticket: LinkedTicket;
  sources: LinkSources | undefined;
  /** The last answer, as a text: nothing has to be shown again if the next answer is the same. */
  answer: string;
  /** The newest question to the editor. Answers to older ones don't count. */
  asked: Promise<void>;
}

/**
 * The documents that links are computed from, for the tickets of open documents. The editor is asked once for
 * each, and again when the ticket may have changed; meanwhile the previous answer counts.
 */
export class TicketSources {
  readonly #ask: (ticket: LinkedTicket) => Promise<unknown>;
  readonly #changed: (ticket: LinkedTicket) => void;
  readonly #known = new Map<string, Known>();

  /** `changed`: what is known of a ticket is another than before. */
  constructor(ask: (ticket: LinkedTicket) => Promise<unknown>, changed: (ticket: LinkedTicket) => void) {
    this.#ask = ask;
    this.#changed = changed;
  }

  /** Returns what is known now, without waiting. Asks the editor if it wasn't asked yet. */
  now(ticket: LinkedTicket): LinkSources | undefined {
    return this.#of(ticket).sources;
  }

  /** Returns what is known once the editor has answered. */
  async whenAnswered(ticket: LinkedTicket): Promise<LinkSources | undefined> {
    const known = this.#of(ticket);
    await known.asked;
    return known.sources;
  }

  /** Asks again about what may have changed. */
  askAgain({ repository, ticket }: LinksChanged): void {
    for (const known of this.#known.values())
      if (known.ticket.repository === repository && (ticket === undefined || known.ticket.ticket === ticket))
        this.#askAbout(known);
  }

  /** Forgets tickets that no document is open of. */
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
