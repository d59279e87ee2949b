import * as z from 'zod';
import type { RequestVerdict } from '../domain/ticket/agentRequest.ts';
import type { CompletedTicket } from '../domain/estimate/completedTicket.ts';
import type { ProviderThatMisses } from '../domain/promptCache/providersThatMiss.ts';
import type { SpentByScope } from '../domain/usage/budgets.ts';
import type { CallView, InspectedCall } from './inspection.ts';
import type { ReplayedCall, ReplayedTexts, ReplayOptions } from './replays.ts';
import type { Status } from '../domain/workflow/workflow.ts';

export type { CallView } from './inspection.ts';

/** The history of a ticket, for display. Everything comes from the database, so a follower sees the same. */
export interface HistoryReader {
  /** Runs of statuses, oldest first, with what happened in each. */
  runs(ticket: string): Promise<readonly RunView[]>;
  /** Returns the usage so far, as the ticket's budgets count it, of a day only where there is one. */
  spent(ticket: string): Promise<SpentByScope>;
  /** Model calls, oldest first, without their texts. */
  calls(ticket: string): Promise<readonly CallView[]>;
  /** Model calls, oldest first, with what their prompts were made of and what a cache knew of it. */
  inspect(ticket: string): Promise<readonly InspectedCall[]>;
  /** Models whose provider gives nothing from its cache. Cheap: only the newest calls are read. */
  misses(ticket: string): Promise<readonly ProviderThatMisses[]>;
  /** One call with its texts. */
  call(ticket: string, id: string): Promise<CallTexts | undefined>;
  /**
   * Finds the calls that would be sent another prompt today, oldest first (docs/decisions/153-replays.md).
   * Asks no model and changes nothing. May throw PROMPT_REFUSED.
   */
  replay(ticket: string, options?: ReplayOptions): Promise<readonly ReplayedCall[]>;
  /** The same of one call, by its number in that list, with its texts. */
  replayed(ticket: string, number: number): Promise<ReplayedTexts | undefined>;
  /**
   * Returns the effort of the tickets that were completed in other repositories on this machine, newest first
   * (docs/decisions/158-estimates-of-a-machine.md).
   */
  elsewhere(): Promise<readonly CompletedTicket[]>;
  /** The journal as stored, oldest first. */
  journal(ticket: string): Promise<readonly JournalLine[]>;
  /** Returns a person's decision on a request that was first asked at `since`, if there is one. */
  decision(ticket: string, request: string, since: number): Promise<RequestVerdict | undefined>;
  /** The newest lines before a line number, oldest first; never more than 250. */
  log(ticket: string, page: LogQuery): Promise<LogPage>;
}

/** An entry of the journal. `covers`: digests of the rows that its commit changed, in its `hash`. */
export interface JournalLine {
  readonly seq: number;
  readonly at: number;
  readonly epoch: number;
  readonly prevHash: string;
  readonly hash: string;
  readonly entry: { readonly kind: string };
  readonly covers?: Readonly<Record<string, string | null>>;
}

/** The lines of the log to read: at most `limit`, and only those before the line `before`. */
export interface LogQuery {
  readonly before?: number | undefined;
  readonly limit: number;
  readonly source?: string | undefined;
  /** Only lines with this text, ignoring case. */
  readonly text?: string | undefined;
  /** Only warnings and errors. */
  readonly problems?: boolean | undefined;
}

/** One entry into a status as the timeline shows it. Times are milliseconds since 1970. */
export interface RunView {
  readonly id: string;
  readonly status: Status;
  readonly label: string;
  readonly attempt: number;
  readonly state: 'open' | 'closed' | 'superseded' | 'archived';
  readonly exit: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** The error that blocked it; null if it didn't block. */
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Iterations of beads within it. */
  readonly iterations: readonly IterationView[];
}

/** One iteration of a bead within a run, with what it went through. */
export interface IterationView {
  readonly run: string;
  readonly bead: string;
  readonly iteration: number;
  readonly state: RunView['state'];
  readonly exit: string | null;
  readonly stages: readonly StageView[];
}

/**
 * One entry into a stage of an iteration. `interrupted`: its session was lost, or a person had it start
 * again. `open`: the keys of its steps that are at work. `error` is why it failed, whether the iteration
 * continued without it or not. Times are milliseconds since 1970.
 */
export interface StageView {
  readonly stage: string;
  readonly state: 'open' | 'done' | 'failed';
  readonly exit: string | null;
  readonly interrupted: boolean;
  readonly open: readonly string[];
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
}

/** A model call with what was sent and answered. */
export interface CallTexts extends CallView {
  readonly input: string;
  readonly output: string;
  /** The prompt plan as JSON: what went in, in which order, and what was cut. */
  readonly plan: string;
}

/** Lines of the log, oldest first. */
export interface LogPage {
  readonly lines: readonly LogLine[];
  /** The length of the log, in the unit of line numbers. */
  readonly total: number;
  /** `before` for the previous page, even if this one is short; null at the start of the log. */
  readonly earlier: number | null;
}

/** A line of the log. `at` is in milliseconds since 1970. */
export const LogLine = z.object({
  /** The line's position in the log. It rises from line to line, but not by one. */
  number: z.number(),
  at: z.number(),
  /** `engine`, `command`, or the model that spoke. */
  source: z.string(),
  level: z.enum(['info', 'warning', 'error']),
  text: z.string(),
});
export type LogLine = z.infer<typeof LogLine>;
