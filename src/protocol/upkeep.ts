import type { Cleanable, KeepRule } from '../domain/core/cleaning.ts';

/** The outcome of a removal. `failed`: entries that could not be removed, each with the reason. */
export interface Cleaned {
  readonly removed: readonly Cleanable[];
  readonly failed: readonly (Cleanable & { readonly reason: string })[];
}

/** `tell` is told how many things are done. Aborting ends between two of them. */
export interface RemoveOptions {
  readonly signal?: AbortSignal;
  readonly tell?: (done: number) => void;
}

/** Lists and removes what finished tickets of a repository left (docs/decisions/127-cleaning-up.md). */
export interface CleanUp {
  /** Returns the person's settings for what is kept. */
  rule(): KeepRule;
  /** Everything that can be removed, whatever its age. */
  list(): Promise<readonly Cleanable[]>;
  /** Removes it, as far as it still can be removed. Throws CLEANING_ELSEWHERE. */
  remove(wanted: readonly Cleanable[], options?: RemoveOptions): Promise<Cleaned>;
}

/**
 * A backup, as a person chooses one. Times are milliseconds since 1970. `problem`: why it can't be restored;
 * null if it can.
 */
export interface BackupChoice {
  readonly name: string;
  readonly at: number;
  readonly bytes: number;
  readonly tickets: number;
  readonly problem: string | null;
}

/**
 * The result of restoring a backup. `damaged`: the path where the replaced database is kept. `lost`: commits
 * that the backup doesn't know, and the refs that keep them.
 */
export interface RestoreResult {
  readonly damaged: string | null;
  readonly tickets: number;
  readonly lost: readonly { readonly ticket: string; readonly ref: string }[];
}

/**
 * The backups of repositories by their top folders, whether they are open or couldn't be opened
 * (docs/decisions/126-backups-and-restoring.md).
 */
export interface BackupKeeper {
  /** The newest first, each checked. */
  list(root: string): Promise<readonly BackupChoice[]>;
  /**
   * Closes the repository, puts a backup in the place of its database, and opens it again. DRIVEN_ELSEWHERE,
   * BACKUP_UNUSABLE: nothing has changed.
   */
  restore(root: string, name: string): Promise<RestoreResult>;
}
