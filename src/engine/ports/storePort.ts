import * as z from 'zod';
import type { Json } from '../../base/json.ts';
import type { ArtifactInfo, ArtifactType } from '../../domain/ticket/artifacts.ts';
import type { Bead } from '../../domain/beads/bead.ts';
import type { CodedBead, PastStage } from '../../domain/beads/iteration.ts';
import { ErrorRecord } from '../../domain/core/errors.ts';
import type { IssueOrigin } from '../../domain/forge/issue.ts';
import type { Dismissal, DismissedClaim } from '../../domain/findings/dismissal.ts';
import type { InboxBody, InboxEntry, InboxKind, InboxOutcome } from '../../domain/ticket/inbox.ts';
import { PromptPlan, type Usage } from '../../domain/usage/promptPlan.ts';
import type { ReviewThread } from '../../domain/findings/reviewThread.ts';
import { Limits } from '../../domain/settings/settings.ts';
import { StatusName, type Ticket, type TicketPatch, TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { ActionFacts } from '../../domain/workflow/availability.ts';
import type { Spent } from '../../domain/usage/budgets.ts';
import type { RunSpending } from '../../domain/usage/spending.ts';
import type { Status } from '../../domain/workflow/workflow.ts';

const RunOpened = z.object({
  id: z.string(),
  ticket: z.string(),
  status: StatusName,
  attempt: z.number(),
  parent: z.string().nullable(),
  handlerVersion: z.number(),
  snapshot: TicketSnapshot,
  limits: Limits,
});

/** One entry into a status (or, with a parent, one bead iteration). */
export interface RunRow extends Readonly<z.infer<typeof RunOpened>> {
  readonly state: 'open' | 'closed' | 'superseded' | 'archived';
  readonly exit: string | null;
  /** The journal seq of the last `run.continued`, or 0. */
  readonly continuedSeq: number;
}

/** A step, from its journal entries. */
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

/** Json is any value of `JSON.parse`. */
const JsonValue = z.custom<Json>((value) => value !== undefined);
const step = { run: z.string(), key: z.string() };

/** A new journal entry; the store adds `seq`, `prevHash`, `hash`, `at` and `epoch`. */
export const JournalEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ticket.created') }),
  z.object({ kind: z.literal('run.opened'), run: RunOpened }),
  z.object({
    kind: z.literal('run.closed'),
    run: z.string(),
    state: z.enum(['closed', 'superseded', 'archived']),
    exit: z.string().nullable(),
  }),
  z.object({ kind: z.literal('run.continued'), run: z.string() }),
  z.object({ kind: z.literal('step.intent'), ...step }),
  z.object({ kind: z.literal('step.note'), ...step, note: JsonValue }),
  z.object({ kind: z.literal('step.done'), ...step, result: JsonValue }),
  z.object({ kind: z.literal('step.failed'), ...step, error: ErrorRecord }),
  z.object({ kind: z.literal('status'), from: StatusName, to: StatusName, by: z.string() }),
  z.object({
    kind: z.literal('inbox'),
    id: z.string(),
    outcome: z.enum(['consumed', 'refused']),
    reason: z.string(),
  }),
  z.object({
    kind: z.literal('attempts'),
    archivedFrom: StatusName,
    statuses: z.array(StatusName).readonly(),
  }),
  /** Added by the store for a commit of rows alone. */
  z.object({ kind: z.literal('rows') }),
]);
export type JournalEntry = Readonly<z.infer<typeof JournalEntry>>;

/**
 * A stored entry. `seq` from 1 per ticket; `hash` covers entry, `covers` and `prevHash`; `at` in milliseconds
 * since 1970. `covers`: digests of changed rows (docs/decisions/166-the-chain-covers-rows.md).
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

/** An altered row in words, or a broken journal entry. */
export type AlteredRow = { readonly row: string } | { readonly brokenAt: number };

/** A change that commits with its journal entries. */
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
  /** Their content stays readable. */
  | {
      readonly type: 'artifacts.archive';
      readonly statuses: readonly Status[];
      readonly keep?: readonly ArtifactType[];
    }
  /** The whole plan in order, or fields of one bead. */
  | {
      readonly type: 'beads';
      readonly beads: readonly Bead[];
      readonly byPerson?: boolean;
    }
  | { readonly type: 'bead'; readonly id: string; readonly set: Partial<Bead> }
  | { readonly type: 'session'; readonly session: SessionRow }
  | { readonly type: 'session.state'; readonly id: string; readonly state: SessionRow['state'] }
  | { readonly type: 'call'; readonly call: CallRow }
  | { readonly type: 'usage'; readonly run: string; readonly call: string; readonly usage: Usage }
  /** Kept for the repository; null: forgotten. */
  | { readonly type: 'dismissal'; readonly finding: string; readonly claim: DismissedClaim | null }
  | {
      readonly type: 'inbox';
      readonly id: string;
      readonly state: 'consumed' | 'refused';
      readonly outcome: InboxOutcome | null;
    };

/** An OpenCode session. `title` holds a nonce. */
export const SessionRow = z.object({
  id: z.string(),
  ticket: z.string(),
  run: z.string(),
  step: z.string(),
  member: z.string(),
  bead: z.string().nullable(),
  iteration: z.number().nullable(),
  directory: z.string(),
  title: z.string(),
  state: z.enum(['active', 'completed', 'abandoned']),
});
export type SessionRow = Readonly<z.infer<typeof SessionRow>>;

/** One model call; large input and output are files by sha256. */
export const CallRow = z.object({
  id: z.string(),
  ticket: z.string(),
  run: z.string(),
  step: z.string(),
  session: z.string(),
  plan: PromptPlan,
  input: z.string(),
  output: z.string(),
  outcome: z.enum(['accepted', 'rejected', 'failed']),
  error: z.string(),
  startedAt: z.number(),
  endedAt: z.number(),
});
export type CallRow = Readonly<z.infer<typeof CallRow>>;

/** A run and its times. */
export type PastRun = Pick<RunRow, 'id' | 'status' | 'attempt' | 'parent' | 'state' | 'exit'> & {
  readonly openedSeq: number;
  readonly startedAt: number;
  readonly stages: readonly PastStage[];
};

/** A call without its texts. `prompt`: its file's name. */
export type PastCall = Pick<
  CallRow,
  'id' | 'run' | 'step' | 'outcome' | 'error' | 'startedAt' | 'endedAt'
> & {
  readonly member: string;
  readonly prompt: string;
  readonly estimatedTokens: number;
};

/** A call with its plan. */
export type PlannedCall = PastCall & {
  readonly plan: PromptPlan;
  readonly session: string;
  readonly directory: string;
};

/** An earlier prompt; `bead` is null for none. */
export interface EarlierPlan extends Pick<CallRow, 'run' | 'plan'> {
  readonly bead: string | null;
}

/** A ticket's list entry. `hold`: the kind. */
export type TicketSummary = Pick<Ticket, 'id' | 'title' | 'priority' | 'updatedAt'> &
  ActionFacts & {
    readonly beadsTotal: number;
    readonly beadsSkipped?: number;
    readonly coding: CodedBead | null;
    /** Milliseconds since 1970. */
    readonly holdUntil: number | null;
    readonly waitsFor: string | null;
    /** Its gate isn't ready yet. */
    readonly preparing: boolean;
    readonly isLoop?: boolean;
    /** Its pull request's news, as stored. */
    readonly forgeNews?: string | null;
    /** The reason why its rows can't be read. */
    readonly damaged?: string;
  };

/**
 * `cause`: this process, which adds nothing to the inbox; `changes`: beside the journal. `ticket` undefined:
 * maybe any.
 */
export type StoreListener = (
  ticket: string | undefined,
  cause?: 'commit',
  changes?: readonly Change['type'][],
) => void;

/**
 * An atomic write. `expect` compares first: STATUS_CONFLICT. `pending`: the inbox entries that may be there,
 * and no others.
 */
export interface Transaction {
  readonly ticket: string;
  readonly expect?: {
    readonly status: Status;
    readonly revision: number;
    readonly pending?: readonly string[];
  };
  readonly journal: readonly JournalEntry[];
  readonly changes?: readonly Change[];
}

/** The calls that change the database. */
export interface StoreWrites {
  /** An empty one only checks that this process still drives. */
  commit(transaction: Transaction): Promise<{ readonly seq: number; readonly revision: number }>;
  /** Takes the next free number from `atLeast`; the same key gives the same ticket. Any process may. */
  createTicket(input: {
    readonly prefix: string;
    readonly atLeast: number;
    readonly title: string;
    readonly description: string;
    readonly priority: number;
    readonly key?: string;
    readonly origin?: IssueOrigin;
  }): Promise<Ticket>;
  /** Files an id once. Any process may. */
  post<K extends InboxKind>(entry: {
    readonly id: string;
    readonly ticket: string;
    readonly kind: K;
    readonly body: InboxBody<K>;
    readonly seal?: string;
  }): Promise<InboxEntry>;
  /** Milliseconds of an open step, outside of the journal. */
  addActive(run: string, key: string, ms: number): Promise<void>;
  /** Any process may. EDIT_CONFLICT if another revision is current. */
  saveReviewThread(thread: ReviewThread): Promise<ReviewThread>;
  removeReviewThread(ticket: string, id: string): Promise<void>;
  /** Any process may. DISMISSAL_UNKNOWN; EDIT_CONFLICT if another revision is current. */
  changeDismissal(change: Pick<Dismissal, 'number' | 'revision' | 'reason'>): Promise<Dismissal>;
  removeDismissal(number: number): Promise<void>;
  /**
   * Adds a ticket of another database; one that is there already with the same journal stays. Only a driver
   * may. TICKET_TAKEN, JOURNAL_BROKEN, ROWS_ALTERED.
   */
  putIn(moved: MovedTicket): Promise<void>;
  /** Removes a ticket that was moved, unless it has changed since: STATUS_CONFLICT. Only a driver may. */
  removeMoved(moved: Pick<MovedTicket, 'ticket' | 'tip'>): Promise<void>;
}

/** Everything of a ticket, to be put into another database. `tip`: the hash of its last entry. */
export interface MovedTicket {
  readonly ticket: string;
  readonly tip: string;
  /** By table; large texts are whole. */
  readonly rows: Readonly<Record<string, readonly Readonly<Record<string, string | number | null>>[]>>;
}

/** A ticket of a team that is a runner's. `from`: the runner that lost it without leaving it. */
export interface Claim {
  readonly epoch: number;
  readonly from: string | null;
}

/** A runner's calls that claim tickets of a team. Commits of other tickets fail with EPOCH_LOST. */
export interface Claims {
  /** Null while a runner has the ticket whose last heartbeat is younger than `silentMs`. */
  claim(ticket: string, silentMs: number): Promise<Claim | null>;
  /** Leaves it to others. */
  release(ticket: string): Promise<void>;
}

/** The place of a ticket's commits in a team: an address, or empty for the remote. */
export interface CommitPlace {
  readonly now: string;
  /** As the team wants it. */
  readonly wanted: string;
}

/** The places of the commits of a team's tickets. */
export interface CommitPlaces {
  of(ticket: string): Promise<CommitPlace>;
  /** Notes where they are from now on. Throws EPOCH_LOST unless the ticket is this runner's. */
  settle(ticket: string, url: string): Promise<void>;
}

/** Lines of a ticket's log, each an event; `number` rises. */
export interface LogPiece {
  readonly number: number;
  readonly lines: string;
}

/** The logs of a team's tickets, for people on other machines. Nothing is decided by them. */
export interface SharedLog {
  append(ticket: string, lines: string): Promise<void>;
  /** Pieces after a number, oldest first: not all of them at once. */
  after(ticket: string, number: number): Promise<readonly LogPiece[]>;
}

/** The engine's reads to drive tickets. */
export interface JournalReads {
  ticket(id: string): Promise<Ticket | undefined>;
  tickets(): Promise<readonly Ticket[]>;
  /** Throws TICKET_BUSY while it has entries that nobody has taken. */
  takeOut(ticket: string): Promise<MovedTicket>;
  /** Tickets that aren't over, and drafts with pending entries. */
  active(): Promise<readonly string[]>;
  run(id: string): Promise<RunRow | undefined>;
  runs(ticket: string): Promise<readonly RunRow[]>;
  runCount(ticket: string): Promise<number>;
  openRun(ticket: string, status: Status): Promise<RunRow | undefined>;
  steps(run: string): Promise<readonly StepRow[]>;
  inbox(ticket: string, filter?: { readonly pending?: boolean }): Promise<readonly InboxEntry[]>;
  /** True if the journal says so, whatever the inbox says. */
  consumed(ticket: string, entry: string): Promise<boolean>;
  journal(ticket: string, afterSeq?: number): Promise<readonly JournalRow[]>;
  verify(
    ticket: string,
  ): Promise<{ readonly ok: true; readonly length: number } | { readonly ok: false; readonly seq: number }>;
  /** Rows changed by something else than a commit. */
  altered(ticket: string): Promise<readonly AlteredRow[]>;
  /** May take a while. `problem`: the first one. */
  check(): Promise<{ readonly schema: number; readonly sqlite: string; readonly problem: string | null }>;
}

/** The reads of a ticket's documents and plan. */
export interface DocumentReads {
  snapshotParts(ticket: string): Promise<TicketSnapshot['artifacts']>;
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

/** The reads of lists, histories and usage. */
export interface HistoryReads {
  /** All tickets, or these; without unknown ids. */
  summaries(ids?: readonly string[]): Promise<readonly TicketSummary[]>;
  /** Ids of completed tickets, those that changed last first. `newest`: at most so many. */
  completed(newest?: number): Promise<readonly string[]>;
  /** Ids of the tickets that were created with these keys, by key. */
  ticketsOfKeys(keys: readonly string[]): Promise<Readonly<Record<string, string>>>;
  /** Oldest first. */
  pastRuns(ticket: string): Promise<readonly PastRun[]>;
  /** Moves, closed runs and failed steps, without entries in files. */
  milestones(ticket: string, afterSeq?: number): Promise<readonly JournalRow[]>;
  sessions(ticket: string): Promise<readonly SessionRow[]>;
  calls(ticket: string): Promise<readonly CallRow[]>;
  pastCalls(ticket: string): Promise<readonly PastCall[]>;
  /** Oldest first; plans that no longer parse are left out. `newest`: at most so many. */
  plannedCalls(ticket: string, newest?: number): Promise<readonly PlannedCall[]>;
  /** Rises with each call; 0 at first. */
  lastCall(ticket: string): Promise<number>;
  /** A prompt's plans among the newest calls (a bounded number), oldest first, without the run `notRun`. */
  earlierPlans(ticket: string, prompt: string, notRun: string): Promise<readonly EarlierPlan[]>;
  pastCall(
    ticket: string,
    id: string,
  ): Promise<
    (PastCall & { readonly plan: string; readonly input: string; readonly output: string }) | undefined
  >;
  /** `call`: null if not kept when booked. `newest`: at most so many. */
  usage(
    ticket: string,
    newest?: number,
  ): Promise<readonly (Usage & { readonly run: string; readonly call: string | null })[]>;
  /** By run and iteration, in their order. */
  spending(ticket: string): Promise<readonly RunSpending[]>;
  /** Answers and steps of all tickets since a time in milliseconds since 1970. */
  spendingSince(at: number): Promise<Spent>;
  /** Newest first. */
  calibration(model: string): Promise<readonly { readonly estimated: number; readonly reported: number }[]>;
}

/** The reads of the comments beside a diff. */
export interface CommentReads {
  reviewThreads(ticket: string): Promise<readonly ReviewThread[]>;
}

/** The reads of what the repository remembers over all tickets. */
export interface DismissalReads {
  dismissals(): Promise<readonly Dismissal[]>;
}

/** Calls with one answer, which cross to the database's thread. */
export type StoreCalls = StoreWrites &
  JournalReads &
  DocumentReads &
  HistoryReads &
  CommentReads &
  DismissalReads;

/**
 * The database of a repository (docs/decisions/005-store-location-and-durability.md). EPOCH_LOST (another
 * driver), STATUS_CONFLICT, DATABASE_READ_ONLY, DATABASE_BUSY, DATABASE_LOST, DATABASE_IO, DISK_FULL,
 * TICKET_UNKNOWN. Writes keep their order; reads see acknowledged writes. Followers may call all but
 * `commit`.
 */
export interface Store extends StoreCalls {
  /** Called after commits of this process and, within a second, of others. */
  onDidChange(listener: StoreListener): { dispose(): void };
  close(): Promise<void>;
}
