import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { type BeadsmithError, toBeadsmithError } from '../../domain/core/errors.ts';
import type { TicketView } from '../../protocol/api.ts';
import type { OpenRepository, Repositories } from '../shared/repositories.ts';

export interface BoardRow {
  readonly root: string;
  readonly name: string;
  readonly repository: OpenRepository | undefined;
  /** In the order of their numbers. What didn't change is the same object as before. */
  readonly tickets: readonly TicketView[];
  readonly error: BeadsmithError | undefined;
}

export interface BoardTicket {
  readonly root: string;
  readonly ticket: string;
}

/** `structure`: more changed than the tickets that are named. */
export interface BoardChange {
  readonly structure: boolean;
  readonly tickets: readonly BoardTicket[];
}

/** The engine writes many times a second; a person sees no more than this. */
const pauseMs = 150;

type Wanted = 'all' | Set<string>;

/** Read once for tree, status bar and notifications, so that they never contradict each other. */
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
  /** Without tickets: any of them. Before `onDidChange`. */
  readonly onDidTouch = this.#touched.on;

  constructor(repositories: Repositories) {
    this.#repositories = repositories;
    this.#lifetime.add(repositories.onDidChange(() => this.#reconnect()));
  }

  get rows(): readonly BoardRow[] {
    return this.#rows;
  }

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

  /** Changes meanwhile are read once more. */
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

const indices = new WeakMap<readonly TicketView[], ReadonlyMap<string, number>>();

export function indexOf(tickets: readonly TicketView[]): ReadonlyMap<string, number> {
  let index = indices.get(tickets);
  if (!index) {
    index = new Map(tickets.map(({ id }, at) => [id, at]));
    indices.set(tickets, index);
  }
  return index;
}

/** `whole`: it is all there now is. What is the same stays the same object, and so does the list. */
export function withTickets(
  known: readonly TicketView[],
  read: readonly TicketView[],
  whole: boolean,
): readonly TicketView[] {
  const index = indexOf(known);
  const kept = read.map((ticket) => {
    const at = index.get(ticket.id);
    const before = at === undefined ? undefined : known[at];
    return before && isEqual(before, ticket) ? before : ticket;
  });
  if (whole)
    return kept.length === known.length && kept.every((ticket, at) => ticket === known[at]) ? known : kept;
  const others = kept.filter((ticket) => known[index.get(ticket.id) ?? -1] !== ticket);
  if (others.length === 0) return known;
  const tickets = [...known];
  for (const ticket of others) {
    const at = index.get(ticket.id);
    if (at === undefined) tickets.push(ticket);
    else tickets[at] = ticket;
  }
  return tickets;
}

/** The time of change alone makes no difference. */
export function differences(
  before: readonly TicketView[],
  after: readonly TicketView[],
): { readonly changed: readonly string[]; readonly lost: boolean } {
  if (before === after) return { changed: [], lost: false };
  const index = indexOf(before);
  const now = indexOf(after);
  const changed = after.filter((ticket) => {
    const at = index.get(ticket.id);
    const known = at === undefined ? undefined : before[at];
    return known !== ticket && !(known && isEqual({ ...known, updatedAt: 0 }, { ...ticket, updatedAt: 0 }));
  });
  return { changed: changed.map(({ id }) => id), lost: before.some(({ id }) => !now.has(id)) };
}

function isEqual(a: TicketView, b: TicketView): boolean {
  const keys = Object.keys(a) as (keyof TicketView)[];
  return keys.every(
    (key) =>
      a[key] === b[key] || (typeof a[key] === 'object' && JSON.stringify(a[key]) === JSON.stringify(b[key])),
  );
}
