import * as z from 'zod';

/** Types of answers. `yes_no` is asked as a choice of Yes and No. */
export const AnswerType = z.enum(['free_text', 'single_choice', 'multiple_choice', 'yes_no']);

/** A question's choice. */
export const QuestionOption = z.object({ id: z.string().min(1).max(40), label: z.string().min(1).max(500) });

/** A person's answer: option ids, free text, or a skip with an optional reason. */
export const AnswerInput = z
  .object({
    selected_option_ids: z.array(z.string().max(40)).max(15).default([]),
    free_text: z.string().max(20_000).default(''),
    skipped: z.boolean().default(false),
    skip_reason: z.string().max(20_000).optional(),
  })
  .strict();
export type AnswerInput = z.infer<typeof AnswerInput>;

/** A stored answer. `ai_skip`: a model's, for a skip. `answered_at`: ISO text. */
export const Answer = z.object({
  skipped: z.boolean(),
  selected_option_ids: z.array(z.string()),
  free_text: z.string(),
  answered_by: z.enum(['user', 'ai_skip']),
  answered_at: z.string(),
  skip_reason: z.string().optional(),
});
export type Answer = z.infer<typeof Answer>;

interface Asked {
  readonly answer_type: z.infer<typeof AnswerType>;
  readonly options: readonly z.infer<typeof QuestionOption>[];
}

type Given = Pick<AnswerInput, 'selected_option_ids' | 'free_text' | 'skipped'>;

/** Options of `yes_no`. */
export const yesAndNo = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];

/** The reason why an answer doesn't fit its question, if it doesn't. Notes always fit. */
export function answerProblem(question: Asked, answer: Given): string | undefined {
  if (isSkip(answer)) return undefined;
  const ids = answer.selected_option_ids;
  if (question.answer_type === 'free_text')
    return ids.length > 0 ? 'it takes text and no options.' : undefined;
  const odd = ids.filter((id) => !question.options.some((option) => option.id === id));
  if (odd.length > 0)
    return `it has no option ${odd.join(', ')}; its options: ${question.options.map((option) => option.id).join(', ')}.`;
  return question.answer_type !== 'multiple_choice' && ids.length > 1
    ? 'only one option may be selected.'
    : undefined;
}

/** A stored answer. An empty one is a skip (docs/decisions/021-interview.md). */
export function answerOf(input: AnswerInput, at: string): Answer {
  const skipped = isSkip(input);
  return {
    skipped,
    selected_option_ids: skipped ? [] : [...new Set(input.selected_option_ids)],
    free_text: skipped ? '' : input.free_text,
    answered_by: 'user',
    answered_at: at,
    ...(skipped && input.skip_reason !== undefined && input.skip_reason !== ''
      ? { skip_reason: input.skip_reason }
      : {}),
  };
}

function isSkip(answer: Given): boolean {
  return answer.skipped || (answer.selected_option_ids.length === 0 && answer.free_text.trim() === '');
}
