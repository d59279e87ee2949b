import * as z from 'zod';
import { BeadId, RelativePath } from '../../domain/core/ids.ts';
import { ToolCall } from '../../domain/core/toolCall.ts';
import { longestContext } from '../../domain/prompts/contextEntries.ts';
import { DiffFile } from '../review.ts';

/** Characters of a note. */
export const longestNote = longestContext;

/** Characters of a piece. */
export const longestPiece = 4_000;

/**
 * Something that happens now, or did: a piece of the transcript. The same piece may come live and from the
 * log. `part` and `offset`: see `TicketEvent`. `tone`: of a stage that began or ended.
 */
export const TicketHint = z.object({
  at: z.number(),
  source: z.string(),
  kind: z.enum(['text', 'reasoning', 'tool', 'retry', 'command', 'info', 'step', 'bead', 'status']),
  text: z.string().max(longestPiece),
  bead: z.string().optional(),
  iteration: z.number().int().optional(),
  part: z.string().optional(),
  offset: z.number().int().nonnegative().optional(),
  call: ToolCall.optional(),
  tone: z.enum(['begins', 'good', 'bad']).optional(),
});
export type TicketHint = z.infer<typeof TicketHint>;

const Nothing = z.object({});
const Iteration = z.number().int().positive();

/** Moments at which agents get a note. `now`: their work starts again with it. */
export const NoteTime = z.enum(['next_iteration', 'every_call', 'now']);
export type NoteTime = z.infer<typeof NoteTime>;

/** The requests of the transcript (docs/decisions/195-transcripts.md). */
export const transcriptRequests = {
  /** The newest pieces before `before`, oldest first; of a bead's iteration, if one is named. */
  transcript: {
    params: z.object({
      bead: BeadId.optional(),
      iteration: Iteration.optional(),
      before: z.number().nonnegative().optional(),
    }),
    result: z.object({ pieces: z.array(TicketHint), earlier: z.number().nullable() }),
  },
  /** Changes of an iteration so far; null if there are none. */
  changed: {
    params: z.object({ bead: BeadId, iteration: Iteration }),
    result: z.object({ files: z.array(DiffFile), total: z.number().int() }).nullable(),
  },
  /** A file of the worktree. Links and what is outside are refused. */
  openFile: { params: z.object({ path: RelativePath }), result: Nothing },
  note: {
    params: z.object({ text: z.string().trim().min(1).max(longestNote), time: NoteTime }),
    result: Nothing,
    changes: true,
  },
} as const;
