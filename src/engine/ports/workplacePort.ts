import type { HostFacts } from '../../domain/environment/hostFacts.ts';
import type { WorktreeInput } from '../../domain/environment/inputs.ts';

interface OwnFolders {
  readonly temporary: string;
  readonly sandbox: string;
}

/** A ticket's ports from `portBase`, and folders; proofs have their own, which no agent uses. */
export interface Reservation extends OwnFolders {
  readonly portBase: number;
  readonly ports: number;
  readonly proof: OwnFolders;
}

/** A person's context file, with the same id for the same key; or a refusal. */
export type DroppedContext =
  { readonly id: string; readonly text: string } | { readonly path: string; readonly refused: string };

/** A file's or folder's size. `isMore`: larger. `link`: why it can't be copied. */
export interface InputSize {
  readonly bytes: number;
  readonly files: number;
  readonly isMore: boolean;
  readonly link?: string;
}

/** This machine and the person's checkout, for work in worktrees. */
export interface Workplace {
  /** Patterns from the editor's settings. */
  readonly wishes: { readonly copied: readonly string[]; readonly linked: readonly string[] };
  facts(): Promise<HostFacts>;
  present(variables: readonly string[]): readonly string[];
  size(path: string): Promise<InputSize | undefined>;
  /** Repeatable. Returns failures, in words with the path. */
  provide(worktree: string, inputs: readonly WorktreeInput[]): Promise<readonly string[]>;
  /** The same until `release`; undefined if none are left. */
  reserve(ticket: string): Promise<Reservation | undefined>;
  /** `home`: the sandbox's home as well. */
  emptyProof(ticket: string, options: { readonly home: boolean }): Promise<void>;
  /** Takes `context.txt` from the ticket's folder; the same key gets the same text again. */
  takeContext(ticket: string, key: string): Promise<DroppedContext | undefined>;
  release(ticket: string): Promise<void>;
}
