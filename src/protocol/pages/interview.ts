import * as z from 'zod';
import { Answer } from '../../domain/requirements/answers.ts';
import { BatchQuestion, NotAsked } from '../../domain/requirements/interview.ts';
import { actRequest, type PageContract, runRequest } from './frame.ts';

/** A question that was put to the person, with the answer it has by now. */
export const PageQuestion = BatchQuestion.extend({ batch: z.number().int(), answer: Answer.nullable() });
export type PageQuestion = z.infer<typeof PageQuestion>;

/** Everything the page shows. */
export const InterviewState = z.object({
  ticket: z.object({ id: z.string(), title: z.string() }),
  /** `early`: nothing was asked yet. `stopped`: held or blocked. `over`: a document now. */
  phase: z.enum(['early', 'asking', 'thinking', 'stopped', 'over']),
  /** The reason why it is stopped; otherwise empty. */
  problem: z.string(),
  approvable: z.boolean(),
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

/** The page on which the interview is answered. */
export const interviewPage = {
  name: 'interview',
  state: InterviewState,
  /** The current activity of the model, in one line. */
  hint: z.object({ text: z.string() }),
  requests: { act: actRequest(['answer', 'skip']), run: runRequest },
} as const satisfies PageContract;

/** The contract of the interview page. */
export type InterviewPage = typeof interviewPage;
