import * as z from 'zod';
import { timeoutMs } from '../../domain/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { ContextKey } from '../../domain/contextKeys.ts';
import type { TicketState } from '../../context/ticketState.ts';
import type { Run } from '../../engine/run.ts';
import { ask } from '../ask.ts';
import type { OpenSession, Parsed } from '../askTypes.ts';
import { stripAnsi } from './describeEvidence.ts';
import { isFailureOf, replaceableCall } from './isFailureOf.ts';
import { ticketParts } from './ticketParts.ts';

/** The longest note that is kept; a note is a hint, and every later attempt pays for it. */
const longestNote = 2_000;
/** A note is one short answer without tools. */
const longestNoteMs = 300_000;

export interface FailureNote {
  readonly key: string;
  readonly contextKey: Extract<ContextKey, 'context_wipe' | 'execution_setup_note' | 'final_test_note'>;
  readonly prompt: string;
  readonly session?: OpenSession;
  readonly state: Partial<TicketState>;
  /** What stands in when the model can't say it (seed 001 section 9). */
  readonly fallback: string;
  readonly bead?: { readonly id: string; readonly iteration: number };
}

/** A compact note on a failed attempt, by the model that failed if it can, else the fallback. Never fails for the model's sake. */
export async function failureNote(run: Run, ticket: TicketSnapshot, note: FailureNote): Promise<string> {
  const { settings } = ticketParts(ticket);
  const { fallback, ...question } = note;
  try {
    const { value } = await ask(run, ticket, {
      ...question,
      member: settings.mainImplementer,
      parse: parseNote,
      result: z.string(),
      activeMs: Math.min(longestNoteMs, timeoutMs(run.limits.perIterationTimeout)),
      repairs: 0,
      onProviderFailure: 'fail',
    });
    return value;
  } catch (error) {
    if (!isFailureOf(error, replaceableCall)) throw error;
    return fallback;
  }
}

function parseNote(text: string): Parsed<string> {
  const note = stripAnsi(text).trim().slice(0, longestNote).trim();
  return note === '' ? { ok: false, problem: 'The note is empty.' } : { ok: true, value: note };
}
