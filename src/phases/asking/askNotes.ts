import * as z from 'zod';
import type { Json } from '../../base/json.ts';

/** A session that this step opened. `reason`: why it isn't the one before it. */
export const SessionNote = z.object({
  type: z.literal('session'),
  id: z.string(),
  directory: z.string(),
  title: z.string(),
  reason: z.enum(['first', 'lost', 'resend']),
});
export type SessionNote = z.infer<typeof SessionNote>;

/** A prompt that is about to be sent: its number in the session, counted from 1. */
export const PromptNote = z.object({
  type: z.literal('prompt'),
  session: z.string(),
  number: z.number().int(),
  purpose: z.enum(['ask', 'repair', 'continue']),
  at: z.number(),
});
export type PromptNote = z.infer<typeof PromptNote>;

/** What former attempts at the step noted, oldest first. Notes of another kind are passed over. */
export function readNotes(earlier: readonly Json[]): { readonly sessions: SessionNote[]; readonly prompts: PromptNote[] } {
  const sessions: SessionNote[] = [];
  const prompts: PromptNote[] = [];
  for (const note of earlier) {
    const session = SessionNote.safeParse(note);
    if (session.success) sessions.push(session.data);
    const prompt = PromptNote.safeParse(note);
    if (prompt.success) prompts.push(prompt.data);
  }
  return { sessions, prompts };
}
