import type { CompiledInterview, InterviewDraft } from '../../domain/requirements/interview.ts';
import { isSimilar, sameWords } from './sameQuestion.ts';

type Questions = InterviewDraft['questions'];
type Change = CompiledInterview['changes'][number];

/**
 * A compiled list that lost nothing of the winner's draft without saying so. `restored`: the ids of what was
 * put back.
 */
export interface KeptQuestions {
  readonly questions: Questions;
  readonly changes: Change[];
  readonly restored: string[];
}

/**
 * Puts back every question of the winner's draft that is neither in the compiled list nor among its declared
 * changes (docs/decisions/020-refining-the-winner.md).
 */
export function withWinner(winner: Questions, { questions, changes }: CompiledInterview): KeptQuestions {
  const lost = winner.filter(
    (question) => !isThere(questions, question) && !changes.some((change) => declares(change, question)),
  );
  const ids = new Set([...questions, ...winner].map(({ id }) => id));
  const restored = lost.map((question) => {
    if (!questions.some(({ id }) => id === question.id)) return question;
    const id = nextId(ids);
    ids.add(id);
    return { ...question, id };
  });
  return { questions: [...questions, ...restored], changes, restored: restored.map(({ id }) => id) };
}

/**
 * The same list with at most so many questions: the last of those that the winner didn't have give way, and
 * are listed as removed.
 */
export function cutToCeiling(winner: Questions, kept: KeptQuestions, most: number): KeptQuestions {
  const added = kept.questions.filter((question) => !isThere(winner, question));
  const cut = new Set(added.slice(Math.max(0, added.length - (kept.questions.length - most))));
  const removed = [...cut].map(({ id, question }): Change => {
    return {
      type: 'removed',
      item_type: 'question',
      before: `${id}: ${question}`,
      after: null,
      inspiration: null,
    };
  });
  return {
    ...kept,
    questions: kept.questions.filter((question) => !cut.has(question)),
    changes: [...kept.changes, ...removed],
  };
}

function isThere(questions: Questions, { id, question }: Questions[number]): boolean {
  return questions.some(
    (other) =>
      sameWords(other.question, question) || (other.id === id && isSimilar(other.question, question)),
  );
}

/** Returns true if a change says that this question was changed or left out. */
function declares({ type, before }: Change, { id, question }: Questions[number]): boolean {
  if (type !== 'modified' && type !== 'replaced' && type !== 'removed') return false;
  const said = typeof before === 'string' ? before : JSON.stringify(before ?? '');
  return new RegExp(`(?<![\\w-])${id}(?![\\w-])`).test(said) || said.includes(question);
}

function nextId(taken: ReadonlySet<string>): string {
  const highest = Math.max(0, ...[...taken].map((id) => Number(/^Q(\d+)$/.exec(id)?.[1] ?? 0)));
  return `Q${String(highest + 1).padStart(2, '0')}`;
}
