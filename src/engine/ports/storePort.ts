import type { Json } from '../../base/json.ts';
import type { ArtifactInfo, ArtifactType } from '../../domain/ticket/artifacts.ts';
import type { Bead } from '../../domain/beads/bead.ts';
import type { ErrorRecord } from '../../domain/core/errors.ts';
import type { Dismissal, DismissedClaim } from '../../domain/findings/dismissal.ts';
import type { InboxBody, InboxEntry, InboxKind } from '../../domain/ticket/inbox.ts';
import type { PromptPlan, Usage } from '../../domain/usage/promptPlan.ts';
import type { ReviewThread } from '../../domain/findings/reviewThread.ts';
import type { Limits } from '../../domain/settings/settings.ts';
import type { Hold, Ticket, TicketPatch, TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { ActionFacts } from '../../domain/workflow/availability.ts';
import type { Spent } from '../../domain/usage/budgets.ts';
import type { RunSpending } from '../../domain/usage/spending.ts';
import type { Status } from '../../domain/workflow/workflow.ts';

/**
 * One entry into a status (or, with a parent, one bead iteration). `failed` runs belong to a blocked ticket
 * and can be continued.
 */
export interface RunRow {
  readonly id: string;
  readonly ticket: string;
  readonly status: Status;
  readonly attempt: number;
  readonly parent: string | null;
  readonly handlerVersion: number;
  readonly snapshot: TicketSnapshot;
  readonly limits: Limits;
  readonly state: 'open' | 'closed' | 'superseded' | 'archived';
  readonly exit: string | null;
  /** The journal seq of the last `run.continued`; 0 if it was never continued. */
  readonly continuedSeq: number;
}

/** The projection of a step's journal entries. */
export interface StepRow {
  readonly run: string;
  readonly key: string;
  readonly state: 'intent' | 'done' | 'failed';
  readonly intentSeq: number;
  readonly notes: readonly Json[];
  readonly result: Json | undefined;
  readonly error: ErrorRecord | undefined;
  /** Active milliseconds so far (docs/decisions/007-limits-and-caps.md). */
  readonly activeMs: number;
}

/**
 * A journal entry as it is handed in. The store gives it `seq` (dense per ticket), `prevHash`, `hash`, `at`
 * and `epoch`, and keeps the runs and steps tables in line with it.
 */
export type JournalEntry =
  | { readonly kind: 'ticket.created' }
  | { readonly kind: 'run.opened'; readonly run: Omit<RunRow, 'state' | 'exit' | 'continuedSeq'> }
  | {
      readonly kind: 'run.closed';
      readonly run: string;
      readonly state: 'closed' | 'superseded' | 'archived';
      readonly exit: string | null;
    }
  | { readonly kind: 'run.continued'; readonly run: string }
  | { readonly kind: 'step.intent'; readonly run: string; readonly key: string }
  | { readonly kind: 'step.note'; readonly run: string; readonly key: string; readonly note: Json }
  | { readonly kind: 'step.done'; readonly run: string; readonly key: string; readonly result: Json }
  | { readonly kind: 'step.failed'; readonly run: string; readonly key: string; readonly error: ErrorRecord }
  | { readonly kind: 'status'; readonly from: Status; readonly to: Status; readonly by: string }
  | {
      readonly kind: 'inbox';
      readonly id: string;
      readonly outcome: 'consumed' | 'refused';
      readonly reason: string;
    }
  | { readonly kind: 'attempts'; readonly archivedFrom: Status; readonly statuses: readonly Status[] }
  /** Added by the store for a commit that has no other entry to say what it made of the rows. */
  | { readonly kind: 'rows' };

/**
 * A journal entry as stored. `seq` counts from 1 for each ticket; `hash` covers the entry, `covers` and
 * `prevHash`; `at` is in milliseconds since 1970. `covers`: digests of the rows that its commit changed
 * (docs/decisions/166-the-chain-covers-rows.md).
 */
export interface JournalRow {
  readonly ticket: string;
  readonly seq: number;
  readonly prevHash: string;
  readonly hash: string;
  readonly at: number;
  readonly epoch: number;
  readonly entry: JournalEntry;
  readonly covers?: Readonly<Record<string, string | null>>;
}

/** A row that isn't as the journal says: the field of a row, in words, or an entry of the journal itself. */
export type AlteredRow = { readonly row: string } | { readonly brokenAt: number };

/**
 * A database change that commits with the journal entries of its transaction. Handlers stage these with
 * `io.save`.
 */
export type Change =
  | {
      readonly type: 'ticket';
      readonly set: TicketPatch &
        Partial<
          Pick<Ticket, 'status' | 'previousStatus' | 'entry' | 'hold' | 'error' | 'attempts' | 'crashes'>
        >;
    }
  | {
      readonly type: 'artifact';
      readonly artifact: ArtifactType;
      readonly content: string;
      readonly status: Status;
      readonly attempt: number;
    }
  /** Artifacts of these statuses stop being current; their content stays readable. */
  | {
      readonly type: 'artifacts.archive';
      readonly statuses: readonly Status[];
      readonly keep?: readonly ArtifactType[];
    }
  /** Replaces the whole plan (beads in order), or changes fields of one bead. */
  | {
      readonly type: 'beads';
      readonly beads: readonly Bead[];
      /** A person saw all of it, and wants it so. */ readonly byPerson?: boolean;
    }
  | { readonly type: 'bead'; readonly id: string; readonly set: Partial<Bead> }
  | { readonly type: 'session'; readonly session: SessionRow }
  | { readonly type: 'session.state'; readonly id: string; readonly state: SessionRow['state'] }
  | { readonly type: 'call'; readonly call: CallRow }
  | { readonly type: 'usage'; readonly run: string; readonly call: string; readonly usage: Usage }
  /** Remembers for the repository that a finding of the ticket was dismissed, or forgets it (null). */
  | { readonly type: 'dismissal'; readonly finding: string; readonly claim: DismissedClaim | null }
  | {
      readonly type: 'inbox';
      readonly id: string;
      readonly state: 'consumed' | 'refused';
      readonly outcome: { readonly code: string; readonly message: string } | null;
    };

/** An OpenCode session and who owns it. `title` carries the nonce by which it is found again. */
export interface SessionRow {
  readonly id: string;
  readonly ticket: string;
  readonly run: string;
  readonly step: string;
  readonly member: string;
  readonly bead: string | null;
  readonly iteration: number | null;
  readonly directory: string;
  readonly title: string;
  readonly state: 'active' | 'completed' | 'abandoned';
}

/** One model call: its plan, and input and output by content (kept as files by sha256 when large). */
export interface CallRow {
  readonly id: string;
  readonly ticket: string;
  readonly run: string;
  readonly step: string;
  readonly session: string;
  readonly plan: PromptPlan;
  readonly input: string;
  readonly output: string;
  readonly outcome: 'accepted' | 'rejected' | 'failed';
  readonly error: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** A run and its times, without what it was given. */
export type PastRun = Pick<RunRow, 'id' | 'status' | 'attempt' | 'parent' | 'state' | 'exit'> & {
  readonly openedSeq: number;
  readonly startedAt: number;
  /** Of an iteration, its stages in their order. */
  readonly stages: readonly PastStage[];
};

/**
 * One entry into a stage of an iteration. `interrupted`: its session was lost, or a person had it start
 * again. `open`: the keys of its steps that are at work. `error` is why it failed, whether the iteration
 * continued without it or not. Times in milliseconds since 1970.
 */
export interface PastStage {
  readonly stage: string;
  readonly state: 'open' | 'done' | 'failed';
  readonly exit: string | null;
  readonly interrupted: boolean;
  readonly open: readonly string[];
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
}

/** A call without its texts. `member` is who was asked, `prompt` the name of the prompt file. */
export type PastCall = Pick<
  CallRow,
  'id' | 'run' | 'step' | 'outcome' | 'error' | 'startedAt' | 'endedAt'
> & {
  readonly member: string;
  readonly prompt: string;
  readonly estimatedTokens: number;
};

/** A call with its prompt plan, and where its session worked. */
export type PlannedCall = PastCall & {
  readonly plan: PromptPlan;
  readonly session: string;
  readonly directory: string;
};

/** A prompt that was sent before: by which run, and about which bead, null for none. */
export interface EarlierPlan extends Pick<CallRow, 'run' | 'plan'> {
  readonly bead: string | null;
}

/** A ticket's entry in a list, with all that its actions depend on. `hold` is the kind of its hold. */
export type TicketSummary = Pick<Ticket, 'id' | 'title' | 'priority' | 'updatedAt'> &
  ActionFacts & {
    readonly beadsTotal: number;
    /** Beads that were left out; without those that others replace. */
    readonly beadsSkipped?: number;
    /**
     * The bead that is being coded: its place in the plan, counted from 1, its iteration, and the stage of
     * that; null between two stages.
     */
    readonly coding: {
      readonly bead: string;
      readonly title: string;
      readonly number: number;
      readonly iteration: number;
      readonly stage: string | null;
    } | null;
    /**
     * Time at which the ticket continues by itself, in milliseconds since 1970: because an agent no longer
     * waits for people, or a provider can be asked again.
     */
    readonly holdUntil: number | null;
    /** The tickets that must finish coding before this one can. */
    readonly waitsFor: string | null;
    /** True if its gate is still being prepared, for example because a model writes the next questions. */
    readonly preparing: boolean;
    /** True if it is a loop, which has no plan. */
    readonly isLoop?: boolean;
    /** The problem of its rows, if they can't be read: nothing else is known of it then. */
    readonly damaged?: string;
  };

/**
 * `cause` is set for a commit of this process, which adds nothing to the inbox; `changes` names what it
 * changed beside the journal. `ticket` undefined: any ticket may have changed.
 */
export type StoreListener = (
  ticket: string | undefined,
  cause?: 'commit',
  changes?: readonly Change['type'][],
) => void;

/** One atomic write. `expect` makes it a compare-and-set: STATUS_CONFLICT if it doesn't hold. */
export interface Transaction {
  readonly ticket: string;
  readonly expect?: { readonly status: Status; readonly revision: number };
  readonly journal: readonly JournalEntry[];
  readonly changes?: readonly Change[];
}

/** The calls that change the database. */
export interface StoreWrites {
  /**
   * Without entries and changes it writes nothing, tells nobody, and only checks that this process still
   * drives.
   */
  commit(transaction: Transaction): Promise<{ readonly seq: number; readonly revision: number }>;
  /**
   * Creates a ticket with the next free number not below `atLeast`; the same key gives the same ticket. Any
   * process may.
   */
  createTicket(input: {
    readonly prefix: string;
    readonly atLeast: number;
    readonly title: string;
    readonly description: string;
    readonly priority: number;
    readonly key?: string;
  }): Promise<Ticket>;
  /** Files an entry; the same id is filed once. Any process may: this is how followers act. */
  post<K extends InboxKind>(entry: {
    readonly id: string;
    readonly ticket: string;
    readonly kind: K;
    readonly body: InboxBody<K>;
    readonly seal?: string;
  }): Promise<InboxEntry>;
  /** Adds active milliseconds to an open step, outside of the journal. */
  addActive(run: string, key: string, ms: number): Promise<void>;
  /**
   * Any process may. Returns the thread with its new revision; EDIT_CONFLICT if it was written on another
   * revision than the current one.
   */
  saveReviewThread(thread: ReviewThread): Promise<ReviewThread>;
  /** Any process may. */
  removeReviewThread(ticket: string, id: string): Promise<void>;
  /**
   * Changes the reason of a dismissal. Any process may. Returns it with its new revision; DISMISSAL_UNKNOWN,
   * or EDIT_CONFLICT if `revision` isn't the current one.
   */
  changeDismissal(change: Pick<Dismissal, 'number' | 'revision' | 'reason'>): Promise<Dismissal>;
  /** Any process may. DISMISSAL_UNKNOWN. */
  removeDismissal(number: number): Promise<void>;
}

/** The engine's reads to drive tickets: where they are, what was journaled, and what waits in the inbox. */
export interface JournalReads {
  ticket(id: string): Promise<Ticket | undefined>;
  tickets(): Promise<readonly Ticket[]>;
  /** Ids of tickets that may have work: those that aren't over, and drafts with pending entries. */
  active(): Promise<readonly string[]>;
  run(id: string): Promise<RunRow | undefined>;
  runs(ticket: string): Promise<readonly RunRow[]>;
  /** Returns the number of runs a ticket had; children don't count. */
  runCount(ticket: string): Promise<number>;
  openRun(ticket: string, status: Status): Promise<RunRow | undefined>;
  steps(run: string): Promise<readonly StepRow[]>;
  inbox(ticket: string, filter?: { readonly pending?: boolean }): Promise<readonly InboxEntry[]>;
  /** Checks whether the journal has an entry of the inbox as consumed, whatever the inbox says of it. */
  consumed(ticket: string, entry: string): Promise<boolean>;
  journal(ticket: string, afterSeq?: number): Promise<readonly JournalRow[]>;
  /** Checks seq and hash chain; answers the first broken entry, if any. */
  verify(
    ticket: string,
  ): Promise<{ readonly ok: true; readonly length: number } | { readonly ok: false; readonly seq: number }>;
  /** Lists what of a ticket's rows something else than a commit changed; empty if nothing. */
  altered(ticket: string): Promise<readonly AlteredRow[]>;
  /**
   * Checks the whole database, which takes a while if it is large. `problem`: the first thing found wrong, or
   * null.
   */
  check(): Promise<{ readonly schema: number; readonly sqlite: string; readonly problem: string | null }>;
}

/** The reads of handlers and views: the documents and the plan of a ticket. */
export interface DocumentReads {
  snapshotParts(ticket: string): Promise<TicketSnapshot['artifacts']>;
  /** The newest version that isn't archived. */
  artifact(
    ticket: string,
    type: ArtifactType,
  ): Promise<{ readonly info: ArtifactInfo; readonly content: string } | undefined>;
  artifacts(
    ticket: string,
    filter?: { readonly type?: string; readonly archived?: boolean },
  ): Promise<readonly ArtifactInfo[]>;
  artifactContent(id: number): Promise<string | undefined>;
  beads(ticket: string): Promise<readonly Bead[]>;
}

/** The reads of lists and histories, and of what model calls took. */
export interface HistoryReads {
  /** A summary of each ticket, or of those with these ids, in one cheap read. An unknown id has none. */
  summaries(ids?: readonly string[]): Promise<readonly TicketSummary[]>;
  /** Runs and iterations, oldest first, for display. */
  pastRuns(ticket: string): Promise<readonly PastRun[]>;
  /**
   * Only what moved the ticket, closed a run or failed a step: the rest, and entries so long that they are
   * files, isn't read.
   */
  milestones(ticket: string, afterSeq?: number): Promise<readonly JournalRow[]>;
  sessions(ticket: string): Promise<readonly SessionRow[]>;
  calls(ticket: string): Promise<readonly CallRow[]>;
  /** Calls, oldest first, without the texts, which may be long. */
  pastCalls(ticket: string): Promise<readonly PastCall[]>;
  /**
   * Calls, oldest first, with what their prompts were made of. A plan that doesn't parse any more leaves its
   * call out. `newest`: only so many of the newest.
   */
  plannedCalls(ticket: string, newest?: number): Promise<readonly PlannedCall[]>;
  /** A number that is higher after each new call of the ticket; 0 before the first one. */
  lastCall(ticket: string): Promise<number>;
  /**
   * The plans of a prompt among the newest calls of a ticket, oldest first, without those of the run
   * `notRun`. How many are read is bounded, so that it takes no longer for a ticket with many calls.
   */
  earlierPlans(ticket: string, prompt: string, notRun: string): Promise<readonly EarlierPlan[]>;
  /** One call with its texts; the plan as JSON. */
  pastCall(
    ticket: string,
    id: string,
  ): Promise<
    (PastCall & { readonly plan: string; readonly input: string; readonly output: string }) | undefined
  >;
  /**
   * `call` is null where it wasn't kept yet when the answer was booked. `newest`: only so many of the newest.
   */
  usage(
    ticket: string,
    newest?: number,
  ): Promise<readonly (Usage & { readonly run: string; readonly call: string | null })[]>;
  /** Returns the usage of each run and iteration of a ticket, in the order in which they started. */
  spending(ticket: string): Promise<readonly RunSpending[]>;
  /**
   * Returns the usage of all tickets since a time, in milliseconds since 1970: answers that came since then,
   * and steps that started since then.
   */
  spendingSince(at: number): Promise<Spent>;
  /** Estimated and reported prompt tokens of a model's past calls, newest first, for calibration. */
  calibration(model: string): Promise<readonly { readonly estimated: number; readonly reported: number }[]>;
}

/** The reads of the comments beside a diff. */
export interface CommentReads {
  reviewThreads(ticket: string): Promise<readonly ReviewThread[]>;
}

/** The reads of what the repository remembers over all tickets. */
export interface DismissalReads {
  /** Returns the findings that people dismissed, oldest first. */
  dismissals(): Promise<readonly Dismissal[]>;
}

/**
 * Everything that is a call with one answer: the calls that cross to the thread of the database are these.
 */
export type StoreCalls = StoreWrites &
  JournalReads &
  DocumentReads &
  HistoryReads &
  CommentReads &
  DismissalReads;

/**
 * The database of a repository (docs/decisions/005-store-location-and-durability.md). Errors: EPOCH_LOST
 * (another driver took over), STATUS_CONFLICT, DATABASE_READ_ONLY, DATABASE_BUSY, DATABASE_LOST, DATABASE_IO,
 * DISK_FULL, TICKET_UNKNOWN. Writes happen in the order in which they were issued. Reads see every write that
 * was acknowledged. A follower may call everything except `commit`.
 */
export interface Store extends StoreCalls {
  /** Called after a commit of this process and, within a second, of any other. */
  onDidChange(listener: StoreListener): { dispose(): void };
  close(): Promise<void>;
}

/** The type of `ticket.hold`; re-exported for port users. */
export type { Hold };
