import { toBeadsmithError } from '../../domain/core/errors.ts';
import type { Ticket } from '../../domain/ticket/ticket.ts';
import type { Store } from '../ports/storePort.ts';

/** A ticket; undefined for one that can't be read: its own drive says so, and the others are driven. */
export async function readableTicket(store: Pick<Store, 'ticket'>, id: string): Promise<Ticket | undefined> {
  try {
    return await store.ticket(id);
  } catch (error) {
    if (toBeadsmithError(error).code !== 'TICKET_DAMAGED') throw error;
    return undefined;
  }
}
