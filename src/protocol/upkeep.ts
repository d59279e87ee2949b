import * as z from 'zod';
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

/** A backup to choose. `at`: milliseconds since 1970. `problem`: why it can't be restored. */
export const BackupChoice = z.object({
  name: z.string(),
  at: z.number(),
  bytes: z.number(),
  tickets: z.number().int(),
  problem: z.string().nullable(),
});
export type BackupChoice = z.infer<typeof BackupChoice>;

/** The result of restoring. `damaged`: the replaced database. `lost`: unknown commits, by kept refs. */
export interface RestoreResult {
  readonly damaged: string | null;
  readonly tickets: number;
  readonly lost: readonly { readonly ticket: string; readonly ref: string }[];
}

/** Backups by top folders of repositories (docs/decisions/126-backups-and-restoring.md). */
export interface BackupKeeper {
  /** The newest first, each checked. */
  list(root: string): Promise<readonly BackupChoice[]>;
  /** Puts a backup in the place of the database. DRIVEN_ELSEWHERE, BACKUP_UNUSABLE: nothing changed. */
  restore(root: string, name: string): Promise<RestoreResult>;
}
