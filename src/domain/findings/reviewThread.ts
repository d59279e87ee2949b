import * as z from 'zod';
import { BeadId, CommitSha, TicketId, RelativePath } from '../core/ids.ts';

const Id = z.string().regex(/^[A-Za-z0-9-]{1,60}$/);
const Line = z.number().int().positive();

/** A comment. `sent`: the inbox entry that passed it on; null: a draft. Times in milliseconds since 1970. */
export const ReviewComment = z.object({
  id: Id,
  text: z.string().trim().min(1).max(20_000),
  author: z.string().max(200),
  at: z.number(),
  sent: z.string().max(200).nullable(),
});
export type ReviewComment = z.infer<typeof ReviewComment>;

/**
 * Comments on some lines of a diff. They belong to the person until they are sent, so they aren't in the
 * journal. `commit`, `path` and the lines (from 1, inclusive) say where the thread was written; `text` is
 * what the lines were, by which the place is found in another version of the file.
 */
export const ReviewThread = z
  .object({
    id: Id,
    ticket: TicketId,
    /** Rises with every write; 0 is a thread that was never stored. */
    revision: z.number().int().nonnegative(),
    bead: BeadId.nullable(),
    iteration: z.number().int().positive().nullable(),
    commit: CommitSha,
    path: RelativePath,
    line: Line,
    endLine: Line,
    text: z.string().max(20_000),
    resolved: z.boolean(),
    comments: z.array(ReviewComment).min(1).max(200),
  })
  .refine(({ line, endLine }) => line <= endLine, 'A thread ends where it begins, or below.');
export type ReviewThread = z.infer<typeof ReviewThread>;

/** The comments of a thread that weren't sent to the agents yet. */
export function draftsOf(thread: ReviewThread): readonly ReviewComment[] {
  return thread.resolved ? [] : thread.comments.filter(({ sent }) => sent === null);
}
