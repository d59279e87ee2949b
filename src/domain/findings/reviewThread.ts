import * as z from 'zod';
import { BeadId, CommitSha, TicketId, RelativePath } from '../core/ids.ts';

const Id = z.string().regex(/^[A-Za-z0-9-]{1,60}$/);
const Line = z.number().int().positive();

/** A comment. `sent`: its inbox entry; null: a draft. Times in milliseconds since 1970. */
export const ReviewComment = z.object({
  id: Id,
  text: z.string().trim().min(1).max(20_000),
  author: z.string().max(200),
  at: z.number(),
  sent: z.string().max(200).nullable(),
});
export type ReviewComment = z.infer<typeof ReviewComment>;

/**
 * Comments on lines of a diff (from 1, inclusive) at `commit`. `text`: those lines, to find them again.
 * Unsent ones belong to the person, so they aren't in the journal.
 */
export const ReviewThread = z
  .object({
    id: Id,
    ticket: TicketId,
    /** 0: never stored. */
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

/** A thread's unsent comments. */
export function draftsOf(thread: ReviewThread): readonly ReviewComment[] {
  return thread.resolved ? [] : thread.comments.filter(({ sent }) => sent === null);
}
