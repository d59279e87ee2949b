import * as z from 'zod';
import { Answer } from '../../domain/requirements/answers.ts';
import { BatchQuestion, NotAsked } from '../../domain/requirements/interview.ts';

/** A question that was put to the person, with the answer it has by now. */
export const PageQuestion = BatchQuestion.extend({ batch: z.number().int(), answer: Answer.nullable() });
export type PageQuestion = z.infer<typeof PageQuestion>;

/** The interview of a ticket, as its page shows it. */
export const InterviewState = z.object({
  /** `early`: nothing was asked yet. `stopped`: held or blocked. `over`: a document now. */
  phase: z.enum(['early', 'asking', 'thinking', 'stopped', 'over']),
  /** The reason why it is stopped; otherwise empty. */
  problem: z.string(),
  batch: z
    .object({ number: z.number().int(), commentary: z.string(), openIds: z.array(z.string()) })
    .nullable(),
  /** In the order in which they were asked. */
  questions: z.array(PageQuestion),
  notAsked: NotAsked,
  /** As far as known: asked, left of the checklist, the last one. */
  expected: z.number().int(),
});
export type InterviewState = z.infer<typeof InterviewState>;
