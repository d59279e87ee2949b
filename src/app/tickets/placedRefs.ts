import type { TicketRefs } from '../../adapters/git/mirror/ticketRefs.ts';

/** The places for commits of a team's tickets, as one clone reaches them. */
export class PlacedRefs {
  readonly #open: (url: string) => Promise<TicketRefs>;
  readonly #opened = new Map<string, Promise<TicketRefs>>();

  private constructor(open: (url: string) => Promise<TicketRefs>) {
    this.#open = open;
  }

  /** Remembers where the remote leads now: an agent may change it. Throws PUSH_REFUSED. */
  static async open(open: (url: string) => Promise<TicketRefs>): Promise<PlacedRefs> {
    const refs = new PlacedRefs(open);
    await refs.at('');
    return refs;
  }

  /** `url`: empty for the remote. Throws INVALID_INPUT for what git must not get. */
  at(url: string): Promise<TicketRefs> {
    const known = this.#opened.get(url) ?? this.#open(url);
    this.#opened.set(url, known);
    void known.catch(() => this.#opened.delete(url));
    return known;
  }
}
