import * as z from 'zod';
import type { ReviewThread } from '../domain/findings/reviewThread.ts';

/** The subject of a diff: the whole ticket, a bead, or one of its iterations, also a rejected one. */
export type DiffScope =
  | { readonly kind: 'ticket' }
  | { readonly kind: 'bead'; readonly bead: string }
  | { readonly kind: 'iteration'; readonly bead: string; readonly iteration: number };

/** A diff between two commits. */
export interface DiffView {
  readonly scope: DiffScope;
  readonly from: string;
  readonly to: string;
  /** The hash of the diff's text; an accept carries it. */
  readonly sha256: string;
  readonly files: readonly DiffFile[];
}

/** A file of a diff. Paths are relative to the repository. `oldPath`: the previous one, if it was moved. */
export const DiffFile = z.object({
  path: z.string(),
  oldPath: z.string().nullable(),
  change: z.enum(['added', 'modified', 'deleted', 'renamed']),
  binary: z.boolean(),
});
export type DiffFile = z.infer<typeof DiffFile>;

/** Threads on lines of diffs. Any process may write them, also while another one drives. */
export interface CommentKeeper {
  /** Oldest first. */
  threads(ticket: string): Promise<readonly ReviewThread[]>;
  /** Stores a thread and returns it with its new revision. Throws EDIT_CONFLICT, INVALID_INPUT. */
  save(thread: ReviewThread): Promise<ReviewThread>;
  remove(ticket: string, id: string): Promise<void>;
}

/** Reads changes. Works while nobody drives. */
export interface DiffReader {
  /** Undefined if there is none yet. */
  diff(ticket: string, scope: DiffScope): Promise<DiffView | undefined>;
  /** A file's content in a commit of the ticket; undefined if it isn't there. */
  file(ticket: string, commit: string, path: string): Promise<Uint8Array | undefined>;
}
