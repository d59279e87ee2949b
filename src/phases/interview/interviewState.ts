import { choiceProblem } from '../../domain/requirements/interview.ts';
import { stringify } from 'yaml';
import { canonicalJson } from '../../base/json.ts';
import type { Section } from '../../context/sections.ts';
import type {
  BatchQuestion,
  CoveringQuestion,
  InterviewBatch,
  InterviewSession,
} from '../../domain/requirements/interview.ts';
import { listedId, unaccounted } from '../../domain/requirements/interviewChecklist.ts';
import type { InboxBody } from '../../domain/ticket/inbox.ts';
import { type AnswerInput, answerOf, answerProblem, yesAndNo } from '../../domain/requirements/answers.ts';
import { finalQuestionId, isFollowUp, sameQuestion, sourceOf, withinBudget } from './interviewQuestions.ts';

export type AskedQuestion = InterviewSession['asked'][number];
/** Coverage knows nothing of the checklist. */
type BatchedQuestion = BatchQuestion & Partial<Pick<CoveringQuestion, 'covers'>>;

/**
 * The record with what the budget allows of a batch; no current batch if that is nothing. The engine numbers
 * batches, so that numbers rise whatever the model says.
 */
export function withBatch(
  before: InterviewSession,
  batch: { readonly questions: readonly BatchedQuestion[]; readonly ai_commentary: string },
  source: 'prompt' | 'coverage',
): InterviewSession {
  const number = nextBatchNumber(before);
  const session = batch.questions.reduce(
    (record, question) => withComingAgain(record, question, number),
    before,
  );
  const round =
    Math.max(0, ...session.asked.filter((item) => isFollowUp(item.source)).map((item) => item.round)) + 1;
  const fresh = batch.questions.filter(({ id }) => !session.asked.some((question) => question.id === id));
  const questions = fresh.map((question) => ({ ...question, covers: covered(session, question) }));
  const { kept, trimmed } = withinBudget(session, questions, source);
  const asked = kept.map((question): AskedQuestion => {
    const kind = sourceOf(session, question, source);
    const { answer_type: type } = question;
    const options = type === 'yes_no' ? yesAndNo : type === 'free_text' ? [] : question.options;
    return { ...question, options, source: kind, round: isFollowUp(kind) ? round : 0, batch: number };
  });
  const whole = [...session.asked, ...asked];
  const questionIds = whole.filter((question) => question.batch === number).map(({ id }) => id);
  return {
    ...session,
    asked: whole,
    trimmed: [
      ...session.trimmed,
      ...trimmed.map(({ covers: _covers, ...question }) => ({ ...question, batch: number })),
    ],
    currentBatch:
      questionIds.length > 0 ? { number, source, questionIds, commentary: batch.ai_commentary } : null,
  };
}

/** Puts a question that was answered in an earlier interview into a batch, under its current id. */
function withComingAgain(
  session: InterviewSession,
  { id, question }: BatchedQuestion,
  batch: number,
): InterviewSession {
  const again = session.asked.find(
    (asked) =>
      asked.batch === 0 &&
      (asked.id === id || sameQuestion({ id: asked.id, text: asked.question }, { id, text: question })),
  );
  if (!again) return session;
  const { [again.id]: answer, ...answers } = session.answers;
  return {
    ...session,
    asked: session.asked.map((asked) => (asked === again ? { ...asked, id, batch } : asked)),
    answers: { ...answers, ...(answer ? { [id]: { ...answer, batch } } : {}) },
  };
}

/** Only the checklist counts; the last reason stands. */
export function withSettled(session: InterviewSession, settled: InterviewBatch['settled']): InterviewSession {
  const known = settled.flatMap((one) => {
    const id = listedId(session.checklist, one.id);
    return id === undefined ? [] : [{ ...one, id }];
  });
  const before = session.settled.filter(({ id }) => !known.some((one) => one.id === id));
  return known.length === 0
    ? session
    : { ...session, settled: [...before, ...new Map(known.map((one) => [one.id, one])).values()] };
}

/** The engine asks what is left of the checklist, a few questions at a time, then its last question. */
export function withOwnBatch(session: InterviewSession): InterviewSession {
  const missing = unaccounted(session).slice(0, 3).map(plainQuestion);
  const last = session.asked.some(({ id }) => id === finalQuestionId) ? [] : [finalQuestion];
  const questions = missing.length > 0 ? missing : last;
  return questions.length > 0
    ? withBatch(session, { questions, ai_commentary: '' }, 'prompt')
    : { ...session, currentBatch: null };
}

const finalQuestion: BatchedQuestion = {
  ...plainQuestion({
    id: finalQuestionId,
    phase: 'assembly',
    question: 'Is there anything else that matters for this ticket?',
  }),
  priority: 'low',
};

function plainQuestion(question: InterviewSession['checklist'][number]): CoveringQuestion {
  return {
    ...question,
    priority: 'medium',
    rationale: '',
    answer_type: 'free_text',
    options: [],
    covers: [],
  };
}

/** Other questions of the checklist that a question asks. */
function covered({ checklist }: InterviewSession, { id, covers = [] }: BatchedQuestion): string[] {
  if (id === finalQuestionId) return [];
  const known = covers.flatMap((other) => listedId(checklist, other) ?? []);
  return [...new Set(known)].filter((other) => other !== id);
}

/** The reason why a model's batch can't be put to the user. */
export function batchProblem(
  session: InterviewSession,
  questions: readonly BatchQuestion[],
): string | undefined {
  const ids = questions.map((question) => question.id);
  if (new Set(ids).size !== ids.length) return 'questions: an id is used twice.';
  const again = ids.filter((id) =>
    session.asked.some((question) => question.id === id && question.batch > 0),
  );
  if (again.length > 0)
    return `questions: ${again.join(', ')} was asked before. Ask what is open, or end the interview.`;
  return choiceProblem('questions', questions);
}

export function openQuestions(session: InterviewSession): readonly string[] {
  return session.currentBatch?.questionIds.filter((id) => session.answers[id] === undefined) ?? [];
}

/** The record with a person's answers, or why none can be taken. Earlier answers may be changed. */
export function withAnswers(
  session: InterviewSession,
  body: InboxBody<'answer'>,
  at: string,
):
  | { readonly ok: true; readonly session: InterviewSession }
  | { readonly ok: false; readonly stale: boolean; readonly reason: string } {
  if (body.batch !== undefined && body.batch !== session.currentBatch?.number)
    return { ok: false, stale: true, reason: '' };
  const ids = Object.keys(body.answers);
  if (ids.length === 0) return { ok: false, stale: false, reason: 'there is no answer in it' };
  for (const [id, input] of Object.entries(body.answers)) {
    const question = session.asked.find((candidate) => candidate.id === id);
    if (!question) return { ok: false, stale: false, reason: `question ${id} was not asked` };
    const problem = answerProblem(question, input);
    if (problem !== undefined) return { ok: false, stale: false, reason: `${id}: ${problem}` };
  }
  return {
    ok: true,
    session: { ...session, answers: { ...session.answers, ...kept(session, body.answers, at) } },
  };
}

export function hasRevised(before: InterviewSession, after: InterviewSession): boolean {
  const said = ({ answers }: InterviewSession, id: string): string =>
    canonicalJson({ ...answers[id], answered_at: '' });
  return Object.keys(before.answers).some((id) => said(before, id) !== said(after, id));
}

export function withSkips(
  session: InterviewSession,
  ids: readonly string[],
  reason: string,
  at: string,
): InterviewSession {
  const input: AnswerInput = {
    selected_option_ids: [],
    free_text: '',
    skipped: true,
    ...(reason === '' ? {} : { skip_reason: reason }),
  };
  return {
    ...session,
    answers: { ...session.answers, ...kept(session, Object.fromEntries(ids.map((id) => [id, input])), at) },
  };
}

export function withEverythingSkipped(
  session: InterviewSession,
  reason: string,
  at: string,
): InterviewSession {
  const number = nextBatchNumber(session);
  const added = unaccounted(session).map((question): AskedQuestion => {
    return { ...plainQuestion(question), source: 'compiled', round: 0, batch: number };
  });
  const whole = { ...session, asked: [...session.asked, ...added] };
  const open = whole.asked
    .filter((question) => whole.answers[question.id] === undefined)
    .map((question) => question.id);
  return { ...withSkips(whole, open, reason, at), currentBatch: null };
}

export function stateSection(session: InterviewSession): Section {
  const asked = session.asked.map(({ id, question, covers, batch }) => {
    return { id, question, ...(covers.length > 0 ? { covers } : {}), batch, answer: answerText(session, id) };
  });
  const state = {
    asked,
    settled: session.settled,
    left_out: leftOut(session.trimmed),
    next_batch_number: nextBatchNumber(session),
  };
  return { name: 'session_state', content: stringify(state, { lineWidth: 0 }) };
}

export function answersSection(session: InterviewSession): Section {
  const ids = session.currentBatch?.questionIds ?? [];
  const answers = ids.map((id) => ({ id, answer: answerText(session, id) }));
  const number = session.currentBatch?.number ?? 0;
  const trimmed = leftOut(session.trimmed.filter(({ batch }) => batch === number));
  const said = { batch_number: number, answers, ...(trimmed.length > 0 ? { left_out: trimmed } : {}) };
  return { name: 'answers', content: stringify(said, { lineWidth: 0 }) };
}

function leftOut(trimmed: InterviewSession['trimmed']): readonly object[] {
  return trimmed.map(({ id, question }) => ({
    id,
    question,
    reason: 'beyond the budget for follow-up questions; not asked',
  }));
}

/** An answer as a model reads it, with at most 500 characters of a reason for skipping. */
export function answerText(session: InterviewSession, id: string): unknown {
  const question = session.asked.find((candidate) => candidate.id === id);
  const answer = session.answers[id];
  if (!question || !answer) return { state: 'open' };
  if (answer.skipped)
    return {
      state: 'skipped',
      ...(answer.skip_reason === undefined ? {} : { reason: answer.skip_reason.slice(0, 500) }),
    };
  const selected = answer.selected_option_ids.map(
    (option) => question.options.find((candidate) => candidate.id === option)?.label ?? option,
  );
  return {
    state: 'answered',
    ...(selected.length > 0 ? { selected } : {}),
    ...(answer.free_text === '' ? {} : { text: answer.free_text }),
  };
}

function nextBatchNumber(session: InterviewSession): number {
  return Math.max(0, ...session.asked.map((question) => question.batch)) + 1;
}

function kept(
  session: InterviewSession,
  answers: Readonly<Record<string, AnswerInput>>,
  at: string,
): InterviewSession['answers'] {
  return Object.fromEntries(
    Object.entries(answers).map(([id, input]) => {
      const batch = session.asked.find((question) => question.id === id)?.batch ?? 0;
      return [id, { ...answerOf(input, at), batch }];
    }),
  );
}
