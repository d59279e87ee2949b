import type { Disposable } from '../../base/disposable.ts';
import { linkAnswer, LinkedTicket, type LinksChanged } from '../../protocol/documentLinks.ts';
import { repositoryKey } from '../../protocol/documents.ts';
import { readLinkSources } from '../../protocol/links.ts';
import type { Repositories } from '../../views/shared/repositories.ts';
import { TicketChanges } from '../repositories/ticketChanges.ts';

/** Milliseconds between updates, because the engine writes many times a second. */
const pauseMs = 500;

interface LinkSideOptions {
  readonly repositories: Repositories;
  readonly changed: (what: LinksChanged) => void;
  readonly logError: (what: string, error: unknown) => void;
  readonly pauseMs?: number;
}

/** Answers the server's requests for link sources, and tells it about changes. */
export class LinkSide implements Disposable {
  readonly #options: LinkSideOptions;
  readonly #changes: TicketChanges;
  /** Requested since their last change, as `<repository>/<ticket>`. */
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

  /** `LinkAnswer`; null if unreadable. */
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
