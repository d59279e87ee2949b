import type { TicketRefs } from '../../adapters/git/mirror/ticketRefs.ts';

/** The commits of a team's tickets in a clone, each in its place: an address, or empty for the remote. */
export class PlacedRefs {
  readonly #open: (url: string) => Promise<TicketRefs>;
  readonly #opened = new Map<string, Promise<TicketRefs>>();
  readonly #places = new Map<string, string>();

  private constructor(open: (url: string) => Promise<TicketRefs>) {
    this.#open = open;
  }

  /** Remembers where the remote leads now: an agent may change it. Throws PUSH_REFUSED. */
  static async open(open: (url: string) => Promise<TicketRefs>): Promise<PlacedRefs> {
    const refs = new PlacedRefs(open);
    await refs.#at('');
    return refs;
  }

  /** Throws INVALID_INPUT for an address that git must not get. */
  of(ticket: string): Promise<TicketRefs> {
    return this.#at(this.#places.get(ticket) ?? '');
  }

  put(ticket: string, url: string): void {
    this.#places.set(ticket, url);
  }

  #at(url: string): Promise<TicketRefs> {
    const known = this.#opened.get(url) ?? this.#open(url);
    this.#opened.set(url, known);
    void known.catch(() => this.#opened.delete(url));
    return known;
  }
}
