import type { TicketView } from '../../protocol/api.ts';

const indices = new WeakMap<readonly TicketView[], ReadonlyMap<string, number>>();

/** Returns the position of each ticket in a list, by its id; made once for a list. */
export function indexOf(tickets: readonly TicketView[]): ReadonlyMap<string, number> {
  let index = indices.get(tickets);
  if (!index) {
    index = new Map(tickets.map(({ id }, at) => [id, at]));
    indices.set(tickets, index);
  }
  return index;
}

/**
 * A list with what was read again put in its place. `whole`: it is all there is now. What is the same stays
 * the same object, and so does the list when all of it is.
 */
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

/**
 * The tickets that are new or look different, and whether one is gone. A ticket whose time of change alone
 * differs looks the same.
 */
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
