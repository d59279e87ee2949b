import type { Section } from '../../context/sections.ts';
import { inboxBodies } from '../../domain/inbox.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';

/** What a person said when asking for everything anew, as a section of the drafts. */
export function regenerateNote(ticket: TicketSnapshot): readonly Section[] {
  if (ticket.entry.by !== 'regenerate') return [];
  const body = inboxBodies.regenerate.safeParse(ticket.entry.body);
  return body.success && body.data.note !== '' ? [{ name: 'user_note', content: body.data.note }] : [];
}
