import type { Status } from '../../../src/domain/workflow/workflow.ts';
import type { Change, Store } from '../../../src/engine/ports/storePort.ts';

export async function moveTicket(
  store: Store,
  id: string,
  status: Status,
  set: Extract<Change, { type: 'ticket' }>['set'] = {},
): Promise<void> {
  const ticket = await store.ticket(id);
  if (!ticket) throw new Error(`No ticket ${id}`);
  await store.commit({
    ticket: id,
    journal: [{ kind: 'status', from: ticket.status, to: status, by: 'test' }],
    changes: [{ type: 'ticket', set: { ...set, status, previousStatus: ticket.status } }],
  });
}
