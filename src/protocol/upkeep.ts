import * as z from 'zod';
import type { Cleanable, KeepRule } from '../domain/core/cleaning.ts';

/** The outcome of a removal. `failed`: not removed. */
export interface Cleaned {
  readonly removed: readonly Cleanable[];
  readonly failed: readonly (Cleanable & { readonly reason: string })[];
}

/** `tell`: how many are done. An abort ends between two. */
export interface RemoveOptions {
  readonly signal?: AbortSignal;
  readonly tell?: (done: number) => void;
}

/** Removes what finished tickets left (docs/decisions/127-cleaning-up.md). */
export interface CleanUp {
  rule(): KeepRule;
  list(): Promise<readonly Cleanable[]>;
  /** CLEANING_ELSEWHERE. */
  remove(wanted: readonly Cleanable[], options?: RemoveOptions): Promise<Cleaned>;
}

/** A backup. `at`: milliseconds since 1970. `problem`: why it can't be restored. */
export const BackupChoice = z.object({
  name: z.string(),
  at: z.number(),
  bytes: z.number(),
  tickets: z.number().int(),
  problem: z.string().nullable(),
});
export type BackupChoice = z.infer<typeof BackupChoice>;

/** A restored backup. `damaged`: the replaced database. `lost`: unknown commits, by kept refs. */
export interface RestoreResult {
  readonly damaged: string | null;
  readonly tickets: number;
  readonly lost: readonly { readonly ticket: string; readonly ref: string }[];
}

/** Backups by top folders (docs/decisions/126-backups-and-restoring.md). */
export interface BackupKeeper {
  /** Newest first, each checked. */
  list(root: string): Promise<readonly BackupChoice[]>;
  /** DRIVEN_ELSEWHERE, BACKUP_UNUSABLE: nothing changed. */
  restore(root: string, name: string): Promise<RestoreResult>;
}
