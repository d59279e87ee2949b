import * as z from 'zod';
import { Answer, AnswerInput } from '../../domain/requirements/answers.ts';
import { BatchQuestion, NotAsked } from '../../domain/requirements/interview.ts';
import { type PageContract, Sent } from './frame.ts';

/** A question that was put to the person, with the answer it has by now. */
export const PageQuestion = BatchQuestion.extend({ batch: z.number().int(), answer: Answer.nullable() });
export type PageQuestion = z.infer<typeof PageQuestion>;

/** Everything the page shows. */
export const InterviewState = z.object({
  ticket: z.object({ id: z.string(), title: z.string() }),
  /** `early`: nothing was asked yet. `stopped`: held or blocked. `over`: a document now. */
  phase: z.enum(['early', 'asking', 'thinking', 'stopped', 'over']),
  /** The reason why it is stopped, for people; otherwise empty. */
  problem: z.string(),
  /** True if the interview waits for approval. */
  approvable: z.boolean(),
  /** The current batch, and what the model says about it. */
  batch: z
    .object({ number: z.number().int(), commentary: z.string(), openIds: z.array(z.string()) })
    .nullable(),
  /** Everything that was asked, in that order. */
  questions: z.array(PageQuestion),
  /** Questions that aren't asked, and why. */
  notAsked: NotAsked,
  /** The number of questions, as far as known: asked, left of the checklist, the last one. */
  expected: z.number().int(),
});
export type InterviewState = z.infer<typeof InterviewState>;

/** The page on which the interview is answered. */
export const interviewPage = {
  name: 'interview',
  state: InterviewState,
  /** The current activity of the model, in one line. */
  hint: z.object({ text: z.string() }),
  requests: {
    /** `batch`: refused if another is asked by then. Null: changes of earlier answers. */
    answer: {
      params: z.object({
        batch: z.number().int().positive().nullable(),
        answers: z.record(z.string(), AnswerInput),
      }),
      result: Sent,
    },
    /** Leaves all open questions to the models, including those that weren't asked yet. */
    skipAll: { params: z.object({ reason: z.string().max(20_000) }), result: Sent },
    /** Opens the approval of the interview. */
    approve: { params: z.null(), result: z.null() },
  },
} as const satisfies PageContract;

/** The contract of the interview page, as a type. */
export type InterviewPage = typeof interviewPage;
