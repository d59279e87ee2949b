import { type InterviewDraft, InterviewPhase } from '../../domain/documents/interview.ts';
import type { Answer, AnswerInput, InterviewQuestion } from '../../domain/documents/interview.ts';
import type { Settings } from '../../domain/settings.ts';
import { repeatedIds } from '../shared/structured/decode.ts';

/** The id of the last, free-form question. */
export const finalQuestionId = 'QFF1';

/** The most questions a council may draft. A ticket with a ceiling of 0 still gets one, because an interview without any is no document. */
export function maxQuestions(settings: Settings): number {
  return Math.max(1, settings.interviewQuestions);
}

/** The most follow-up questions an interview may ask, of both kinds together (docs/decisions/022-follow-up-budget.md). */
export function maxFollowUps(settings: Settings): number {
  const percent = settings.coverageFollowUpBudgetPercent;
  return percent <= 0 ? 0 : Math.max(1, Math.floor((settings.interviewQuestions * percent) / 100));
}

/** Why a question list can't be used; undefined if it can. */
export function questionsProblem(settings: Settings): (draft: InterviewDraft) => string | undefined {
  const most = maxQuestions(settings);
  return ({ questions }) => {
    if (questions.length > most) return `questions: there are ${questions.length}, and ${most} is the most.`;
    if (questions.some((question) => question.id === finalQuestionId)) return `questions: the id ${finalQuestionId} is reserved.`;
    return repeatedIds(
      'questions',
      questions.map((question) => question.id),
    );
  };
}

/** The questions in the order of the phases; the order inside a phase stays. */
export function inPhaseOrder(questions: InterviewDraft['questions']): InterviewDraft['questions'] {
  return questions.toSorted((a, b) => InterviewPhase.options.indexOf(a.phase) - InterviewPhase.options.indexOf(b.phase));
}

type Asked = Pick<InterviewQuestion, 'answer_type' | 'options'>;
type Given = Pick<AnswerInput, 'selected_option_ids' | 'free_text' | 'skipped'>;

export const yesAndNo = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];

/** Why a person's answer doesn't fit its question; undefined if it does. Every answer may have a note. */
export function answerProblem(question: Asked, answer: Given): string | undefined {
  if (isSkip(answer)) return undefined;
  const ids = answer.selected_option_ids;
  if (question.answer_type === 'free_text') return ids.length > 0 ? 'it takes text and no options.' : undefined;
  const odd = ids.filter((id) => !question.options.some((option) => option.id === id));
  if (odd.length > 0) return `it has no option ${odd.join(', ')}; its options: ${question.options.map((option) => option.id).join(', ')}.`;
  return question.answer_type !== 'multiple_choice' && ids.length > 1 ? 'only one option may be selected.' : undefined;
}

/** An answer as it is stored. An empty answer is a skip (docs/decisions/021-interview.md). */
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
