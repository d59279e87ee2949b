import type { BoardRow } from '../board.ts';
import { columnsOf } from '../columns.ts';
import type { TicketList } from './ticketList.ts';

/** A column as it is shown: the tickets of its pages, and how many there are in all. */
export interface ColumnLayout {
  readonly column: string;
  readonly tickets: readonly string[];
  readonly total: number;
}

/** Which rows the tree has down to the tickets, by repository. */
export type TreeLayout = ReadonlyMap<string, readonly ColumnLayout[]>;

export function layoutOf(rows: readonly BoardRow[], list: TicketList): TreeLayout {
  return new Map(rows.map((row) => [row.root, row.error ? [] : columnsOfRow(row, list)]));
}

/** What has to be asked for again: the whole tree, or these columns. */
export function layoutChanges(
  before: TreeLayout,
  after: TreeLayout,
): 'all' | readonly { readonly root: string; readonly column: string }[] {
  if (names(before) !== names(after)) return 'all';
  return [...after].flatMap(([root, columns]) =>
    columns.filter((column, at) => !isSame(column, before.get(root)?.[at])).map(({ column }) => ({ root, column })),
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
    b !== undefined && a.total === b.total && a.tickets.length === b.tickets.length && a.tickets.every((id, at) => id === b.tickets[at])
  );
}
