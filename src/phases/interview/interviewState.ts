import { stringify } from 'yaml';
import { canonicalJson } from '../../base/json.ts';
import type { Section } from '../../context/sections.ts';
import type { Answer, AnswerInput } from '../../domain/documents/answers.ts';
import type { BatchQuestion, InterviewBatch, InterviewQuestion, InterviewSession } from '../../domain/documents/interview.ts';
import type { InboxBody } from '../../domain/inbox.ts';
import { answerOf, answerProblem, yesAndNo } from '../../domain/documents/answers.ts';
import { finalQuestionId } from './interviewQuestions.ts';

type Source = InterviewQuestion['source'];
export type AskedQuestion = InterviewSession['asked'][number];

/** The record with a batch that is put to the user. The engine numbers batches, so that numbers rise whatever the model says. */
export function withBatch(
  session: InterviewSession,
  batch: Pick<InterviewBatch, 'questions' | 'ai_commentary'>,
  source: 'prompt' | 'coverage',
): InterviewSession {
  const number = nextBatchNumber(session);
  const round = Math.max(0, ...session.asked.filter((item) => isFollowUp(item.source)).map((item) => item.round)) + 1;
  const asked = batch.questions.map((question): AskedQuestion => {
    const kind = sourceOf(session, question, source);
    const options = question.answer_type === 'yes_no' ? yesAndNo : question.answer_type === 'free_text' ? [] : question.options;
    return { ...question, options, source: kind, round: isFollowUp(kind) ? round : 0, batch: number };
  });
  const currentBatch = { number, source, questionIds: asked.map((question) => question.id), commentary: batch.ai_commentary };
  return { ...session, asked: [...session.asked, ...asked], currentBatch };
}

/** The last question, which the engine asks if the model ended without it. */
export const finalBatch: Pick<InterviewBatch, 'questions' | 'ai_commentary'> = {
  ai_commentary: '',
  questions: [
    {
      id: finalQuestionId,
      question: 'Is there anything else that matters for this ticket?',
      phase: 'assembly',
      priority: 'low',
      rationale: '',
      answer_type: 'free_text',
      options: [],
    },
  ],
};

/** Why a model's batch can't be put to the user: ids asked before, choices without options, more follow-ups than allowed. Undefined if it can. */
export function batchProblem(session: InterviewSession, questions: readonly BatchQuestion[]): string | undefined {
  const ids = questions.map((question) => question.id);
  if (new Set(ids).size !== ids.length) return 'questions: an id is used twice.';
  const again = ids.filter((id) => session.asked.some((question) => question.id === id));
  if (again.length > 0) return `questions: ${again.join(', ')} was asked before. Ask what is open, or end the interview.`;
  const bare = questions.find((question) => question.answer_type.endsWith('_choice') && question.options.length < 2);
  if (bare) return `questions.${bare.id}.options: a choice needs at least two.`;
  const followUps = questions.filter((question) => sourceOf(session, question, 'prompt') === 'prompt_follow_up').length;
  const left = session.maxFollowUps - followUpsUsed(session);
  return followUps > left ? `questions: ${Math.max(0, left)} follow-up questions are left; use the ids of the checklist.` : undefined;
}

/** How many follow-up questions of both kinds were asked. */
export function followUpsUsed(session: InterviewSession): number {
  return session.asked.filter((question) => isFollowUp(question.source)).length;
}

/** The questions of the current batch that have neither answer nor skip. */
export function openQuestions(session: InterviewSession): readonly string[] {
  return session.currentBatch?.questionIds.filter((id) => session.answers[id] === undefined) ?? [];
}

/** The record with a person's answers, or why none of them can be taken. Earlier answers may be changed. */
export function withAnswers(
  session: InterviewSession,
  body: InboxBody<'answer'>,
  at: string,
): { readonly ok: true; readonly session: InterviewSession } | { readonly ok: false; readonly stale: boolean; readonly reason: string } {
  if (body.batch !== undefined && body.batch !== session.currentBatch?.number) return { ok: false, stale: true, reason: '' };
  const ids = Object.keys(body.answers);
  if (ids.length === 0) return { ok: false, stale: false, reason: 'there is no answer in it' };
  for (const [id, input] of Object.entries(body.answers)) {
    const question = session.asked.find((candidate) => candidate.id === id);
    if (!question) return { ok: false, stale: false, reason: `question ${id} was not asked` };
    const problem = answerProblem(question, input);
    if (problem !== undefined) return { ok: false, stale: false, reason: `${id}: ${problem}` };
  }
  return { ok: true, session: { ...session, answers: { ...session.answers, ...kept(session, body.answers, at) } } };
}

/** Whether an earlier answer was changed. */
export function hasRevised(before: InterviewSession, after: InterviewSession): boolean {
  const said = ({ answers }: InterviewSession, id: string): string => canonicalJson({ ...answers[id], answered_at: '' });
  return Object.keys(before.answers).some((id) => said(before, id) !== said(after, id));
}

/** Marks these questions as skipped, or all open ones, including those of the checklist that were never asked. */
export function withSkips(session: InterviewSession, ids: readonly string[], reason: string, at: string): InterviewSession {
  const input: AnswerInput = { selected_option_ids: [], free_text: '', skipped: true, ...(reason === '' ? {} : { skip_reason: reason }) };
  return { ...session, answers: { ...session.answers, ...kept(session, Object.fromEntries(ids.map((id) => [id, input])), at) } };
}

/** The record with every open question skipped; unasked ones of the checklist are added to what was asked. */
export function withEverythingSkipped(session: InterviewSession, reason: string, at: string): InterviewSession {
  const unasked = session.checklist.filter((question) => !session.asked.some((asked) => asked.id === question.id));
  const number = nextBatchNumber(session);
  const added = unasked.map((question): AskedQuestion => {
    return {
      ...question,
      priority: 'medium',
      rationale: '',
      answer_type: 'free_text',
      options: [],
      source: 'compiled',
      round: 0,
      batch: number,
    };
  });
  const whole = { ...session, asked: [...session.asked, ...added] };
  const open = whole.asked.filter((question) => whole.answers[question.id] === undefined).map((question) => question.id);
  return { ...withSkips(whole, open, reason, at), currentBatch: null };
}

/** What a fresh session needs to continue: what was asked and answered. */
export function stateSection(session: InterviewSession): Section {
  const asked = session.asked.map(({ id, question, batch }) => ({ id, question, batch, answer: answerText(session, id) }));
  return { name: 'session_state', content: stringify({ asked, next_batch_number: nextBatchNumber(session) }, { lineWidth: 0 }) };
}

/** The user's answers to the current batch, in words. */
export function answersSection(session: InterviewSession): Section {
  const ids = session.currentBatch?.questionIds ?? [];
  const answers = ids.map((id) => ({ id, answer: answerText(session, id) }));
  return { name: 'answers', content: stringify({ batch_number: session.currentBatch?.number ?? 0, answers }, { lineWidth: 0 }) };
}

/** An answer as a model reads it. A reason for skipping is cut to 500 characters (docs/decisions/021-interview.md). */
export function answerText(session: InterviewSession, id: string): unknown {
  const question = session.asked.find((candidate) => candidate.id === id);
  const answer: Answer | undefined = session.answers[id];
  if (!question || !answer) return { state: 'open' };
  if (answer.skipped)
    return { state: 'skipped', ...(answer.skip_reason === undefined ? {} : { reason: answer.skip_reason.slice(0, 500) }) };
  const selected = answer.selected_option_ids.map(
    (option) => question.options.find((candidate) => candidate.id === option)?.label ?? option,
  );
  return {
    state: 'answered',
    ...(selected.length > 0 ? { selected } : {}),
    ...(answer.free_text === '' ? {} : { text: answer.free_text }),
  };
}

export function nextBatchNumber(session: InterviewSession): number {
  return Math.max(0, ...session.asked.map((question) => question.batch)) + 1;
}

function kept(session: InterviewSession, answers: Readonly<Record<string, AnswerInput>>, at: string): InterviewSession['answers'] {
  return Object.fromEntries(
    Object.entries(answers).map(([id, input]) => {
      const batch = session.asked.find((question) => question.id === id)?.batch ?? 0;
      return [id, { ...answerOf(input, at), batch }];
    }),
  );
}

function sourceOf(session: InterviewSession, question: BatchQuestion, source: 'prompt' | 'coverage'): Source {
  if (source === 'coverage') return 'coverage_follow_up';
  if (question.id === finalQuestionId) return 'final_free_form';
  return session.checklist.some((known) => known.id === question.id) ? 'compiled' : 'prompt_follow_up';
}

function isFollowUp(source: Source): boolean {
  return source === 'prompt_follow_up' || source === 'coverage_follow_up';
}
