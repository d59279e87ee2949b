import type { PendingRequest } from '../domain/ticket/agentRequest.ts';
import type { ArtifactInfo } from '../domain/ticket/artifacts.ts';
import type { Bead } from '../domain/beads/bead.ts';
import type { CodedBead } from '../domain/beads/iteration.ts';
import type { ContextEntry } from '../domain/prompts/contextEntries.ts';
import type { BeadsmithError, ErrorRecord } from '../domain/core/errors.ts';
import type { TicketEvent } from '../domain/core/events.ts';
import type { ForgePlace } from '../domain/forge/forgePlace.ts';
import type { IssueOrigin } from '../domain/forge/issue.ts';
import type { InboxBody, InboxKind } from '../domain/ticket/inbox.ts';
import type { Usage } from '../domain/usage/promptPlan.ts';
import type { SandboxGap } from '../domain/environment/sandbox.ts';
import type { Ticket, TicketInput } from '../domain/ticket/ticket.ts';
import type { Status } from '../domain/workflow/workflow.ts';
import type { ActionName } from '../domain/workflow/actions.ts';
import type { FindingKeeper } from './findings.ts';
import type { HistoryReader } from './history.ts';
import type { CommentKeeper, DiffReader } from './review.ts';

/** The API of views and the CLI. Methods may throw a BeadsmithError. */
export interface Client {
  readonly repository: RepositoryView;
  readonly history: HistoryReader;
  readonly diffs: DiffReader;
  readonly comments: CommentKeeper;
  readonly findings: FindingKeeper;
  /** `key`: the same one gives the same ticket. `origin`: what it was imported from. */
  create(input: TicketInput & { readonly key?: string; readonly origin?: IssueOrigin }): Promise<Ticket>;
  /** All, or those with these ids, in the order of their numbers. */
  tickets(ids?: readonly string[]): Promise<readonly TicketView[]>;
  ticket(id: string): Promise<TicketDetail>;
  /** Ids of the tickets that were created with these keys, by key. */
  ticketsOfKeys(keys: readonly string[]): Promise<Readonly<Record<string, string>>>;
  /**
   * Files an action in the inbox, each `id` once. Throws ACTION_NOT_ALLOWED, INVALID_INPUT, TICKET_UNKNOWN,
   * and LOOP_UNPROVED for a loop without checks.
   */
  act<K extends InboxKind>(
    ticket: string,
    kind: K,
    body: InboxBody<K>,
    id?: string,
  ): Promise<{ readonly id: string }>;
  outcome(ticket: string, id: string): Promise<ActionOutcome | undefined>;
  /**
   * The repositories that a ticket's pull request could go to: several if a person has to choose. Throws
   * FORGE_UNKNOWN.
   */
  pullRequestPlaces(ticket: string): Promise<readonly ForgePlace[]>;
  /** Undefined where this process doesn't watch the ticket's pull request. */
  watchedPullRequest(ticket: string): WatchedPullRequest | undefined;
  /** Checks all watched pull requests now. */
  checkPullRequests(): void;
  /** From the last approved setup plan. */
  projectChecks(): Promise<readonly string[]>;
  context(ticket: string): Promise<readonly ContextEntry[]>;
  artifacts(ticket: string): Promise<readonly ArtifactInfo[]>;
  /** The current version, or this one. */
  artifact(
    ticket: string,
    type: string,
    version?: number,
  ): Promise<{ readonly info: ArtifactInfo; readonly content: string } | undefined>;
  beads(ticket: string): Promise<{ readonly beads: readonly Bead[]; readonly sha256: string }>;
  /** `call` is null for old answers. */
  usage(ticket: string): Promise<readonly (Usage & { readonly run: string; readonly call: string | null })[]>;
  /** An action was filed through this client, and not by another process. */
  onDidAct(listener: (act: { readonly ticket: string; readonly kind: InboxKind }) => void): {
    dispose(): void;
  };
  onDidChange(listener: (ticket: string | undefined) => void): { dispose(): void };
  onEvent(listener: (event: TicketEvent) => void): { dispose(): void };
}

/** `nextAt`: the next check of a pull request, in milliseconds since 1970; `failure`: of the last one. */
export interface WatchedPullRequest {
  readonly nextAt: number;
  readonly failure: BeadsmithError | undefined;
}

/** A repository for clients. `root`: the checkout's top folder. */
export interface RepositoryView {
  readonly root: string;
  readonly name: string;
  readonly mode: DrivingMode;
  /** The reason why tickets aren't driven here. */
  readonly reason: string;
  /** Another process locks the database. */
  readonly isBusy?: boolean;
  /** Without a sandbox: the reason (docs/decisions/105-the-sandbox.md). */
  readonly unsandboxed?: SandboxGap;
}

/**
 * `driver`: this process runs the tickets. `follower`: another does. `team`: a team's runners do. `readOnly`:
 * no writes.
 */
export type DrivingMode = 'driver' | 'follower' | 'team' | 'readOnly';

/** A ticket in lists. */
export interface TicketView {
  readonly id: string;
  readonly title: string;
  readonly status: Status;
  readonly label: string;
  readonly column: string;
  readonly band: string;
  readonly priority: number;
  readonly hold: string | null;
  readonly actions: readonly ActionName[];
  /** Blocked, at a ready gate, or held by something that doesn't pass. */
  readonly needsPerson: boolean;
  readonly preparing: boolean;
  readonly beadsDone: number;
  /** Without beads that others replace. */
  readonly beadsSkipped?: number;
  readonly beadsTotal: number;
  readonly coding: CodedBead | null;
  /** The time at which it continues by itself, in milliseconds since 1970. */
  readonly holdUntil: number | null;
  readonly waitsFor: string | null;
  readonly updatedAt: number;
  /** A draft isn't a loop yet. */
  readonly isLoop?: boolean;
  /** Differs once there is other news of its pull request that a person has to know. */
  readonly forgeNews?: string | null;
  /** The problem of its data. Restoring a backup helps. */
  readonly damaged?: string;
}

/** All of a ticket. */
export interface TicketDetail {
  readonly ticket: Ticket;
  readonly view: TicketView;
  /** An approval carries its hash. */
  readonly gate: ApprovalTarget | null;
  /** Settled by `question_reply` and `permission_reply`. */
  readonly requests: readonly PendingRequest[];
  /** Over, blocked, held, or at a ready gate. */
  readonly idle: boolean;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly nextStep: string;
    readonly continuable: boolean;
  } | null;
}

interface HashedDocument {
  readonly artifact: string;
  readonly sha256: string;
}

/** The artifact to approve. `documents`: several, with a common `sha256`. */
interface ApprovalTarget extends HashedDocument {
  readonly documents?: readonly HashedDocument[];
}

/** The documents of a gate. */
export function documentsAt(gate: ApprovalTarget | null): readonly HashedDocument[] {
  return gate ? (gate.documents ?? [gate]) : [];
}

/**
 * The outcome of an action. `refused`: nothing changed; `message`: the reason and what to do, which `error`
 * says for translators.
 */
export type ActionOutcome =
  | { readonly state: 'consumed' }
  | {
      readonly state: 'refused';
      readonly code: string;
      readonly message: string;
      readonly error?: ErrorRecord | undefined;
    };
