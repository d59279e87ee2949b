import type { ReviewThread } from '../domain/reviewThread.ts';

/** What a diff is about: the whole ticket, what a bead came to, or one iteration of it, also one that was thrown away. */
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

/** A file of a diff. Paths are relative to the repository. */
export interface DiffFile {
  readonly path: string;
  /** Where it was before, if it was moved. */
  readonly oldPath: string | null;
  readonly change: 'added' | 'modified' | 'deleted' | 'renamed';
  readonly binary: boolean;
}

/** Threads on lines of diffs, as people write them. Anybody may, also while another process drives. */
export interface CommentKeeper {
  /** Oldest first. */
  threads(ticket: string): Promise<readonly ReviewThread[]>;
  /** Keeps a thread as it is now, and answers it with its new revision. EDIT_CONFLICT, INVALID_INPUT */
  save(thread: ReviewThread): Promise<ReviewThread>;
  remove(ticket: string, id: string): Promise<void>;
}

/** Reads what was changed. Works while nobody drives. */
export interface DiffReader {
  /** Undefined when there is nothing yet. */
  diff(ticket: string, scope: DiffScope): Promise<DiffView | undefined>;
  /** A file as it is in a commit of the ticket; undefined when it isn't there. */
  file(ticket: string, commit: string, path: string): Promise<Uint8Array | undefined>;
}
