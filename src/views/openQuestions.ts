import { type AnswerInput, type BatchQuestion, InterviewSession } from '../domain/interview.ts';
import type { Client } from '../protocol/api.ts';
import { readArtifact } from './readArtifact.ts';

export interface OpenBatch {
  readonly number: number;
  readonly commentary: string;
  readonly questions: readonly BatchQuestion[];
}

/** The interview questions that wait for answers; undefined when none is asked right now. */
export async function openQuestions(client: Client, ticket: string): Promise<OpenBatch | undefined> {
  const session = await readArtifact(client, ticket, 'interview_session', InterviewSession);
  const batch = session?.currentBatch;
  if (!batch) return undefined;
  const questions = session.asked.filter(({ id }) => batch.questionIds.includes(id) && !Object.hasOwn(session.answers, id));
  return questions.length > 0 ? { number: batch.number, commentary: batch.commentary, questions } : undefined;
}

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
export const written = (text: string): AnswerInput => ({ selected_option_ids: [], free_text: text.trim(), skipped: false });
export const chosen = (ids: readonly string[]): AnswerInput => ({ selected_option_ids: [...ids], free_text: '', skipped: false });
