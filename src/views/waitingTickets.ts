import type { TicketView } from '../protocol/api.ts';

/** Remembers which calls for a person were already told, so that each is told once. */
export class WaitingTickets {
  readonly #told = new Map<string, string>();
  readonly #known = new Set<string>();

  /**
   * What newly waits for a person. The first look at a repository tells nothing: what waited before is in the tree, and nobody wants a shower of
   * notices at the start.
   */
  look(root: string, tickets: readonly TicketView[]): readonly TicketView[] {
    const first = !this.#known.has(root);
    this.#known.add(root);
    return tickets.filter((ticket) => {
      const key = `${root}\n${ticket.id}`;
      const call = ticket.needsPerson ? `${ticket.status}/${ticket.hold ?? ''}` : undefined;
      if (call === undefined) this.#told.delete(key);
      else if (first) this.#told.set(key, call);
      return call !== undefined && this.#told.get(key) !== call;
    });
  }

  /** To be called when it was told; what isn't comes again with the next look. */
  tell(root: string, ticket: TicketView): void {
    this.#told.set(`${root}\n${ticket.id}`, `${ticket.status}/${ticket.hold ?? ''}`);
  }
}
