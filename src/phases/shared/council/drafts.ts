import * as z from 'zod';
import type { Section } from '../../../context/sections.ts';
import { type CouncilDraft, CouncilDrafts, CouncilWinner } from '../../../domain/council/council.ts';
import { inboxBodies } from '../../../domain/ticket/inbox.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Domain } from '../../../domain/documents/documents.ts';
import type { RecordIo, Run } from '../../../engine/run/run.ts';
import { storedDocument } from '../ticket/artifacts.ts';

/** The valid drafts of a council, in its order. */
export async function validDrafts(io: RecordIo, domain: Domain): Promise<readonly CouncilDraft[]> {
  const { document } = await storedDocument(io, `${domain}_drafts`, CouncilDrafts);
  return document.drafts.filter((draft) => draft.outcome === 'completed');
}

export async function storedWinner(io: RecordIo, domain: Domain): Promise<string> {
  return (await storedDocument(io, `${domain}_winner`, CouncilWinner)).document.winner;
}

/** The member that won a domain's vote and does its later work; read once in a run. */
export function winnerOf(run: Run, domain: Domain): Promise<string> {
  return run.record('winner', z.string(), (io) => storedWinner(io, domain));
}

/** The person's note of a regenerate, as a section of the drafts' prompts. */
export function regenerateNote(ticket: TicketSnapshot): readonly Section[] {
  if (ticket.entry.by !== 'regenerate') return [];
  const body = inboxBodies.regenerate.safeParse(ticket.entry.body);
  return body.success && body.data.note !== '' ? [{ name: 'user_note', content: body.data.note }] : [];
}
