import * as z from 'zod';
import { checked } from '../../domain/documents/base/check.ts';
import { readText } from '../../domain/documents/base/text.ts';
import { inboxBodies, type InboxEntry } from '../../domain/ticket/inbox.ts';
import { DraftEdit, type TicketSnapshot, ticketTextHash } from '../../domain/ticket/ticket.ts';
import type { HandlerDefinition, RecordIo } from '../../engine/run/run.ts';
import { refuseEntry } from '../shared/ticket/receipts.ts';
import { Started, startTicket } from './startTicket.ts';

/** The key of the step that starts a ticket. */
export const startKey = 'start';

/** DRAFT: title, description and priority can be edited until the ticket starts. A loop isn't planned. */
export const draft: HandlerDefinition<'start' | 'loop'> = {
  version: 1,
  run: async (run, ticket) => {
    for (let turn = 1; ; turn++) {
      const entry = await run.wait(`decision-${turn}`, ['start', 'edit']);
      if (entry === 'expired') continue;
      if (entry.kind === 'start') {
        const body = inboxBodies.start.parse(entry.body);
        const patch = await run.step(startKey, Started, (io) => startTicket(io, ticket, body));
        return { exit: patch.settings?.depth === 'loop' ? 'loop' : 'start', patch };
      }
      await run.record(`edit-${turn}`, z.null(), async (io) => {
        await edit(io, ticket, entry);
        return null;
      });
    }
  },
};

async function edit(io: RecordIo, ticket: TicketSnapshot, entry: InboxEntry): Promise<void> {
  const body = inboxBodies.edit.parse(entry.body);
  if (body.artifact !== 'ticket') {
    const reason = 'the ticket was not started yet';
    refuseEntry(io, entry, 'INVALID_INPUT', { what: `An edit of ${body.artifact}`, reason });
    return;
  }
  const present = await io.ports.store.ticket(ticket.id);
  if (present && body.baseSha256 !== null && body.baseSha256 !== ticketTextHash(present)) {
    refuseEntry(io, entry, 'EDIT_CONFLICT', { artifact: 'The ticket' });
    return;
  }
  const read = readText('yaml', body.content);
  const edited = read.ok ? checked(DraftEdit, read.value) : read;
  if (!edited.ok) {
    refuseEntry(io, entry, 'INVALID_ARTIFACT', { artifact: 'The ticket', reason: edited.error });
    return;
  }
  const { title, description, priority } = edited.value;
  // The snapshot may be older than an earlier edit.
  const kept = priority === undefined ? {} : { priority };
  io.save({ type: 'ticket', set: { title, description, ...kept } });
}
