import type { Disposable } from '../../base/disposable.ts';
import type { BeadsmithError } from '../../domain/core/errors.ts';
import type { Limits, Settings } from '../../domain/settings/settings.ts';
import type { Client } from '../../protocol/api.ts';
import type { Check } from '../../protocol/checks.ts';
import type { CleanUp } from '../../protocol/upkeep.ts';
import type { Verifier } from '../../protocol/verification/verification.ts';

/** The person's choices in the editor's settings for tickets of a folder. What isn't set is absent. */
export interface StartSettings {
  readonly mainImplementer?: string;
  readonly councilMembers?: readonly string[];
  readonly settings: Partial<Settings>;
  readonly limits: Partial<Limits>;
}

/** The state of what tickets need before one can start. */
export interface Readiness {
  readonly hasCommits: boolean;
  readonly opencode: 'found' | 'missing' | 'otherVersion';
}

/** A repository whose tickets can be read, and driven if the workspace is trusted. */
export interface OpenRepository {
  /** The top folder of the checkout; names the repository in commands. */
  readonly root: string;
  /** True if a scripted model plays the models of its tickets. */
  readonly isDemo: boolean;
  readonly client: Client;
  /** The models OpenCode knows; starts it. OPENCODE_MISSING, OPENCODE_VERSION, OPENCODE_START_FAILED. */
  models(): Promise<readonly string[]>;
  /** `usual`: the default base branch; undefined if the checkout is on no branch. */
  branches(): Promise<{ readonly all: readonly string[]; readonly usual: string | undefined }>;
  /**
   * Returns the number of commits by which a branch is ahead of origin's and behind it, as of the last fetch.
   */
  apart(branch: string): Promise<{ readonly ahead: number; readonly behind: number }>;
  /** Looks whether tickets could be worked on; starts nothing. */
  readiness(): Promise<Readiness>;
  /** Calls whenever a branch may have moved, by whatever hand, until it is disposed. */
  watchBranches(listener: () => void): Disposable;
  /** Checks everything a ticket needs here, one thing after the other; starts OpenCode. */
  check(): AsyncIterable<Check>;
  /** The evidence of a ticket, to run it again. NO_EVIDENCE; UNTRUSTED_WORKSPACE where nothing may run. */
  verifier(ticket: string): Promise<Verifier>;
  /** The cleanup of what finished tickets left. UNTRUSTED_WORKSPACE where nothing may be removed. */
  readonly cleaner: CleanUp;
  startSettings(): StartSettings;
  /**
   * Returns true if this window is the one that shows a notification: the first of all windows to ask for
   * this key.
   */
  claim(key: string): Promise<boolean>;
  /** Keeps the models a person chose for the next ticket, in the settings of this machine's user. */
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

/**
 * The repositories of the workspace, one for each folder that is in one. They are opened when they are first
 * needed.
 */
export interface Repositories {
  /** `idle` until `open` was called. `noFolder`, `noRepository`: there is nothing to open. */
  readonly state: 'idle' | 'opening' | 'noFolder' | 'noRepository' | 'ready';
  readonly trusted: boolean;
  readonly entries: readonly RepositoryEntry[];
  readonly onDidChange: (listener: () => void) => Disposable;
  /**
   * Opens what isn't open; what failed before is tried again when `again` is set. `takeOver`: the root of a
   * repository whose owner is gone, as a person says.
   */
  open(options?: { readonly again?: boolean; readonly takeOver?: string }): Promise<void>;
}
