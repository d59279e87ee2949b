import * as z from 'zod';
import type { Settled } from '../../base/result.ts';
import { AnswerInput, Interview } from '../../domain/documents/interview.ts';
import { type InboxBody } from '../../domain/inbox.ts';
import type { RecordIo } from '../../engine/run/run.ts';
import { isoNow, storedDocument, yamlText, readEdit } from '../shared/artifacts.ts';
import type { GateDocument } from '../shared/gate/approvalGate.ts';
import { sized } from '../shared/receipts.ts';
import { repeatedIds } from '../shared/structured/decode.ts';
import { answerOf, answerProblem } from './interviewQuestions.ts';

/** The interview at its gate. */
export const interviewDocument: GateDocument = {
  artifact: 'interview',
  shown: 'The interview',
  present: async (io) => sized((await storedDocument(io, 'interview', Interview)).content),
  approve: async (io, at) => {
    const stored = await storedDocument(io, 'interview', Interview);
    return saveInterview(io, approvedInterview(stored.document, at), stored).sha256;
  },
  edit: async (io, edit) => {
    const stored = await storedDocument(io, 'interview', Interview);
    const edited = readInterviewEdit(edit, stored.document, isoNow(io));
    if (!edited.ok) return { ok: false, reason: edited.error };
    const draft: Interview = { ...edited.value, status: 'draft', approval: { approved_by: '', approved_at: '' } };
    return { ok: true, after: saveInterview(io, draft, stored), invalidated: [] };
  },
};

/** The interview, marked as approved. */
export function approvedInterview(interview: Interview, at: string): Interview {
  return { ...interview, status: 'approved', approval: { approved_by: 'user', approved_at: at } };
}

/** Stages a version of the interview, filed where the version it replaces is. */
export function saveInterview(
  io: RecordIo,
  interview: Interview,
  place: Pick<Awaited<ReturnType<typeof storedDocument>>, 'status' | 'attempt'>,
): ReturnType<typeof sized> {
  const content = yamlText(interview);
  io.save({ type: 'artifact', artifact: 'interview', content, status: place.status, attempt: place.attempt });
  return sized(content);
}

/** Reads an edit: the whole document, or (surface `answers`) new answers by question id. */
export function readInterviewEdit(edit: InboxBody<'edit'>, present: Interview, at: string): Settled<Interview, string> {
  const read = edit.surface === 'answers' ? withAnswers(edit.content, present, at) : readEdit(Interview, edit.content);
  if (!read.ok) return read;
  const problem = problemOf(read.value, present);
  return problem === undefined ? read : { ok: false, error: problem };
}

function withAnswers(content: string, present: Interview, at: string): Settled<Interview, string> {
  const answers = readEdit(z.record(z.string(), AnswerInput), content);
  if (!answers.ok) return answers;
  for (const [id, input] of Object.entries(answers.value)) {
    const question = present.questions.find((candidate) => candidate.id === id);
    if (!question) return { ok: false, error: `There is no question ${id}.` };
    const problem = answerProblem(question, input);
    if (problem !== undefined) return { ok: false, error: `${id}: ${problem}` };
  }
  const questions = present.questions.map((question) => {
    const input = answers.value[question.id];
    return input ? { ...question, answer: answerOf(input, at) } : question;
  });
  return { ok: true, value: { ...present, questions } };
}

function problemOf(interview: Interview, present: Interview): string | undefined {
  if (interview.ticket_id !== present.ticket_id) return `ticket_id: it has to be ${present.ticket_id}.`;
  for (const { id, answer, ...question } of interview.questions) {
    const problem = answerProblem(question, answer);
    if (problem !== undefined) return `questions.${id}.answer: ${problem}`;
  }
  return repeatedIds(
    'questions',
    interview.questions.map((question) => question.id),
  );
}
