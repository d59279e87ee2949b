import type { ImportedSource, ImportFormat } from './imported.ts';
import type { PlannedImport } from './importPlan.ts';

/**
 * A source of tickets in the checkout. `path`: relative to its top. `tickets`: those that are open. `tasks`:
 * their open tasks.
 */
export interface FoundSource {
  readonly path: string;
  readonly format: ImportFormat;
  readonly tickets: number;
  readonly tasks: number;
}

/** The tickets of sources, compared with those that were imported before. `done`: left out. */
export interface ReadImport {
  readonly plan: readonly PlannedImport[];
  readonly done: number;
  readonly notUnderstood: ImportedSource['notUnderstood'];
}

/**
 * `tell`: how many files were read, then how many tickets were compared. An abort ends between two.
 * `comments`: of files and folders only TODO comments are read, of any file with text.
 */
export interface ReadOptions {
  readonly signal?: AbortSignal;
  readonly comments?: boolean;
  readonly tell?: (done: number) => void;
}

/** Reads tickets from files and issues, and stores nothing (docs/decisions/201-tickets-are-taken-in.md). */
export interface TicketSources {
  /** Looks where formats usually have their files. */
  find(options?: Pick<ReadOptions, 'signal'>): Promise<readonly FoundSource[]>;
  /**
   * `words`: paths, absolute or relative to the top of the checkout, and names of issues. INVALID_INPUT, and
   * the forge's errors.
   */
  read(words: readonly string[], options?: ReadOptions): Promise<ReadImport>;
}
