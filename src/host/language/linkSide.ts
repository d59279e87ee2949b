import type { Disposable } from '../../base/disposable.ts';
import { linkAnswer, LinkedTicket, type LinksChanged } from '../../protocol/documentLinks.ts';
import { repositoryKey } from '../../protocol/documents.ts';
import { readLinkSources } from '../../protocol/links.ts';
import type { Repositories } from '../../views/shared/repositories.ts';
import { TicketChanges } from '../repositories/ticketChanges.ts';

/** The engine writes many times a second; links are computed again no more often than this. Milliseconds. */
const pauseMs = 500;

export interface LinkSideOptions {
  readonly repositories: Repositories;
  /** Says that a ticket may have changed, or every ticket of a repository. */
  readonly changed: (what: LinksChanged) => void;
  readonly logError: (what: string, error: unknown) => void;
  readonly pauseMs?: number;
}

/**
 * The editor's side of the links in documents: it answers from the store what a ticket's links are computed
 * from, and says when a ticket that was asked about may have changed.
 */
export class LinkSide implements Disposable {
  readonly #options: LinkSideOptions;
  readonly #changes: TicketChanges;
  /** Tickets that were asked about since they changed last, as `<repository>/<ticket>`. */
  readonly #asked = new Map<string, LinkedTicket>();

  constructor(options: LinkSideOptions) {
    this.#options = options;
    this.#changes = new TicketChanges(options.repositories, options.pauseMs ?? pauseMs, (changed) => {
      for (const [key, ticket] of [...this.#asked]) {
        if (!changed(ticket.repository, ticket.ticket)) continue;
        this.#asked.delete(key);
        options.changed(ticket);
      }
    });
  }

  /**
   * Returns the data that the links of a ticket are computed from (`LinkAnswer`); null where it can't be
   * read.
   */
  async answer(params: unknown): Promise<ReturnType<typeof linkAnswer>> {
    const asked = LinkedTicket.safeParse(params);
    if (!asked.success) return null;
    const { repository, ticket } = asked.data;
    this.#asked.set(`${repository}/${ticket}`, asked.data);
    const entry = this.#options.repositories.entries.find(({ root }) => repositoryKey(root) === repository);
    if (entry?.kind !== 'open') return null;
    try {
      return linkAnswer(await readLinkSources(entry.repository.client, ticket));
    } catch (error) {
      this.#options.logError('links', error);
      return null;
    }
  }

  dispose(): void {
    this.#changes.dispose();
  }
}
