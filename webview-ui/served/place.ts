import { ticketHash } from '../../src/protocol/team/served.ts';

/** The view that the page shows; kept in its address. */
export type ViewPlace =
  | { readonly view: 'tickets' }
  | { readonly view: 'devices' }
  | { readonly view: 'fleet' }
  | { readonly view: 'ticket'; readonly repository: string; readonly ticket: string };

export function hashOf(place: ViewPlace): string {
  if (place.view !== 'ticket') return place.view === 'tickets' ? '#' : `#${place.view}`;
  return ticketHash(place.repository, place.ticket);
}

/** The tickets for anything else. */
export function placeOf(hash: string): ViewPlace {
  if (hash === '#devices') return { view: 'devices' };
  if (hash === '#fleet') return { view: 'fleet' };
  const [repository = '', ticket = ''] = hash.slice(1).split('/').map(decoded);
  return repository !== '' && ticket !== '' ? { view: 'ticket', repository, ticket } : { view: 'tickets' };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
