import type { FailedCheck } from '../../domain/forge/failedCheck.ts';
import type { ForgeLook } from '../../domain/forge/forgeLook.ts';
import type { ForgePlace, PlaceWish } from '../../domain/forge/forgePlace.ts';
import type { ForgeThread, ForgeThreads } from '../../domain/forge/forgeThread.ts';
import type { ForgeIssue, IssueName } from '../../domain/forge/issue.ts';
import type { IssueState } from '../../domain/forge/issueLink.ts';
import type { MergeKind } from '../../domain/forge/merging.ts';

/** A pull request as it should be. `commit`: what its branch holds. */
export interface Proposal {
  readonly ticket: string;
  readonly title: string;
  readonly body: string;
  readonly branch: string;
  readonly base: string;
  readonly commit: string;
  /** The ticket's signed proofs, as JSON, which travel along. */
  readonly evidence?: string;
}

/** Pull requests as documents, without a network. */
export interface Forge {
  readonly name: string;
  publish(proposal: Proposal): Promise<{ readonly location: string }>;
  find(ticket: string): Promise<{ readonly location: string; readonly commit: string } | undefined>;
}

/** A pull request of a forge. `commit`: the tip of its branch there. `base`: the branch that it goes into. */
export interface ForgePullRequest {
  readonly number: number;
  readonly location: string;
  readonly state: 'draft' | 'open' | 'merged' | 'closed';
  readonly commit: string;
  readonly base: string;
}

/**
 * Rights of a person in a repository of a forge, and its demands. `repositoryId`: another one of the same
 * name has another. `baseTip`: of the branch that counts.
 */
export interface ForgeCapabilities {
  readonly repositoryId?: number | undefined;
  readonly isArchived: boolean;
  readonly baseTip: string | undefined;
  readonly isBaseProtected: boolean;
  readonly requiredChecks: readonly string[];
  readonly merges: readonly MergeKind[];
  /** Into the repository that gets the branch. */
  readonly mayPush: boolean;
}

/** A person's sign-in. `login`: undefined for an app. `source`: the variable or program that it is from. */
export interface ForgeAccount {
  readonly login: string | undefined;
  readonly source: string;
}

/** A label or reviewer that wasn't set, and why. */
export interface Unset {
  readonly name: string;
  readonly reason: string;
}

/** A pull request to find. `number`: of the one that the ticket had. */
export interface SoughtPullRequest extends Pick<Proposal, 'ticket' | 'branch'> {
  readonly number?: number;
}

/**
 * A merge on the forge, of a branch that is at `commit`, into `base`. `kind`: undefined lets the forge
 * choose; a merge queue has its own. `whenReady`: once all is there that is required, which may be now.
 */
export interface WantedMerge {
  readonly whenReady: boolean;
  readonly kind: MergeKind | undefined;
  readonly commit: string;
  readonly base: string;
}

/** Answers of an earlier look, so that the forge only says what changed. Nothing but `look` reads it. */
export type LookMemory = ReadonlyMap<string, { readonly etag: string; readonly answer: unknown }>;

/**
 * A repository of a forge behind a network. Nothing is created twice: a pull request is found again by its
 * number, or its branch and the ticket's marker in its text. FORGE_SIGN_IN, FORGE_REFUSED,
 * FORGE_UNREACHABLE.
 */
export interface RemoteForge {
  readonly name: string;
  readonly place: ForgePlace;
  /** `base`: the branch that counts. `isQuiet`: nobody is asked to sign in. */
  capabilities(of: { readonly base?: string; readonly isQuiet?: boolean }): Promise<ForgeCapabilities>;
  /** Throws FORGE_SIGN_IN, which names a source that isn't valid. */
  account(of?: { readonly isQuiet?: boolean }): Promise<ForgeAccount>;
  /** FORGE_REFUSED if the branch has an open one that isn't the ticket's. */
  find(of: SoughtPullRequest): Promise<ForgePullRequest | undefined>;
  create(proposal: Proposal & { readonly isDraft: boolean }): Promise<ForgePullRequest>;
  /** Title, base and our part of the text; what people wrote around it stays. */
  update(number: number, proposal: Proposal): Promise<ForgePullRequest>;
  /**
   * A pull request's commit, the branch that it goes into, and the proofs in its text, which anyone who may
   * edit it may have written. FORGE_REFUSED without such a pull request.
   */
  evidence(number: number): Promise<{
    readonly commit: string;
    readonly base: string;
    readonly evidence: string | undefined;
  }>;
  /** Adds labels that exist, and asks for reviews; what can't be done is answered. Repeatable. */
  assign(
    number: number,
    of: { readonly labels: readonly string[]; readonly reviewers: readonly string[] },
  ): Promise<readonly Unset[]>;
  /**
   * A pull request with its reviews and checks. Nobody is asked to sign in, and nothing is tried again: who
   * looks again later gives the memory of this look. The diagnostics of an error have
   * `waitMs` if the forge wants to be left alone.
   */
  look(
    number: number,
    options?: { readonly memory?: LookMemory; readonly signal?: AbortSignal },
  ): Promise<{ readonly look: ForgeLook; readonly memory: LookMemory }>;
  /** The failed checks of a commit, each with what it says. `base`: the branch that may have them as well. */
  failedChecks(of: {
    readonly commit: string;
    readonly base: string;
    readonly signal?: AbortSignal;
  }): Promise<readonly FailedCheck[]>;
  /** Runs checks again, by the ids of their runs. What was started again already isn't started twice. */
  rerun(of: {
    readonly commit: string;
    readonly runs: readonly number[];
    readonly signal?: AbortSignal;
  }): Promise<void>;
  /** Comments of people on a pull request. As `look`, with a memory of its own. */
  threads(
    number: number,
    options?: { readonly memory?: LookMemory; readonly signal?: AbortSignal },
  ): Promise<{ readonly threads: ForgeThreads; readonly memory: LookMemory }>;
  /**
   * Posts a reply, which `replyMark` with the key ends. Who was interrupted reads the threads before, and
   * posts nothing that `isAnswered`.
   */
  reply(
    number: number,
    reply: { readonly thread: ForgeThread['id']; readonly text: string; readonly key: string },
  ): Promise<void>;
  /** Resolves a thread by its `node`; one that is resolved stays so. */
  resolve(node: string): Promise<void>;
  /**
   * Merges a pull request, or plans that: in the merge queue, if the base branch has one, or once it is
   * ready. FORGE_REFUSED says what is missing.
   */
  merge(number: number, wanted: WantedMerge): Promise<void>;
  /** As `look`, with a memory of its own. `id`: the issue's own; another one of its number is `moved`. */
  issueState(
    number: number,
    options?: {
      readonly id?: number | undefined;
      readonly memory?: LookMemory;
      readonly signal?: AbortSignal;
    },
  ): Promise<{ readonly state: IssueState; readonly memory: LookMemory }>;
  /**
   * Comments on an issue, once for each `key`; nobody is asked to sign in. `after`: only if a comment with
   * one of these keys is there; false if none is.
   */
  commentIssue(
    number: number,
    comment: {
      readonly id?: number | undefined;
      readonly text: string;
      readonly key: string;
      readonly after?: readonly string[] | undefined;
      readonly signal?: AbortSignal;
    },
  ): Promise<boolean>;
  /** The last time that someone reopened a pull request; null if nobody did, or it isn't known. */
  lastReopening(number: number): Promise<string | null>;
  /** Closes a pull request without merging it; one that is over stays as it is. */
  close(number: number): Promise<void>;
  /** Ends what is planned: leaves the merge queue, and isn't merged once it is ready. */
  unplanMerge(number: number): Promise<void>;
}

/** The forge of this repository, by its remotes. */
export interface Forges {
  /** True if a remote is on a forge. Asks no network, as `places`. */
  isThere(): Promise<boolean>;
  /** Repositories that pull requests could go to; a person chooses among several. FORGE_UNKNOWN for none. */
  places(wish?: PlaceWish): Promise<readonly ForgePlace[]>;
  /** FORGE_UNKNOWN without one, and with a choice to make. */
  at(wish?: PlaceWish): Promise<RemoteForge>;
  /** Reads an issue. INVALID_INPUT where its repository isn't known, and the forge's errors. */
  issue(name: IssueName, signal?: AbortSignal): Promise<ForgeIssue>;
}
