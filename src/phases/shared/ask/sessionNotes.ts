import * as z from 'zod';
import type { Json } from '../../../base/json.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { StepIo } from '../../../engine/run/run.ts';

/** `reason`: why it isn't the session before it. */
export const SessionNote = z.object({
  type: z.literal('session'),
  id: z.string(),
  directory: z.string(),
  title: z.string(),
  reason: z.enum(['first', 'lost', 'resend', 'restart', 'text']),
});
export type SessionNote = z.infer<typeof SessionNote>;

export const PromptNote = z.object({
  type: z.literal('prompt'),
  session: z.string(),
  number: z.number().int(),
  /** `rest`: for what is missing of an answer that was cut off. */
  purpose: z.enum(['ask', 'repair', 'continue', 'rest']),
  at: z.number(),
  /** The model, where it isn't the one that the run began with. */
  member: z.string().exactOptional(),
});
export type PromptNote = z.infer<typeof PromptNote>;

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

/** Titles are the same on every attempt, so that a session that wasn't noted yet is found again. */
export function sessionTitle(ticket: string, stepKey: string, ordinal: number): string {
  const nonce = sha256(`${stepKey}#${ordinal}`).slice(0, 12);
  return `${ticket} ${stepKey.slice(stepKey.indexOf('/') + 1)} ${nonce}`;
}

/**
 * Stops sessions of other runs that would still change the worktree; they may have a note and no row. Call it
 * before files are reset or judged.
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
