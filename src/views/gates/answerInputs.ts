import type { AnswerInput } from '../../domain/requirements/answers.ts';
import type { BatchQuestion } from '../../domain/requirements/interview.ts';

/** The options of a question as they are shown; a question for yes or no may come without any. */
export function optionsOf(question: BatchQuestion): BatchQuestion['options'] {
  if (question.answer_type === 'free_text') return [];
  if (question.options.length > 0 || question.answer_type !== 'yes_no') return question.options;
  return [
    { id: 'yes', label: 'Yes' },
    { id: 'no', label: 'No' },
  ];
}

export const skipped = (reason: string): AnswerInput => ({
  selected_option_ids: [],
  free_text: '',
  skipped: true,
  ...(reason.trim() === '' ? {} : { skip_reason: reason.trim() }),
});
export const written = (text: string): AnswerInput => ({
  selected_option_ids: [],
  free_text: text.trim(),
  skipped: false,
});
export const chosen = (ids: readonly string[]): AnswerInput => ({
  selected_option_ids: [...ids],
  free_text: '',
  skipped: false,
});
