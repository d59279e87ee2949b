import type { TicketView } from '../../../protocol/api.ts';
import type { BoardRow } from '../board.ts';
import { isEverything, matches, type TicketFilter, type TicketOrder } from './ticketFilter.ts';
import type { TicketList } from './ticketList.ts';

interface ColumnLayout {
  readonly column: string;
  readonly tickets: readonly string[];
  readonly total: number;
}

export type TreeLayout = ReadonlyMap<string, readonly ColumnLayout[]>;

export function layoutOf(rows: readonly BoardRow[], list: TicketList): TreeLayout {
  return new Map(rows.map((row) => [row.root, row.error ? [] : columnsOfRow(row, list)]));
}

/** To be requested again: the whole tree, or these columns. */
export function layoutChanges(
  before: TreeLayout,
  after: TreeLayout,
): 'all' | readonly { readonly root: string; readonly column: string }[] {
  if (names(before) !== names(after)) return 'all';
  return [...after].flatMap(([root, columns]) =>
    columns
      .filter((column, at) => !isSame(column, before.get(root)?.[at]))
      .map(({ column }) => ({ root, column })),
  );
}

function columnsOfRow({ root, tickets }: BoardRow, list: TicketList): readonly ColumnLayout[] {
  return columnsOf(tickets, list).map(({ column, tickets: found }) => ({
    column,
    tickets: found.slice(0, list.shown(root, column)).map(({ id }) => id),
    total: found.length,
  }));
}

function names(layout: TreeLayout): string {
  return JSON.stringify([...layout].map(([root, columns]) => [root, ...columns.map(({ column }) => column)]));
}

function isSame(a: ColumnLayout, b: ColumnLayout | undefined): boolean {
  return (
    b !== undefined &&
    a.total === b.total &&
    a.tickets.length === b.tickets.length &&
    a.tickets.every((id, at) => id === b.tickets[at])
  );
}

const order = ['Needs Input', 'In Progress', 'To Do', 'Done'];

interface ColumnOfTickets {
  readonly column: string;
  readonly tickets: readonly TicketView[];
}

/** The newest is first where nothing else decides; empty columns are left out. */
export function columnsOf(
  tickets: readonly TicketView[],
  { filter, order: wanted }: { readonly filter: TicketFilter; readonly order: TicketOrder },
): readonly ColumnOfTickets[] {
  const columns = new Map<string, TicketView[]>(order.map((column) => [column, []]));
  const test = matches(filter);
  const all = isEverything(filter);
  for (let at = tickets.length - 1; at >= 0; at--) {
    const ticket = tickets[at];
    if (!ticket || !(all || test(ticket))) continue;
    const column = columns.get(ticket.column);
    if (column) column.push(ticket);
    else columns.set(ticket.column, [ticket]);
  }
  const compare = comparisons[wanted];
  return [...columns]
    .filter(([, found]) => found.length > 0)
    .map(([column, found]) => ({ column, tickets: compare ? found.sort(compare) : found }));
}

const comparisons: Readonly<Record<TicketOrder, ((a: TicketView, b: TicketView) => number) | undefined>> = {
  priority: (a, b) => a.priority - b.priority || b.updatedAt - a.updatedAt,
  updated: (a, b) => b.updatedAt - a.updatedAt,
  number: undefined,
};
