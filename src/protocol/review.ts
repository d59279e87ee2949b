import * as z from 'zod';
import type { ReviewThread } from '../domain/findings/reviewThread.ts';

/** Commits that a diff is about; rejected iterations too, and the one at work: what it changed so far. */
export type CommittedScope =
  | { readonly kind: 'ticket' }
  | { readonly kind: 'bead'; readonly bead: string }
  | { readonly kind: 'iteration'; readonly bead: string; readonly iteration: number };

/**
 * The subject of a diff. `worktree`: with uncommitted work, since the ticket's base or what is staged;
 * `staged`: what is staged, since its last bead.
 */
export type DiffScope =
  | CommittedScope
  | { readonly kind: 'worktree'; readonly since: 'base' | 'staged' }
  | { readonly kind: 'staged' };

/** A diff between two commits. */
export interface DiffView {
  readonly scope: DiffScope;
  readonly from: string;
  /** Of a worktree, a tree. */
  readonly to: string;
  /** Of the diff's text; an accept carries it. Empty for a worktree, which nobody accepts. */
  readonly sha256: string;
  readonly files: readonly DiffFile[];
  /** Paths of files in conflict, of a worktree since what is staged. */
  readonly conflicts?: readonly string[];
}

/** A file of a diff. Relative paths. `oldPath`: if moved. */
export const DiffFile = z.object({
  path: z.string(),
  oldPath: z.string().nullable(),
  change: z.enum(['added', 'modified', 'deleted', 'renamed']),
  binary: z.boolean(),
  /** Lines; absent for a binary file. */
  added: z.number().int().optional(),
  deleted: z.number().int().optional(),
  /** Git's name of its new content. */
  blob: z.string().optional(),
});
export type DiffFile = z.infer<typeof DiffFile>;

/** Threads on lines of diffs. Any process may write them. */
export interface CommentKeeper {
  threads(ticket: string): Promise<readonly ReviewThread[]>;
  /** Returns the new revision. EDIT_CONFLICT, INVALID_INPUT. */
  save(thread: ReviewThread): Promise<ReviewThread>;
  remove(ticket: string, id: string): Promise<void>;
}

/** Reads changes, even without a driver. */
export interface DiffReader {
  /** Undefined without changes; of a worktree, without uncommitted ones. */
  diff(ticket: string, scope: DiffScope): Promise<DiffView | undefined>;
  file(ticket: string, commit: string, path: string): Promise<Uint8Array | undefined>;
}
