import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { canonicalJson } from '../base/json.ts';
import { toBeadsmithError, type BeadsmithError } from '../domain/errors.ts';
import type { TicketView } from '../protocol/api.ts';
import type { OpenRepository, Repositories } from './repositories.ts';

export interface BoardRow {
  readonly root: string;
  readonly name: string;
  readonly repository: OpenRepository | undefined;
  readonly tickets: readonly TicketView[];
  /** Why there is nothing to show. */
  readonly error: BeadsmithError | undefined;
}

/** The engine writes many times a second; a person sees no more than this. */
const pauseMs = 150;

/**
 * All tickets of all repositories as they were last read. Tree, status bar and notices look here, so that a change is read once and they
 * never contradict each other. `onDidChange` fires only when something differs.
 */
export class Board implements Disposable {
  readonly #repositories: Repositories;
  readonly #changed = new Emitter<void>();
  readonly #wasRead = new Emitter<void>();
  readonly #lifetime = new DisposableStore();
  #clients = new DisposableStore();
  #rows: readonly BoardRow[] = [];
  #last = '';
  #reading: Promise<void> | undefined;
  #stale = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly onDidChange = this.#changed.on;
  /** After every look, also when nothing differs. */
  readonly onDidRead = this.#wasRead.on;

  constructor(repositories: Repositories) {
    this.#repositories = repositories;
    this.#lifetime.add(repositories.onDidChange(() => this.#reconnect()));
  }

  get rows(): readonly BoardRow[] {
    return this.#rows;
  }

  /** Tickets that wait for a person. */
  get waiting(): readonly { readonly row: BoardRow; readonly ticket: TicketView }[] {
    return this.#rows.flatMap((row) => row.tickets.filter(({ needsPerson }) => needsPerson).map((ticket) => ({ row, ticket })));
  }

  /** Reads everything now. What comes in meanwhile is read once more. */
  async refresh(): Promise<void> {
    this.#stale = true;
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    await this.#reading;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#clients.dispose();
    this.#lifetime.dispose();
    this.#changed.dispose();
    this.#wasRead.dispose();
  }

  #reconnect(): void {
    this.#clients.dispose();
    this.#clients = new DisposableStore();
    for (const entry of this.#repositories.entries)
      if (entry.kind === 'open') this.#clients.add(entry.repository.client.onDidChange(() => this.#refreshSoon()));
    void this.refresh();
  }

  #refreshSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.refresh();
    }, pauseMs);
  }

  async #read(): Promise<void> {
    while (this.#stale) {
      this.#stale = false;
      this.#rows = await Promise.all(this.#repositories.entries.map(readRow));
      const now = canonicalJson([this.#repositories.state, this.#repositories.trusted, this.#rows.map(comparable)]);
      const differs = now !== this.#last;
      this.#last = now;
      if (differs) this.#changed.emit();
      this.#wasRead.emit();
    }
  }
}

async function readRow(entry: Repositories['entries'][number]): Promise<BoardRow> {
  const { root, name } = entry;
  if (entry.kind === 'failed') return { root, name, repository: undefined, tickets: [], error: entry.error };
  try {
    return { root, name, repository: entry.repository, tickets: await entry.repository.client.tickets(), error: undefined };
  } catch (error) {
    return { root, name, repository: entry.repository, tickets: [], error: toBeadsmithError(error) };
  }
}

/** What a person could notice; a ticket's time of change alone is nothing. */
function comparable({ root, repository, tickets, error }: BoardRow): unknown {
  return [root, repository?.client.repository.mode, tickets.map((ticket) => ({ ...ticket, updatedAt: 0 })), error?.message];
}
