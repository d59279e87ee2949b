import * as z from 'zod';
import { AnswerInput } from '../../../src/domain/requirements/answers.ts';
import { type Interview } from '../../../src/domain/requirements/interview.ts';

export type Question = Interview['questions'][number];

/** Answers a person changed and hasn't saved, by question. */
export const ChangedAnswers = z.record(z.string(), AnswerInput);
export type ChangedAnswers = z.infer<typeof ChangedAnswers>;

/** A stored answer as a person would give it. */
export function inputOf({ answer }: Pick<Question, 'answer'>): AnswerInput {
  const { skipped, selected_option_ids, free_text, skip_reason } = answer;
  return { skipped, selected_option_ids, free_text, ...(skip_reason === undefined ? {} : { skip_reason }) };
}

/** The changed answers with one more; one that says what is stored is no change. */
export function withAnswer(changed: ChangedAnswers, question: Question, input: AnswerInput): ChangedAnswers {
  const { [question.id]: _before, ...others } = changed;
  return isSame(input, inputOf(question)) ? others : { ...others, [question.id]: input };
}

/** The changed answers to questions that exist, without those that are stored in the meantime. */
export function stillChanged(changed: ChangedAnswers, questions: readonly Question[]): ChangedAnswers {
  let still: ChangedAnswers = {};
  for (const question of questions) {
    const input = changed[question.id];
    if (input) still = withAnswer(still, question, input);
  }
  return still;
}

/** An answer with an option chosen or not. Where only one can be chosen, it replaces the other. */
export function withOption(
  input: AnswerInput,
  question: Question,
  option: string,
  chosen: boolean,
): AnswerInput {
  const others = input.selected_option_ids.filter((id) => id !== option);
  const kept = question.answer_type === 'multiple_choice' ? others : [];
  return { ...input, skipped: false, selected_option_ids: chosen ? [...kept, option] : others };
}

/** An answer that leaves the question to the models, or takes it back. */
export function withSkip(input: AnswerInput, skipped: boolean): AnswerInput {
  const { skip_reason, ...rest } = input;
  return skipped ? { ...rest, skipped, skip_reason: skip_reason ?? '' } : { ...rest, skipped };
}

function isSame(one: AnswerInput, other: AnswerInput): boolean {
  if (one.skipped || other.skipped)
    return one.skipped === other.skipped && (one.skip_reason ?? '') === (other.skip_reason ?? '');
  const ids = (input: AnswerInput): string => input.selected_option_ids.toSorted().join('\n');
  return one.free_text === other.free_text && ids(one) === ids(other);
}
