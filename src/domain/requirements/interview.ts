import * as z from 'zod';
import type { Settled } from '../../base/result.ts';
import { Sha256, TicketId } from '../core/ids.ts';
import { Answer, AnswerInput, answerOf, answerProblem, AnswerType, QuestionOption } from './answers.ts';
import { checked, itemOf, listOf, repeatedIds, wrongTicket } from '../documents/base/check.ts';
import type { Document, Edit } from '../documents/base/document.ts';
import type { Outline } from '../documents/base/outline.ts';

const QuestionId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/, 'A question id is letters, digits, dashes and underscores.');

/** Interview phases, in order: problem, features, details. */
export const InterviewPhase = z.enum(['foundation', 'structure', 'assembly']);

/** A council member's question (docs/decisions/021-interview.md). */
export const DraftQuestion = z.object({
  id: QuestionId,
  phase: InterviewPhase,
  question: z.string().min(1).max(2_000),
});

/** A member's questions. */
export const InterviewDraft = z.object({ questions: z.array(DraftQuestion).min(1).max(50) });
export type InterviewDraft = z.infer<typeof InterviewDraft>;

/**
 * A change and its inspiration (docs/decisions/020-refining-the-winner.md). `invalid_unattributed`:
 * unreadable; `after` has the original.
 */
export const ChangeRecord = z.object({
  type: z.enum(['modified', 'replaced', 'added', 'removed', 'invalid_unattributed']),
  item_type: z
    .enum(['question', 'epic', 'user_story', 'bead', 'product', 'scope', 'technical_requirement', 'risk'])
    .optional()
    .catch(undefined),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  inspiration: z
    .object({ alternative_draft: z.union([z.string(), z.number()]).optional(), item: z.unknown().optional() })
    .nullish(),
});
export type ChangeRecord = z.infer<typeof ChangeRecord>;

/** A model's changes. An unreadable one never makes its document useless. */
export const ChangeRecords = z
  .array(ChangeRecord.catch(({ value }) => ({ type: 'invalid_unattributed', after: value })))
  .catch(({ value }) => [{ type: 'invalid_unattributed', after: value }])
  .default([]);

/** The winner's refined questions. */
export const CompiledInterview = InterviewDraft.extend({ changes: ChangeRecords });
export type CompiledInterview = z.infer<typeof CompiledInterview>;

/** A question as asked. “Other” is never an option, notes always are. */
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

/** A question that isn't asked, and why (docs/decisions/099-checklist-is-accounted-for.md). */
const SettledQuestion = z.object({ id: QuestionId, reason: z.string().min(1).max(2_000) });

const Covers = z.array(QuestionId).max(50);

/** A batch's question. `covers`: further checklist ids. */
export const CoveringQuestion = BatchQuestion.extend({ covers: Covers.default([]) });
export type CoveringQuestion = z.infer<typeof CoveringQuestion>;

/** `<INTERVIEW_BATCH>`: one to three questions (docs/decisions/021-interview.md). */
export const InterviewBatch = z.object({
  batch_number: z.number().int().positive(),
  progress: z
    .object({ current: z.number().int().nonnegative(), total: z.number().int().nonnegative() })
    .optional(),
  is_final_free_form: z.boolean().default(false),
  ai_commentary: z.string().max(4_000).default(''),
  questions: z.array(CoveringQuestion).min(1).max(3),
  settled: z.array(SettledQuestion).default([]),
});
export type InterviewBatch = z.infer<typeof InterviewBatch>;

/**
 * A question in `interview.yaml`. `follow_up_round`: from 1; null in the first list. `earlier`: answered in a
 * replaced interview.
 */
export const InterviewQuestion = z.object({
  id: QuestionId,
  phase: InterviewPhase,
  prompt: z.string().min(1),
  source: z.enum(['compiled', 'prompt_follow_up', 'coverage_follow_up', 'final_free_form', 'earlier']),
  follow_up_round: z.number().int().nullable(),
  answer_type: AnswerType,
  options: z.array(QuestionOption),
  covers: Covers.default([]),
  answer: Answer,
});
export type InterviewQuestion = z.infer<typeof InterviewQuestion>;

/** Unasked questions: settled, part of another, or over budget. */
export const NotAsked = z.object({
  settled: z.array(z.object({ id: QuestionId, prompt: z.string(), reason: z.string() })).default([]),
  merged: z.array(z.object({ id: QuestionId, prompt: z.string(), into: QuestionId })).default([]),
  trimmed: z
    .array(z.object({ id: QuestionId, prompt: z.string(), priority: BatchQuestion.shape.priority.unwrap() }))
    .default([]),
});
export type NotAsked = z.infer<typeof NotAsked>;

/** `interview.yaml`, or full answers (`ai_skip`) in its shape (docs/decisions/021-interview.md). */
export const Interview = z.object({
  schema_version: z.literal(1),
  ticket_id: TicketId,
  artifact: z.literal('interview'),
  status: z.enum(['draft', 'approved']),
  generated_by: z.object({
    winner_model: z.string(),
    generated_at: z.string(),
    canonicalization: z.literal('server_normalized'),
  }),
  questions: z.array(InterviewQuestion),
  ...NotAsked.shape,
  follow_up_rounds: z.array(
    z.object({
      round_number: z.number().int(),
      source: z.enum(['prompt', 'coverage']),
      question_ids: z.array(z.string()),
    }),
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

/** A model's `<INTERVIEW_COMPLETE>`. */
export const InterviewComplete = z.object({
  summary: Interview.shape.summary.partial().default({}),
  settled: z.array(SettledQuestion).default([]),
});
export type InterviewComplete = z.infer<typeof InterviewComplete>;

/** The live interview across batches (docs/decisions/021-interview.md). */
export const InterviewSession = z.object({
  schemaVersion: z.literal(1),
  winner: z.string(),
  maxFollowUps: z.number().int().nonnegative(),
  checklist: z.array(DraftQuestion),
  asked: z.array(
    CoveringQuestion.extend({
      source: InterviewQuestion.shape.source,
      round: z.number().int(),
      batch: z.number().int(),
    }),
  ),
  settled: z.array(SettledQuestion).default([]),
  /** Over-budget follow-ups, with their batch. */
  trimmed: z.array(BatchQuestion.extend({ batch: z.number().int() })).default([]),
  answers: z.record(z.string(), Answer.extend({ batch: z.number().int() })),
  currentBatch: z
    .object({
      number: z.number().int(),
      source: z.enum(['prompt', 'coverage']),
      questionIds: z.array(z.string()),
      commentary: z.string(),
    })
    .nullable(),
  summary: Interview.shape.summary.nullable(),
});
export type InterviewSession = z.infer<typeof InterviewSession>;

/** Answers for skipped questions (docs/decisions/023-full-answers-and-prd.md). */
export const FilledAnswers = z.object({
  questions: z.array(
    z.object({
      id: QuestionId,
      answer: z.object({
        selected_option_ids: z.array(z.string()).default([]),
        free_text: z.string().default(''),
      }),
    }),
  ),
});

/** An interview audit (docs/decisions/022-follow-up-budget.md). */
export const InterviewCoverage = z.object({
  status: z.enum(['clean', 'gaps']),
  gaps: z.array(z.string().min(1)).default([]),
  follow_up_questions: z.array(BatchQuestion).default([]),
});
export type InterviewCoverage = z.infer<typeof InterviewCoverage>;

/** An answer or criterion with its places, or why it needs none (docs/decisions/093-links.md). */
export const CoverageRow = z.object({
  id: z.string().min(1),
  met_by: z.array(z.string().min(1)).default([]),
  note: z.string().default(''),
});
export type CoverageRow = z.infer<typeof CoverageRow>;

/**
 * The end of checking: nothing missing, used up, unchanged by a revision, or no question left. `gaps`: a
 * person's answers continue it.
 */
export const CoverageOutcome = z.enum(['clean', 'limit', 'no_progress', 'budget', 'no_questions', 'gaps']);
export type CoverageOutcome = z.infer<typeof CoverageOutcome>;

/** A coverage pass's report, for any document. */
export const CoverageReport = z.object({
  schema_version: z.literal(1),
  passes: z.array(
    z.object({
      pass: z.number().int(),
      status: z.enum(['clean', 'gaps']),
      gaps: z.array(z.string()),
      candidate: Sha256,
      by: z.enum(['check', 'fix_gaps', 'check_again']).default('check'),
    }),
  ),
  outcome: CoverageOutcome,
  open_gaps: z.array(z.string()),
  rows: z.array(CoverageRow).optional(),
});
export type CoverageReport = z.infer<typeof CoverageReport>;

/** The outline of questions, or of an interview. */
export const interviewOutline: Outline = {
  kind: 'document',
  texts: ['summary.final_free_form_answer'],
  lists: ['summary.goals', 'summary.constraints', 'summary.non_goals'],
  items: {
    key: 'questions',
    outline: {
      kind: 'question',
      texts: ['question', 'prompt', 'answer.free_text'],
      lists: ['answer.selected_option_ids'],
    },
  },
};

const answered = 'Answered: {0}, skipped: {1}';

/** The interview. An edit is the whole, or (surface `answers`) answers by question id. */
export const interviewDocument = {
  kind: 'interview',
  title: 'Interview',
  subject: 'The interview',
  file: 'interview.yaml',
  format: 'yaml',
  projection: 'interview.yaml',
  schema: Interview,
  council: { draft: 'interview draft', refined: 'interview_compiled' },
  approval: {
    rewindsTo: 'DRAFTING_PRD',
    rewindWarning:
      'This document is approved. Saving archives the PRD and the beads that are based on it, and restarts planning at the PRD.',
    answers: z.record(z.string(), AnswerInput),
    edited: (edit, present) => {
      const read = edit.surface === 'answers' ? withAnswers(edit, present) : checked(Interview, edit.value);
      if (!read.ok) return read;
      const problem = wrongTicket(read.value, edit.ticket) ?? problemOf(read.value);
      if (problem !== undefined) return { ok: false, error: problem };
      return {
        ok: true,
        value: { ...read.value, status: 'draft', approval: { approved_by: '', approved_at: '' } },
      };
    },
    regenerates:
      'The questions are drafted again with your note. Your answers are kept: if a question recurs, its answer is carried over; other answers are kept as facts. Unanswered questions are asked again.',
    approved: (interview, approval) => ({ ...interview, status: 'approved', approval }),
  },
  items: (value) =>
    listOf(value, ['questions']).flatMap((question) => itemOf('question', question, 'prompt')),
  references: {
    unknown: 'unknownQuestion',
    of: (value) =>
      listOf(value, ['follow_up_rounds'])
        .flatMap((round) => listOf(round.value, ['question_ids'], round.path))
        .flatMap(({ value: id, path }) =>
          typeof id === 'string' ? [{ id, from: '', field: 'question_ids', path }] : [],
        ),
  },
  summaries: [answered],
  summary: (value) => {
    const { data: interview } = Interview.safeParse(value);
    if (!interview) return undefined;
    const skipped = interview.questions.filter(({ answer }) => answer.skipped).length;
    return { text: answered, args: [interview.questions.length - skipped, skipped] };
  },
} as const satisfies Document<Interview>;

function withAnswers({ value, at }: Edit, present: Interview | undefined): Settled<Interview, string> {
  if (!present) return { ok: false, error: 'There are no questions to answer.' };
  const answers = checked(interviewDocument.approval.answers, value);
  if (!answers.ok) return answers;
  for (const [id, input] of Object.entries(answers.value)) {
    const question = present.questions.find((candidate) => candidate.id === id);
    if (!question) return { ok: false, error: `There is no question ${id}.` };
    const problem = answerProblem(question, input);
    if (problem !== undefined) return { ok: false, error: `${id}: ${problem}` };
  }
  const questions = present.questions.map((question) => {
    const input = answers.value[question.id];
    return input ? { ...question, answer: answerOf(input, at) } : question;
  });
  return { ok: true, value: { ...present, questions } };
}

function problemOf(interview: Interview): string | undefined {
  for (const { id, answer, ...question } of interview.questions) {
    const problem = answerProblem(question, answer);
    if (problem !== undefined) return `questions.${id}.answer: ${problem}`;
  }
  return repeatedIds(
    'questions',
    interview.questions.map((question) => question.id),
  );
}

/** The reason why a choice has too few options; undefined if none has. */
export function choiceProblem(
  list: string,
  questions: readonly Pick<BatchQuestion, 'id' | 'answer_type' | 'options'>[],
): string | undefined {
  const bare = questions.find((one) => one.answer_type.endsWith('_choice') && one.options.length < 2);
  return bare && `${list}.${bare.id}.options: a choice needs at least two.`;
}
