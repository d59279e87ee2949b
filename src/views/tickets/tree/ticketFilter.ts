import * as z from 'zod';
import { roleOf } from '../../../domain/workflow/roles.ts';
import type { TicketView } from '../../../protocol/api.ts';

/** All that is set must be true. */
export const TicketFilter = z.object({
  text: z.string().max(200).default(''),
  needsPerson: z.boolean().default(false),
  blocked: z.boolean().default(false),
  bands: z.array(z.string().max(40)).max(20).default([]),
});
export type TicketFilter = z.infer<typeof TicketFilter>;

/** `priority`: the more important first, then what changed last. `number`: the newest first. */
export const TicketOrder = z.enum(['priority', 'updated', 'number']);
export type TicketOrder = z.infer<typeof TicketOrder>;

export const everything: TicketFilter = { text: '', needsPerson: false, blocked: false, bands: [] };

export function isEverything({ text, needsPerson, blocked, bands }: TicketFilter): boolean {
  return text.trim() === '' && !needsPerson && !blocked && bands.length === 0;
}

/** Each word must occur in the ticket's id, title or status, whatever its case. */
export function matches({
  text,
  needsPerson,
  blocked,
  bands,
}: TicketFilter): (ticket: TicketView) => boolean {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return (ticket) => {
    if (needsPerson && !ticket.needsPerson) return false;
    if (blocked && roleOf(ticket.status) !== 'blocked') return false;
    if (bands.length > 0 && !bands.includes(ticket.band)) return false;
    if (words.length === 0) return true;
    const searched = `${ticket.id} ${ticket.title} ${ticket.label}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  };
}
