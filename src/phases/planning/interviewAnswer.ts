import type { Answer, AnswerInput, InterviewQuestion } from '../../domain/interview.ts';

type Asked = Pick<InterviewQuestion, 'answer_type' | 'options'>;
type Given = Pick<AnswerInput, 'selected_option_ids' | 'free_text' | 'skipped'>;

export const yesAndNo = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];

/** Why a person's answer doesn't fit its question, if it doesn't. A note may go with every answer. */
export function answerProblem(question: Asked, answer: Given): string | undefined {
  if (isSkip(answer)) return undefined;
  const ids = answer.selected_option_ids;
  if (question.answer_type === 'free_text') return ids.length > 0 ? 'it takes text and no options.' : undefined;
  const odd = ids.filter((id) => !question.options.some((option) => option.id === id));
  if (odd.length > 0) return `it has no option ${odd.join(', ')}; its options: ${question.options.map((option) => option.id).join(', ')}.`;
  return question.answer_type !== 'multiple_choice' && ids.length > 1 ? 'only one option may be selected.' : undefined;
}

/** An answer as it is kept. Saying nothing is a skip (LoopTroop 5.4). */
export function answerOf(input: AnswerInput, at: string): Answer {
  const skipped = isSkip(input);
  return {
    skipped,
    selected_option_ids: skipped ? [] : [...new Set(input.selected_option_ids)],
    free_text: skipped ? '' : input.free_text,
    answered_by: 'user',
    answered_at: at,
    ...(skipped && input.skip_reason !== undefined && input.skip_reason !== '' ? { skip_reason: input.skip_reason } : {}),
  };
}

function isSkip(answer: Given): boolean {
  return answer.skipped || (answer.selected_option_ids.length === 0 && answer.free_text.trim() === '');
}
