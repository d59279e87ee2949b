import type { TicketView } from '../protocol/api.ts';

/** What waits for a person comes first, what is over last. */
const order = ['Needs Input', 'In Progress', 'To Do', 'Done'];

export interface ColumnOfTickets {
  readonly column: string;
  readonly tickets: readonly TicketView[];
}

/** Tickets by column; columns without any are left out. Within one: the more important first, then the one that changed last. */
export function columnsOf(tickets: readonly TicketView[]): readonly ColumnOfTickets[] {
  const names = [...order, ...tickets.map(({ column }) => column).filter((column) => !order.includes(column))];
  return [...new Set(names)]
    .map((column) => ({ column, tickets: tickets.filter((ticket) => ticket.column === column).toSorted(byImportance) }))
    .filter((column) => column.tickets.length > 0);
}

function byImportance(a: TicketView, b: TicketView): number {
  return a.priority - b.priority || b.updatedAt - a.updatedAt || a.id.localeCompare(b.id);
}
