import * as z from 'zod';
import { stripAnsi } from '../../base/lastLines.ts';
import { withoutStop } from './structured/whole.ts';
import type { ContextState } from '../../context/contextState.ts';
import type { ContextKey } from '../../domain/workflow/contextKeys.ts';
import { Failures } from '../../domain/beads/reports.ts';
import { timeoutMs } from '../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { RecordIo, Run } from '../../engine/run/run.ts';
import { artifactChange, newestJson } from './ticket/artifacts.ts';
import { ask } from './ask/ask.ts';
import type { OpenSession, Parsed } from './structured/askTypes.ts';
import { isFailureOf, replaceableCall } from './ask/providerError.ts';
import { ticketParts } from './ticket/ticketParts.ts';
import type { CallTrace } from './worktree/sessions.ts';

type Remains = Pick<CallTrace, 'failedTools' | 'lastOutput'>;

/** `error_context` of a note (docs/decisions/029-iterations-and-reset.md). */
export function errorContext(problem: string, trace: Remains): string {
  return sections(problem, trace, 2_000);
}

export function fallbackNote(doing: string, problem: string, trace: Remains): string {
  return `${doing}\n\n${sections(problem.slice(0, 600), trace, 500)}`;
}

function sections(problem: string, { failedTools, lastOutput }: Remains, outputChars: number): string {
  const parts = [`What failed:\n${stripAnsi(problem).trim() || 'No reason was given.'}`];
  if (failedTools.length > 0)
    parts.push(`Tools that failed:\n${failedTools.map((tool) => `- ${stripAnsi(tool)}`).join('\n')}`);
  const output = stripAnsi(lastOutput).trim();
  if (output !== '') parts.push(`The end of the last answer:\n${output.slice(-outputChars)}`);
  return parts.join('\n\n');
}

/** Every later attempt pays for a note. */
const longestNote = 2_000;
/** A note is one short answer without tools. */
const longestNoteMs = 300_000;

interface FailureNote {
  readonly key: string;
  readonly contextKey: Extract<ContextKey, 'context_wipe' | 'execution_setup_note' | 'final_test_note'>;
  readonly prompt: string;
  readonly session?: OpenSession;
  readonly member?: string;
  readonly state: Partial<ContextState>;
  readonly fallback: string;
  readonly bead?: { readonly id: string; readonly iteration: number };
}

export async function failureNote(run: Run, ticket: TicketSnapshot, note: FailureNote): Promise<string> {
  const { settings } = ticketParts(ticket);
  const { fallback, ...call } = note;
  try {
    const { value } = await ask(run, ticket, {
      ...call,
      member: note.member ?? settings.mainImplementer,
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

const mostFailures = 50;

/** Adds to what failed before, for people to see (docs/decisions/062-a-failure-says-what-failed.md). */
export async function keepFailure(
  io: RecordIo,
  ticket: TicketSnapshot,
  artifact: `bead_failures:${string}` | 'setup_failures' | 'final_test_failures',
  added: Failures['failures'][number],
): Promise<void> {
  const before = (await newestJson(io, artifact, Failures))?.failures ?? [];
  const failures = [...before, added].slice(-mostFailures);
  io.save(artifactChange(ticket, artifact, Failures.parse({ schema_version: 1, failures })));
}

function parseNote(text: string): Parsed<string> {
  const note = withoutStop(stripAnsi(text)).trim().slice(0, longestNote).trim();
  return note === '' ? { ok: false, problem: 'The note is empty.' } : { ok: true, value: note };
}
