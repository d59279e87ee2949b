import {
  type BatchQuestion,
  type CoveringQuestion,
  type InterviewQuestion,
  type InterviewSession,
} from '../../domain/requirements/interview.ts';
import { unaccounted } from '../../domain/requirements/interviewChecklist.ts';
import { finalQuestionId } from './interviewQuestions.ts';

type Source = InterviewQuestion['source'];
const weights: readonly BatchQuestion['priority'][] = ['critical', 'high', 'medium', 'low'];

/**
 * Returns the kind of a question. One that asks what is open of the checklist is part of it, whatever its id.
 */
export function sourceOf(
  session: InterviewSession,
  question: CoveringQuestion,
  source: 'prompt' | 'coverage',
): Source {
  if (source === 'coverage') return 'coverage_follow_up';
  if (question.id === finalQuestionId) return 'final_free_form';
  if (session.checklist.some((known) => known.id === question.id)) return 'compiled';
  return unaccounted(session).some(({ id }) => question.covers.includes(id))
    ? 'compiled'
    : 'prompt_follow_up';
}

export function isFollowUp(source: Source): boolean {
  return source === 'prompt_follow_up' || source === 'coverage_follow_up';
}

/** Returns the number of follow-up questions of both kinds that were asked. */
export function followUpsUsed(session: InterviewSession): number {
  return session.asked.filter((question) => isFollowUp(question.source)).length;
}

/**
 * Splits a batch into what may be asked and what is left out: of its follow-up questions the weightiest that
 * the budget allows are kept, by priority and then by place (docs/decisions/022-follow-up-budget.md). The
 * order stays.
 */
export function withinBudget(
  session: InterviewSession,
  questions: readonly CoveringQuestion[],
  source: 'prompt' | 'coverage',
): { readonly kept: readonly CoveringQuestion[]; readonly trimmed: readonly CoveringQuestion[] } {
  const left = Math.max(0, session.maxFollowUps - followUpsUsed(session));
  const followUps = questions.filter((question) => isFollowUp(sourceOf(session, question, source)));
  const byWeight = followUps.toSorted((a, b) => weights.indexOf(a.priority) - weights.indexOf(b.priority));
  const trimmed = new Set(byWeight.slice(left));
  return {
    kept: questions.filter((question) => !trimmed.has(question)),
    trimmed: questions.filter((question) => trimmed.has(question)),
  };
}
