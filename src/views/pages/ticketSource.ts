import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { OpenRepository } from '../shared/repositories.ts';
import type { TicketPlace, Workbench } from '../shared/workbench.ts';
import type { Page } from './pageKind.ts';
import type { PageListener, PageSource } from './pageSession.ts';

interface TicketSourceOptions {
  readonly page: Page;
  readonly ticket: string;
  readonly workbench: Workbench;
  readonly find: () => Promise<OpenRepository>;
  /** Empty where things can be changed. */
  readonly refusal: (repository: OpenRepository) => string;
}

/** A ticket as its page shows it. Its repository may be opened again while the page is open. */
export class TicketSource implements PageSource {
  readonly name: string;
  readonly #options: TicketSourceOptions;
  #repository: OpenRepository | undefined;
  #subscriptions = new DisposableStore();
  #listener: PageListener | undefined;

  constructor(options: TicketSourceOptions) {
    this.#options = options;
    this.name = `${options.page.name} page of ${options.ticket}`;
  }

  async read(): ReturnType<PageSource['read']> {
    const { page, ticket, workbench } = this.#options;
    const place = await this.#place();
    const content = await page.build(place, workbench);
    return { title: page.title(ticket, content), content, refusal: this.#refusalAt(place) };
  }

  async serve(method: string, params: unknown): Promise<unknown> {
    const { page, workbench } = this.#options;
    const place = await this.#place();
    const refusal = this.#refusalAt(place);
    if (refusal && !page.isReadOnly(method)) throw refusal;
    return page.serve(method, params, place, workbench);
  }

  listen(listener: PageListener): Disposable {
    this.#listener = listener;
    return { dispose: () => this.#subscriptions.dispose() };
  }

  #refusalAt({ repository }: TicketPlace): BeadsmithError | undefined {
    const reason = this.#options.refusal(repository);
    return reason === '' ? undefined : new BeadsmithError('DATABASE_READ_ONLY', { reason });
  }

  async #place(): Promise<TicketPlace> {
    const { page, ticket, find } = this.#options;
    const repository = await find();
    if (repository !== this.#repository) {
      this.#repository = repository;
      this.#subscriptions.dispose();
      this.#subscriptions = new DisposableStore();
      this.#subscriptions.add(
        repository.client.onDidChange((changed) => {
          if (changed === undefined || changed === ticket) this.#listener?.changed();
        }),
      );
      this.#subscriptions.add(
        repository.client.onEvent((event) => {
          if (event.ticket === ticket) this.#listener?.hint(() => page.hint(event));
        }),
      );
    }
    return { repository, ticket };
  }
}
