import { type InterviewDraft, InterviewPhase } from '../../domain/requirements/interview.ts';
import type { Settings } from '../../domain/settings/settings.ts';
import { repeatedIds } from '../../domain/documents/base/check.ts';

/** The id of the last, free-form question. */
export const finalQuestionId = 'QFF1';

/**
 * The most questions a council may draft. A ticket with a ceiling of 0 still gets one, because an interview
 * without any is no document.
 */
export function maxQuestions(settings: Settings): number {
  return Math.max(1, settings.interviewQuestions);
}

/**
 * The most follow-up questions an interview may ask, of both kinds together
 * (docs/decisions/022-follow-up-budget.md).
 */
export function maxFollowUps(settings: Settings): number {
  const percent = settings.coverageFollowUpBudgetPercent;
  return percent <= 0 ? 0 : Math.max(1, Math.floor((settings.interviewQuestions * percent) / 100));
}

/** Returns a check that gives the reason why a question list can't be used; undefined if it can. */
export function questionsProblem(settings: Settings): (draft: InterviewDraft) => string | undefined {
  const most = maxQuestions(settings);
  return ({ questions }) => {
    if (questions.length > most) return `questions: there are ${questions.length}, and ${most} is the most.`;
    if (questions.some((question) => question.id === finalQuestionId))
      return `questions: the id ${finalQuestionId} is reserved.`;
    return repeatedIds(
      'questions',
      questions.map((question) => question.id),
    );
  };
}

/** The questions in the order of the phases; the order inside a phase stays. */
export function inPhaseOrder(questions: InterviewDraft['questions']): InterviewDraft['questions'] {
  return questions.toSorted(
    (a, b) => InterviewPhase.options.indexOf(a.phase) - InterviewPhase.options.indexOf(b.phase),
  );
}
