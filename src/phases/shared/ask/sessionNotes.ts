import * as z from 'zod';
import type { Json } from '../../../base/json.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { StepIo } from '../../../engine/run/run.ts';

/** A session that this step opened. `reason`: why it isn't the one before it. */
export const SessionNote = z.object({
  type: z.literal('session'),
  id: z.string(),
  directory: z.string(),
  title: z.string(),
  reason: z.enum(['first', 'lost', 'resend', 'restart', 'text']),
});
export type SessionNote = z.infer<typeof SessionNote>;

/** A prompt that is about to be sent: its number in the session, counted from 1. */
export const PromptNote = z.object({
  type: z.literal('prompt'),
  session: z.string(),
  number: z.number().int(),
  /** `rest`: for what is missing of an answer that was cut off. */
  purpose: z.enum(['ask', 'repair', 'continue', 'rest']),
  at: z.number(),
});
export type PromptNote = z.infer<typeof PromptNote>;

/** Reads what earlier attempts at the step noted, oldest first. Notes of another kind are ignored. */
export function readNotes(earlier: readonly Json[]): {
  readonly sessions: SessionNote[];
  readonly prompts: PromptNote[];
} {
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

/** The title of a step's session `ordinal` (from 0), by which one that wasn't noted yet is found again. */
export function sessionTitle(ticket: string, stepKey: string, ordinal: number): string {
  const nonce = sha256(`${stepKey}#${String(ordinal)}`).slice(0, 12);
  return `${ticket} ${stepKey.slice(stepKey.indexOf('/') + 1)} ${nonce}`;
}

/**
 * Stops sessions of other runs, interrupted and then superseded or archived, that would still change the
 * worktree. They may have a note and no row. Call it before files are reset or judged.
 */
export async function endStraySessions(io: StepIo, runId: string): Promise<void> {
  const { store, agent } = io.ports;
  for (const run of await store.runs(io.ticket)) {
    if (run.id === runId || run.parent === runId) continue;
    for (const step of await store.steps(run.id)) {
      if (step.state !== 'intent') continue;
      for (const { id, directory } of readNotes(step.notes).sessions) await agent.abort({ id, directory });
    }
  }
}
