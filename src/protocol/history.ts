import * as z from 'zod';
import type { PastStage } from '../domain/beads/iteration.ts';
import type { TicketEvent } from '../domain/core/events.ts';
import type { RequestVerdict } from '../domain/ticket/agentRequest.ts';
import type { CompletedTicket } from '../domain/estimate/completedTicket.ts';
import type { ProviderThatMisses } from '../domain/promptCache/providersThatMiss.ts';
import type { SpentByScope } from '../domain/usage/budgets.ts';
import type { CallView, InspectedCall } from './inspection.ts';
import type { ReplayedCall, ReplayedTexts, ReplayOptions } from './replays.ts';
import type { Status } from '../domain/workflow/workflow.ts';

export type { CallView } from './inspection.ts';

/** The history of a ticket, from the database alone. */
export interface HistoryReader {
  runs(ticket: string): Promise<readonly RunView[]>;
  /** Usage as budgets count it; of the day if there is such a budget. */
  spent(ticket: string): Promise<SpentByScope>;
  /** Oldest first, without texts. */
  calls(ticket: string): Promise<readonly CallView[]>;
  /** Oldest first, with parts and cache states. */
  inspect(ticket: string): Promise<readonly InspectedCall[]>;
  /** Models whose provider misses its cache; cheap. */
  misses(ticket: string): Promise<readonly ProviderThatMisses[]>;
  call(ticket: string, id: string): Promise<CallTexts | undefined>;
  /** Oldest first (docs/decisions/153-replays.md). Asks no model. PROMPT_REFUSED. */
  replay(ticket: string, options?: ReplayOptions): Promise<readonly ReplayedCall[]>;
  /** `number`: in that list. */
  replayed(ticket: string, number: number): Promise<ReplayedTexts | undefined>;
  /** Ids of completed tickets, those that changed last first. `newest`: at most so many. */
  completed(newest?: number): Promise<readonly string[]>;
  /** Completed tickets of other repositories, newest first (docs/decisions/158-estimates-of-a-machine.md). */
  elsewhere(): Promise<readonly CompletedTicket[]>;
  journal(ticket: string): Promise<readonly JournalLine[]>;
  /** A person's decision on a request that was first made at `since`. */
  decision(ticket: string, request: string, since: number): Promise<RequestVerdict | undefined>;
  /** At most 250 lines, oldest first. */
  log(ticket: string, page: LogQuery): Promise<LogPage>;
  /** At most 250 events, oldest first (docs/decisions/195-transcripts.md). */
  transcript(ticket: string, page: TranscriptQuery): Promise<EventPage>;
}

/** A journal entry. `covers`: digests of changed rows, in its `hash`. */
export interface JournalLine {
  readonly seq: number;
  readonly at: number;
  readonly epoch: number;
  readonly prevHash: string;
  readonly hash: string;
  readonly entry: { readonly kind: string };
  readonly covers?: Readonly<Record<string, string | null>>;
}

/** Lines of the log: at most `limit`, before line `before`. */
export interface LogQuery {
  readonly before?: number | undefined;
  readonly limit: number;
  readonly source?: string | undefined;
  readonly text?: string | undefined;
  readonly problems?: boolean | undefined;
}

/** Events before `before`; of a bead, or of the newest attempt of its iteration. */
export interface TranscriptQuery {
  readonly before?: number | undefined;
  readonly limit: number;
  readonly bead?: string | undefined;
  readonly iteration?: number | undefined;
}

/** Events, oldest first. `earlier`: the `before` of the previous page; null at the start. */
export interface EventPage {
  readonly events: readonly TicketEvent[];
  readonly earlier: number | null;
}

/** An entry into a status. Times in milliseconds since 1970. */
export interface RunView {
  readonly id: string;
  readonly status: Status;
  readonly label: string;
  readonly attempt: number;
  readonly state: 'open' | 'closed' | 'superseded' | 'archived';
  readonly exit: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly iterations: readonly IterationView[];
}

/** An iteration of a bead. */
export interface IterationView {
  readonly run: string;
  readonly bead: string;
  readonly iteration: number;
  readonly state: RunView['state'];
  readonly exit: string | null;
  readonly stages: readonly PastStage[];
}

/** A model call with its texts. */
export interface CallTexts extends CallView {
  readonly input: string;
  readonly output: string;
  readonly plan: string;
}

/** Lines of the log, oldest first. */
export interface LogPage {
  readonly lines: readonly LogLine[];
  /** In the unit of line numbers. */
  readonly total: number;
  /** `before` of the previous page; null at the start. */
  readonly earlier: number | null;
}

/** A log line. `at` in milliseconds since 1970. */
export const LogLine = z.object({
  /** Rises, but not by one. */
  number: z.number(),
  at: z.number(),
  /** `engine`, `command`, or a model. */
  source: z.string(),
  level: z.enum(['info', 'warning', 'error']),
  text: z.string(),
});
export type LogLine = z.infer<typeof LogLine>;
