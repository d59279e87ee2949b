import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { toBeadsmithError, type BeadsmithError } from '../../domain/core/errors.ts';
import type { TicketView } from '../../protocol/api.ts';
import { differences, indexOf, withTickets } from './boardTickets.ts';
import type { OpenRepository, Repositories } from '../shared/repositories.ts';

export interface BoardRow {
  readonly root: string;
  readonly name: string;
  readonly repository: OpenRepository | undefined;
  /** In the order of their numbers. What didn't change is the same object as before. */
  readonly tickets: readonly TicketView[];
  /** The reason why there is nothing to show. */
  readonly error: BeadsmithError | undefined;
}

export interface BoardTicket {
  readonly root: string;
  readonly ticket: string;
}

/**
 * The changes since the last read that a person could notice. `structure`: more changed than the tickets that
 * are named.
 */
export interface BoardChange {
  readonly structure: boolean;
  readonly tickets: readonly BoardTicket[];
}

/** The engine writes many times a second; a person sees no more than this. */
const pauseMs = 150;

/** The tickets of a repository to read again: by their ids, or all of them. */
type Wanted = 'all' | Set<string>;

/**
 * All tickets of all repositories as they were last read. Tree, status bar and notices look here, so that a
 * change is read once and they never contradict each other. Of a change that names its ticket, only that is
 * read again.
 */
export class Board implements Disposable {
  readonly #repositories: Repositories;
  readonly #changed = new Emitter<BoardChange>();
  readonly #touched = new Emitter<{ readonly root: string; readonly ticket: string | undefined }>();
  readonly #wasRead = new Emitter<void>();
  readonly #lifetime = new DisposableStore();
  readonly #wanted = new Map<string, Wanted>();
  #everything = false;
  #clients = new DisposableStore();
  #rows: readonly BoardRow[] = [];
  #frame = '';
  #reading: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Fires only when something differs. */
  readonly onDidChange = this.#changed.on;
  /** After every look, also when nothing differs. */
  readonly onDidRead = this.#wasRead.on;
  /**
   * After tickets were checked that something was written about, whether lists show it or not, and before
   * `onDidChange`. Without a ticket it may have been any.
   */
  readonly onDidTouch = this.#touched.on;

  constructor(repositories: Repositories) {
    this.#repositories = repositories;
    this.#lifetime.add(repositories.onDidChange(() => this.#reconnect()));
  }

  get rows(): readonly BoardRow[] {
    return this.#rows;
  }

  /** Tickets that wait for a person. */
  get waiting(): readonly { readonly row: BoardRow; readonly ticket: TicketView }[] {
    return this.#rows.flatMap((row) =>
      row.tickets.filter(({ needsPerson }) => needsPerson).map((ticket) => ({ row, ticket })),
    );
  }

  find({ root, ticket }: BoardTicket): TicketView | undefined {
    const row = this.#rows.find((candidate) => candidate.root === root);
    const at = row && indexOf(row.tickets).get(ticket);
    return at === undefined ? undefined : row?.tickets[at];
  }

  /** Reads everything now. What comes in meanwhile is read once more. */
  async refresh(): Promise<void> {
    this.#everything = true;
    await this.#readNow();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#clients.dispose();
    this.#lifetime.dispose();
    this.#changed.dispose();
    this.#touched.dispose();
    this.#wasRead.dispose();
  }

  #reconnect(): void {
    this.#clients.dispose();
    this.#clients = new DisposableStore();
    for (const entry of this.#repositories.entries)
      if (entry.kind === 'open')
        this.#clients.add(
          entry.repository.client.onDidChange((ticket) => this.#readSoon(entry.root, ticket)),
        );
    void this.refresh();
  }

  #readSoon(root: string, ticket: string | undefined): void {
    const wanted = this.#wanted.get(root);
    if (ticket === undefined) this.#wanted.set(root, 'all');
    else if (wanted === undefined) this.#wanted.set(root, new Set([ticket]));
    else if (wanted !== 'all') wanted.add(ticket);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#readNow();
    }, pauseMs);
  }

  async #readNow(): Promise<void> {
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    await this.#reading;
  }

  async #read(): Promise<void> {
    while (this.#everything || this.#wanted.size > 0) {
      const [everything, wanted] = [this.#everything, new Map(this.#wanted)];
      this.#everything = false;
      this.#wanted.clear();
      const before = this.#rows;
      this.#rows = everything
        ? await Promise.all(this.#repositories.entries.map((entry) => readEntry(entry, before)))
        : await Promise.all(before.map((row) => readAgain(row, wanted.get(row.root))));
      for (const [root, tickets] of wanted)
        for (const ticket of tickets === 'all' ? [undefined] : tickets) this.#touched.emit({ root, ticket });
      this.#tell(before);
      this.#wasRead.emit();
    }
  }

  #tell(before: readonly BoardRow[]): void {
    const rows = this.#rows;
    const frame = JSON.stringify([this.#repositories.state, this.#repositories.trusted, rows.map(frameOf)]);
    const isOther = frame !== this.#frame;
    this.#frame = frame;
    const found = rows.map((row) => ({
      row,
      ...differences(before.find(({ root }) => root === row.root)?.tickets ?? [], row.tickets),
    }));
    const change: BoardChange = {
      structure: isOther || found.some(({ lost }) => lost),
      tickets: found.flatMap(({ row, changed }) => changed.map((ticket) => ({ root: row.root, ticket }))),
    };
    if (change.structure || change.tickets.length > 0) this.#changed.emit(change);
  }
}

/** Returns the parts of a repository's row that can differ beside its tickets. */
function frameOf({ root, repository, error }: BoardRow): unknown {
  return [root, repository?.client.repository.mode, error?.message];
}

async function readEntry(
  entry: Repositories['entries'][number],
  before: readonly BoardRow[],
): Promise<BoardRow> {
  const { root, name } = entry;
  if (entry.kind === 'failed') return { root, name, repository: undefined, tickets: [], error: entry.error };
  const known = before.find((row) => row.root === root)?.tickets ?? [];
  return readAgain({ root, name, repository: entry.repository, tickets: known, error: undefined }, 'all');
}

async function readAgain(row: BoardRow, wanted: Wanted | undefined): Promise<BoardRow> {
  const { repository } = row;
  if (wanted === undefined || !repository) return row;
  try {
    // After an error nothing is known that could be completed.
    const ids = wanted === 'all' || row.error ? undefined : [...wanted];
    const tickets = withTickets(row.tickets, await repository.client.tickets(ids), ids === undefined);
    return { ...row, tickets, error: undefined };
  } catch (error) {
    return { ...row, tickets: [], error: toBeadsmithError(error) };
  }
}
