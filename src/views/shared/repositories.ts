import type { Disposable } from '../../base/disposable.ts';
import type { BeadsmithError } from '../../domain/core/errors.ts';
import type { Limits, Settings } from '../../domain/settings/settings.ts';
import type { CheckedOut } from '../../domain/team/checkedOut.ts';
import type { OfferedModel } from '../../domain/usage/offeredModel.ts';
import type { Client } from '../../protocol/api.ts';
import type { Check } from '../../protocol/checks.ts';
import type { TicketSources } from '../../domain/import/ticketSources.ts';
import type { TicketCommands } from '../../protocol/ticketCommands.ts';
import type { CleanUp } from '../../protocol/upkeep.ts';
import type { Verifier } from '../../protocol/verification/verification.ts';
import type { StarredModels } from './starredModels.ts';

export interface StartSettings {
  readonly mainImplementer?: string;
  readonly councilMembers?: readonly string[];
  readonly settings: Partial<Settings>;
  readonly limits: Partial<Limits>;
}

/** A program with its arguments, and the folder to run it in. */
export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
}

export interface Readiness {
  readonly hasCommits: boolean;
  readonly opencode: 'found' | 'missing' | 'otherVersion';
}

export interface OpenRepository {
  /** The top folder of the checkout. */
  readonly root: string;
  /** True if a scripted model plays the models of its tickets. */
  readonly isDemo: boolean;
  readonly client: Client;
  /** The models OpenCode knows; starts it. OPENCODE_MISSING, OPENCODE_VERSION, OPENCODE_START_FAILED. */
  models(): Promise<readonly OfferedModel[]>;
  /** The same for all repositories. */
  readonly starred: Pick<StarredModels, 'all' | 'toggle'>;
  /** The program that logs OpenCode in to a provider, for a terminal. OPENCODE_MISSING, OPENCODE_INSIDE. */
  logIn(): Promise<Launch>;
  /**
   * `usual`: the default base branch; undefined if the checkout is on no branch. `current`: the one of the
   * checkout.
   */
  branches(): Promise<{
    readonly all: readonly string[];
    readonly usual: string | undefined;
    readonly current?: string | undefined;
  }>;
  /** Commits by which a branch is ahead of origin's and behind it, as of the last fetch. */
  apart(branch: string): Promise<{ readonly ahead: number; readonly behind: number }>;
  /** Starts nothing. */
  readiness(): Promise<Readiness>;
  watchBranches(listener: () => void): Disposable;
  /** Starts OpenCode. */
  check(): AsyncIterable<Check>;
  /** NO_EVIDENCE; UNTRUSTED_WORKSPACE where nothing may run. */
  verifier(ticket: string): Promise<Verifier>;
  /** UNTRUSTED_WORKSPACE where nothing may be removed. */
  readonly cleaner: CleanUp;
  /** UNTRUSTED_WORKSPACE where nothing may run. */
  readonly commands: TicketCommands;
  /** UNTRUSTED_WORKSPACE where no file may be read. */
  readonly sources: TicketSources;
  /**
   * Checks a team's ticket out on this machine; missing where tickets have their worktrees here.
   * BRANCH_NOT_PUSHED.
   */
  readonly checkOut?: (ticket: string) => Promise<CheckedOut>;
  startSettings(): StartSettings;
  /** True for the first of all windows to ask for this key. */
  claim(key: string): Promise<boolean>;
  rememberModels(chosen: {
    readonly mainImplementer: string;
    readonly councilMembers?: readonly string[];
  }): Promise<void>;
}

export type RepositoryEntry =
  | {
      readonly kind: 'open';
      readonly root: string;
      readonly name: string;
      readonly repository: OpenRepository;
    }
  | { readonly kind: 'failed'; readonly root: string; readonly name: string; readonly error: BeadsmithError };

export interface Repositories {
  /** `idle` until `open` was called. `noFolder`, `noRepository`: there is nothing to open. */
  readonly state: 'idle' | 'opening' | 'noFolder' | 'noRepository' | 'ready';
  readonly trusted: boolean;
  readonly entries: readonly RepositoryEntry[];
  readonly onDidChange: (listener: () => void) => Disposable;
  /**
   * `again`: also what failed before. `takeOver`: the root of a repository whose owner is gone, as a person
   * says.
   */
  open(options?: { readonly again?: boolean; readonly takeOver?: string }): Promise<void>;
}

export function openOf({ entries }: Pick<Repositories, 'entries'>): readonly OpenRepository[] {
  return entries.flatMap((entry) => (entry.kind === 'open' ? [entry.repository] : []));
}
