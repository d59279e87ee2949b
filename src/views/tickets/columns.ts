import type { TicketView } from '../../protocol/api.ts';
import { isEverything, matches, type TicketFilter, type TicketOrder } from './tree/ticketFilter.ts';

/** What waits for a person comes first, what is over last. */
const order = ['Needs Input', 'In Progress', 'To Do', 'Done'];

export interface ColumnOfTickets {
  readonly column: string;
  readonly tickets: readonly TicketView[];
}

/**
 * Tickets by column, those that match and in the order that is wanted; columns without any are left out. The tickets come in the order of their
 * numbers, and where nothing else decides, the newest is first.
 */
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
