import type { PendingRequest } from '../domain/ticket/agentRequest.ts';
import type { ArtifactInfo } from '../domain/ticket/artifacts.ts';
import type { Bead } from '../domain/beads/bead.ts';
import type { ContextEntry } from '../domain/prompts/contextEntries.ts';
import type { TicketEvent } from '../domain/core/events.ts';
import type { InboxBody, InboxKind } from '../domain/ticket/inbox.ts';
import type { Usage } from '../domain/usage/promptPlan.ts';
import type { SandboxGap } from '../domain/environment/sandbox.ts';
import type { Ticket, TicketInput } from '../domain/ticket/ticket.ts';
import type { Status } from '../domain/workflow/workflow.ts';
import type { ActionName } from '../domain/workflow/actions.ts';
import type { FindingKeeper } from './findings.ts';
import type { HistoryReader } from './history.ts';
import type { CommentKeeper, DiffReader } from './review.ts';

/** The API of views and the CLI. Every method may throw a BeadsmithError; expected codes are named. */
export interface Client {
  readonly repository: RepositoryView;
  readonly history: HistoryReader;
  readonly diffs: DiffReader;
  readonly comments: CommentKeeper;
  readonly findings: FindingKeeper;
  create(input: TicketInput & { readonly key?: string }): Promise<Ticket>;
  /** All tickets, or the existing ones with these ids, in the order of their numbers. */
  tickets(ids?: readonly string[]): Promise<readonly TicketView[]>;
  /** TICKET_UNKNOWN */
  ticket(id: string): Promise<TicketDetail>;
  /**
   * Files an action in the ticket's inbox; returning is the acknowledgement. The same `id` is filed once.
   * Throws ACTION_NOT_ALLOWED, INVALID_INPUT, TICKET_UNKNOWN, and LOOP_UNPROVED for the start of a loop that
   * nothing could prove.
   */
  act<K extends InboxKind>(
    ticket: string,
    kind: K,
    body: InboxBody<K>,
    id?: string,
  ): Promise<{ readonly id: string }>;
  /** The outcome of an action; undefined while it is pending. */
  outcome(ticket: string, id: string): Promise<ActionOutcome | undefined>;
  /** The project's own checks, as a person approved them last with a setup plan. */
  projectChecks(): Promise<readonly string[]>;
  /** Returns the context that people added, oldest first, each entry with its state. */
  context(ticket: string): Promise<readonly ContextEntry[]>;
  artifacts(ticket: string): Promise<readonly ArtifactInfo[]>;
  /** The current version, or the one with this number. */
  artifact(
    ticket: string,
    type: string,
    version?: number,
  ): Promise<{ readonly info: ArtifactInfo; readonly content: string } | undefined>;
  beads(ticket: string): Promise<{ readonly beads: readonly Bead[]; readonly sha256: string }>;
  /** Tokens of each answer, with its run (of a status or an iteration) and call; null for old ones. */
  usage(ticket: string): Promise<readonly (Usage & { readonly run: string; readonly call: string | null })[]>;
  /** `undefined`: anything may have changed. */
  onDidChange(listener: (ticket: string | undefined) => void): { dispose(): void };
  /** Live hints; a follower sees only those of its own process. */
  onEvent(listener: (event: TicketEvent) => void): { dispose(): void };
}

/** A repository as clients see it. `root` is the top folder of the checkout. */
export interface RepositoryView {
  readonly root: string;
  readonly name: string;
  readonly mode: DrivingMode;
  /** The reason why tickets can't be driven here, for people; empty for a driver. */
  readonly reason: string;
  /** True if this process waits for the database because another process has locked it. */
  readonly isBusy?: boolean;
  /** The reason why nothing runs in a sandbox (docs/decisions/105-the-box.md); absent if it does. */
  readonly unboxed?: SandboxGap;
}

/** `driver`: this process runs the tickets. `follower`: another does. `readOnly`: nobody may write. */
export type DrivingMode = 'driver' | 'follower' | 'readOnly';

/** A ticket as lists show it. */
export interface TicketView {
  readonly id: string;
  readonly title: string;
  readonly status: Status;
  readonly label: string;
  readonly column: string;
  readonly band: string;
  readonly priority: number;
  readonly hold: string | null;
  /** The actions that are possible on it now. */
  readonly actions: readonly ActionName[];
  /** It is blocked, at a gate that is ready, or held by something that doesn't pass by itself. */
  readonly needsPerson: boolean;
  /** True while its gate is still being prepared, for example because a model writes the next questions. */
  readonly preparing: boolean;
  readonly beadsDone: number;
  /** Beads that were left out; without those that others replace. */
  readonly beadsSkipped?: number;
  readonly beadsTotal: number;
  /** The bead that is coded: its number in the plan, from 1; `stage` is null between two. */
  readonly coding: {
    readonly bead: string;
    readonly title: string;
    readonly number: number;
    readonly iteration: number;
    readonly stage: string | null;
  } | null;
  /** The time at which it continues by itself, in milliseconds since 1970. */
  readonly holdUntil: number | null;
  /** The tickets that must finish coding before this one can, by their ids; null if it waits for none. */
  readonly waitsFor: string | null;
  readonly updatedAt: number;
  /** True for a loop, which has no plan; a draft isn't a loop yet. */
  readonly isLoop?: boolean;
  /** The problem, if it can't be read. Restoring a backup helps. */
  readonly damaged?: string;
}

/** A ticket with everything that is known of it now. */
export interface TicketDetail {
  readonly ticket: Ticket;
  readonly view: TicketView;
  /** The artifact that a gate asks to be approved, with the hash that an approval must carry. */
  readonly gate: ApprovalTarget | null;
  /** Questions and permissions of agents, settled by `question_reply` and `permission_reply`. */
  readonly requests: readonly PendingRequest[];
  /** True if nothing runs for the ticket: it is over, blocked or held, or its gate is ready for an answer. */
  readonly idle: boolean;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly nextStep: string;
    readonly continuable: boolean;
  } | null;
}

/** A document with the hash of its current version. */
interface HashedDocument {
  readonly artifact: string;
  readonly sha256: string;
}

/**
 * The artifact that a gate asks to be approved. `documents`: set if one decision approves several, each with
 * its own hash; `sha256` is then the hash of all of them.
 */
export interface ApprovalTarget extends HashedDocument {
  readonly documents?: readonly HashedDocument[];
}

/** The documents that a gate asks about, each with its own hash. */
export function documentsAt(gate: ApprovalTarget | null): readonly HashedDocument[] {
  return gate ? (gate.documents ?? [gate]) : [];
}

/** The outcome of an action. `refused`: nothing was changed; `message` says why and what to do. */
export type ActionOutcome =
  | { readonly state: 'consumed' }
  | { readonly state: 'refused'; readonly code: string; readonly message: string };
