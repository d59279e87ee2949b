import { offeredKinds } from '../forge/merging.ts';
import type { Ticket } from '../ticket/ticket.ts';
import type { Offered } from '../workflow/formFields.ts';

type OfferingTicket = Pick<Ticket, 'forge' | 'settings'>;

const offers: Readonly<Record<Offered, (ticket: OfferingTicket) => readonly string[]>> = {
  // A merge queue has a kind of its own.
  mergeKinds: ({ forge, settings }) =>
    !forge?.merging || forge.merging.hasQueue
      ? []
      : offeredKinds(forge.merging, settings?.integration === 'squash'),
};

/** The values that a choice offers for a ticket, most likely first. */
export function offeredValues(offered: Offered, ticket: OfferingTicket): readonly string[] {
  return offers[offered](ticket);
}
