import type { HostFacts } from '../../domain/environment/hostFacts.ts';
import type { WorktreeInput } from '../../domain/environment/inputs.ts';

/** A folder for temporary files, and one for a sandbox. */
interface OwnFolders {
  readonly temporary: string;
  readonly box: string;
}

/**
 * A ticket's own part of the machine: `ports` port numbers from `portBase`, and folders. Its proofs have
 * others, where no agent leaves anything.
 */
export interface Reservation extends OwnFolders {
  readonly portBase: number;
  readonly ports: number;
  readonly proof: OwnFolders;
}

/**
 * A file with context that a person dropped: its text, with an id that stays the same for the same key; or
 * why it can't be used.
 */
export type DroppedContext =
  { readonly id: string; readonly text: string } | { readonly path: string; readonly refused: string };

/**
 * The size of a file or folder. `isMore`: it is larger than what was counted. `link`: why it can't be copied,
 * in words that name the link.
 */
export interface InputSize {
  readonly bytes: number;
  readonly files: number;
  readonly isMore: boolean;
  readonly link?: string;
}

/** This machine and the person's checkout, as far as work in worktrees needs them. */
export interface Workplace {
  /** Patterns of what the person wants copied or linked into every worktree, from the editor's settings. */
  readonly wishes: { readonly copied: readonly string[]; readonly linked: readonly string[] };
  /** Tools, memory and the like. Found out once per process. */
  facts(): Promise<HostFacts>;
  /** Those of these variables that the driver's environment has. */
  present(variables: readonly string[]): readonly string[];
  /** The size of a file or folder of the checkout, by its path in it; undefined if it isn't there. */
  size(path: string): Promise<InputSize | undefined>;
  /**
   * Puts approved inputs into a worktree, again if they are there. Returns what couldn't be done, in words
   * that name the path.
   */
  provide(worktree: string, inputs: readonly WorktreeInput[]): Promise<readonly string[]>;
  /**
   * The ticket's own ports and temporary folder, the same until `release`; undefined if this machine has none
   * left.
   */
  reserve(ticket: string): Promise<Reservation | undefined>;
  /**
   * Empties the folders of the ticket's proofs. `home`: that of their sandbox as well, with what a bootstrap
   * left there.
   */
  emptyProof(ticket: string, options: { readonly home: boolean }): Promise<void>;
  /**
   * Takes `context.txt` out of the ticket's folder, if it is there. The same key gets the same text again,
   * and no other key does.
   */
  takeContext(ticket: string, key: string): Promise<DroppedContext | undefined>;
  /** Gives them back, and removes the folder. None reserved is no error. */
  release(ticket: string): Promise<void>;
}
