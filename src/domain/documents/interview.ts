import * as z from 'zod';
import { Sha256, TicketId } from '../ids.ts';

const QuestionId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/, 'A question id is letters, digits, dashes and underscores.');

/** Which part of the interview a question belongs to, in this order: the problem, the features, the details. */
export const InterviewPhase = z.enum(['foundation', 'structure', 'assembly']);

/** How a question is answered. `yes_no` is asked as a choice of Yes and No. */
export const AnswerType = z.enum(['free_text', 'single_choice', 'multiple_choice', 'yes_no']);

/** One choice of a question. */
export const QuestionOption = z.object({ id: z.string().min(1).max(40), label: z.string().min(1).max(500) });

/** A draft question set: what a council member proposes (docs/decisions/021-interview.md). */
export const DraftQuestion = z.object({ id: QuestionId, phase: InterviewPhase, question: z.string().min(1).max(2_000) });

/** A list of questions, as a member drafts it. */
export const InterviewDraft = z.object({ questions: z.array(DraftQuestion).min(1).max(50) });
export type InterviewDraft = z.infer<typeof InterviewDraft>;

/** One change a refiner made, and what inspired it (docs/decisions/020-refining-the-winner.md). */
export const ChangeRecord = z.object({
  type: z.enum(['modified', 'replaced', 'added', 'removed']),
  item_type: z.enum(['question', 'epic', 'user_story', 'bead']).optional(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  inspiration: z.object({ alternative_draft: z.union([z.string(), z.number()]).optional(), item: z.unknown().optional() }).nullish(),
});
export type ChangeRecord = z.infer<typeof ChangeRecord>;

/** The compiled question set: the winner, refined. */
export const CompiledInterview = InterviewDraft.extend({ changes: z.array(ChangeRecord).default([]) });
export type CompiledInterview = z.infer<typeof CompiledInterview>;

/** A question as it is asked. `yes_no` is shown as a single choice of Yes and No; "Other" is never an option, notes always are. */
export const BatchQuestion = z.object({
  id: QuestionId,
  question: z.string().min(1).max(2_000),
  phase: InterviewPhase.default('foundation'),
  priority: z.enum(['critical', 'high', 'medium', 'low']).default('medium'),
  rationale: z.string().max(2_000).default(''),
  answer_type: AnswerType.default('free_text'),
  options: z.array(QuestionOption).max(15).default([]),
});
export type BatchQuestion = z.infer<typeof BatchQuestion>;

/** `<INTERVIEW_BATCH>`: one to three questions (docs/decisions/021-interview.md). */
export const InterviewBatch = z.object({
  batch_number: z.number().int().positive(),
  progress: z.object({ current: z.number().int().nonnegative(), total: z.number().int().nonnegative() }).optional(),
  is_final_free_form: z.boolean().default(false),
  ai_commentary: z.string().max(4_000).default(''),
  questions: z.array(BatchQuestion).min(1).max(3),
});
export type InterviewBatch = z.infer<typeof InterviewBatch>;

/** An answer as a person gives it: option ids, free text, or a skip with an optional reason. */
export const AnswerInput = z
  .object({
    selected_option_ids: z.array(z.string().max(40)).max(15).default([]),
    free_text: z.string().max(20_000).default(''),
    skipped: z.boolean().default(false),
    skip_reason: z.string().max(20_000).optional(),
  })
  .strict();
export type AnswerInput = z.infer<typeof AnswerInput>;

/** An answer as it is stored. `ai_skip`: a model answered what the person skipped. `answered_at` is an ISO text. */
export const Answer = z.object({
  skipped: z.boolean(),
  selected_option_ids: z.array(z.string()),
  free_text: z.string(),
  answered_by: z.enum(['user', 'ai_skip']),
  answered_at: z.string(),
  skip_reason: z.string().optional(),
});
export type Answer = z.infer<typeof Answer>;

/** A question with its answer, as it stands in `interview.yaml`. `follow_up_round` counts from 1; null for a question of the first list. */
export const InterviewQuestion = z.object({
  id: QuestionId,
  phase: InterviewPhase,
  prompt: z.string().min(1),
  source: z.enum(['compiled', 'prompt_follow_up', 'coverage_follow_up', 'final_free_form']),
  follow_up_round: z.number().int().nullable(),
  answer_type: AnswerType,
  options: z.array(QuestionOption),
  answer: Answer,
});
export type InterviewQuestion = z.infer<typeof InterviewQuestion>;

/** `interview.yaml` (docs/decisions/021-interview.md). Full answers have the same shape, with every skipped answer filled in (`ai_skip`). */
export const Interview = z.object({
  schema_version: z.literal(1),
  ticket_id: TicketId,
  artifact: z.literal('interview'),
  status: z.enum(['draft', 'approved']),
  generated_by: z.object({ winner_model: z.string(), generated_at: z.string(), canonicalization: z.literal('server_normalized') }),
  questions: z.array(InterviewQuestion),
  follow_up_rounds: z.array(
    z.object({ round_number: z.number().int(), source: z.enum(['prompt', 'coverage']), question_ids: z.array(z.string()) }),
  ),
  summary: z.object({
    goals: z.array(z.string()),
    constraints: z.array(z.string()),
    non_goals: z.array(z.string()),
    final_free_form_answer: z.string(),
  }),
  approval: z.object({ approved_by: z.string(), approved_at: z.string() }),
});
export type Interview = z.infer<typeof Interview>;

/** What the model adds when the interview ends, inside `<INTERVIEW_COMPLETE>`. Questions and answers are the engine's own record. */
export const InterviewComplete = z.object({
  summary: Interview.shape.summary.partial().default({}),
});

/** The record of the live interview, kept across batches (docs/decisions/021-interview.md). */
export const InterviewSession = z.object({
  schemaVersion: z.literal(1),
  winner: z.string(),
  maxFollowUps: z.number().int().nonnegative(),
  checklist: z.array(DraftQuestion),
  asked: z.array(BatchQuestion.extend({ source: InterviewQuestion.shape.source, round: z.number().int(), batch: z.number().int() })),
  answers: z.record(z.string(), Answer.extend({ batch: z.number().int() })),
  currentBatch: z
    .object({ number: z.number().int(), source: z.enum(['prompt', 'coverage']), questionIds: z.array(z.string()), commentary: z.string() })
    .nullable(),
  summary: Interview.shape.summary.nullable(),
});
export type InterviewSession = z.infer<typeof InterviewSession>;

/** Full answers (docs/decisions/023-full-answers-and-prd.md): the answers a member gives in place of the skipped ones. */
export const FilledAnswers = z.object({
  questions: z.array(
    z.object({
      id: QuestionId,
      answer: z.object({ selected_option_ids: z.array(z.string()).default([]), free_text: z.string().default('') }),
    }),
  ),
});

/** An audit of the interview (docs/decisions/022-follow-up-budget.md). */
export const InterviewCoverage = z.object({
  status: z.enum(['clean', 'gaps']),
  gaps: z.array(z.string().min(1)).default([]),
  follow_up_questions: z.array(BatchQuestion).default([]),
});
export type InterviewCoverage = z.infer<typeof InterviewCoverage>;

/** What is stored after a coverage pass of any domain. */
export const CoverageReport = z.object({
  schema_version: z.literal(1),
  passes: z.array(z.object({ pass: z.number().int(), status: z.enum(['clean', 'gaps']), gaps: z.array(z.string()), candidate: Sha256 })),
  outcome: z.enum(['clean', 'limit']),
  open_gaps: z.array(z.string()),
});
export type CoverageReport = z.infer<typeof CoverageReport>;
