import * as z from 'zod';
import { canonicalJson } from '../../base/json.ts';
import { sha256 } from '../../base/sha256.ts';
import { inboxBodies, type InboxEntry } from '../../domain/inbox.ts';
import { Ticket, TicketInput, type TicketSnapshot } from '../../domain/ticket.ts';
import type { HandlerDefinition, RecordIo } from '../../engine/run.ts';
import { refuseEntry } from '../execution/refuseEntry.ts';
import { readEdit } from './readEdit.ts';
import { startTicket } from './startTicket.ts';

const Started = Ticket.pick({
  settings: true,
  limits: true,
  baseBranch: true,
  baseCommit: true,
  branch: true,
  worktree: true,
  startedAt: true,
});

/** DRAFT: title and description may be edited until the ticket is started. A start that fails blocks the ticket with its reason. */
export const draft: HandlerDefinition<'start'> = {
  version: 1,
  run: async (run, ticket) => {
    for (let turn = 1; ; turn++) {
      const entry = await run.wait(`decision-${turn}`, ['start', 'edit']);
      if (entry === 'expired') continue;
      if (entry.kind === 'start') {
        const body = inboxBodies.start.parse(entry.body);
        return { exit: 'start', patch: await run.step('start', Started, (io) => startTicket(io, ticket, body)) };
      }
      await run.record(`edit-${turn}`, z.null(), async (io) => {
        await edit(io, ticket, entry);
        return null;
      });
    }
  },
};

/** The hash of what an edit of a drafted ticket is made from. */
export function ticketTextHash(ticket: Pick<Ticket, 'title' | 'description'>): string {
  return sha256(canonicalJson({ title: ticket.title, description: ticket.description }));
}

async function edit(io: RecordIo, ticket: TicketSnapshot, entry: InboxEntry<'start' | 'edit'>): Promise<void> {
  const body = inboxBodies.edit.parse(entry.body);
  if (body.artifact !== 'ticket') {
    refuseEntry(io, entry, 'INVALID_INPUT', { what: `An edit of ${body.artifact}`, reason: 'the ticket was not started yet' });
    return;
  }
  const present = await io.ports.store.ticket(ticket.id);
  if (present && body.baseSha256 !== null && body.baseSha256 !== ticketTextHash(present)) {
    refuseEntry(io, entry, 'EDIT_CONFLICT', { artifact: 'The ticket' });
    return;
  }
  const edited = readEdit(TicketInput.pick({ title: true, description: true }), body.content);
  if (!edited.ok) {
    refuseEntry(io, entry, 'INVALID_ARTIFACT', { artifact: 'The ticket', reason: edited.error });
    return;
  }
  io.save({ type: 'ticket', set: { title: edited.value.title, description: edited.value.description } });
}
