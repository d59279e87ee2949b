import {
  type InterviewDraft,
  InterviewPhase,
  type BatchQuestion,
  type CoveringQuestion,
  type InterviewQuestion,
  type InterviewSession,
} from '../../domain/requirements/interview.ts';
import type { Settings } from '../../domain/settings/settings.ts';
import { repeatedIds } from '../../domain/documents/base/check.ts';
import { unaccounted } from '../../domain/requirements/interviewChecklist.ts';

export const finalQuestionId = 'QFF1';

/** At least one, because an interview without questions is no document. */
export function maxQuestions(settings: Settings): number {
  return Math.max(1, settings.interviewQuestions);
}

/** The most follow-up questions of both kinds together (docs/decisions/022-follow-up-budget.md). */
export function maxFollowUps(settings: Settings): number {
  const percent = settings.coverageFollowUpBudgetPercent;
  return percent <= 0 ? 0 : Math.max(1, Math.floor((settings.interviewQuestions * percent) / 100));
}

export function questionsProblem(settings: Settings): (draft: InterviewDraft) => string | undefined {
  const most = maxQuestions(settings);
  return ({ questions }) => {
    if (questions.length > most) return `questions: there are ${questions.length}, and ${most} is the most.`;
    if (questions.some((question) => question.id === finalQuestionId))
      return `questions: the id ${finalQuestionId} is reserved.`;
    const ids = questions.map(({ id }) => id);
    return repeatedIds('questions', ids);
  };
}

export function inPhaseOrder(questions: InterviewDraft['questions']): InterviewDraft['questions'] {
  return questions.toSorted(
    (a, b) => InterviewPhase.options.indexOf(a.phase) - InterviewPhase.options.indexOf(b.phase),
  );
}

type Source = InterviewQuestion['source'];
const weights: readonly BatchQuestion['priority'][] = ['critical', 'high', 'medium', 'low'];

/** One that asks what is open of the checklist is part of it, whatever its id. */
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

export function followUpsUsed(session: InterviewSession): number {
  return session.asked.filter((question) => isFollowUp(question.source)).length;
}

/** Keeps the weightiest follow-up questions within the budget (docs/decisions/022-follow-up-budget.md). */
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

interface Worded {
  readonly id: string;
  readonly text: string;
}

/** The least share of their words that two similar questions have in common, from 0 to 1. */
const similar = 0.7;
const negations =
  /^(?:no|not|never|none|nobody|nothing|neither|without|except|cannot|\p{L}+n['’]t|\p{N}.*)$/u;

/** True for the same words, or the same id and mostly the same words. */
export function sameQuestion(a: Worded, b: Worded): boolean {
  return sameWords(a.text, b.text) || (a.id === b.id && isSimilar(a.text, b.text));
}

export function sameWords(a: string, b: string): boolean {
  return wordsOf(a).join(' ') === wordsOf(b).join(' ');
}

/** True if two texts share most words, and all negations and numbers. */
export function isSimilar(a: string, b: string): boolean {
  const [left, right] = [new Set(wordsOf(a)), new Set(wordsOf(b))];
  const signs = [...left.symmetricDifference(right)].filter((word) => negations.test(word));
  return (
    signs.length === 0 && (2 * left.intersection(right).size) / Math.max(1, left.size + right.size) >= similar
  );
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}'’]+/gu) ?? []
  );
}
