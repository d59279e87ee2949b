import { type BatchQuestion, InterviewSession } from '../domain/requirements/interview.ts';
import type { Client } from './api.ts';
import { readArtifact } from './readDocument.ts';

/** The questions that are asked now. An answer names `number`; the model says `commentary`. */
export interface OpenBatch {
  readonly number: number;
  readonly commentary: string;
  /** The questions of the batch that have no answer yet. */
  readonly questions: readonly BatchQuestion[];
}

/** The interview questions that wait for answers; undefined if there are none. */
export async function openQuestions(client: Client, ticket: string): Promise<OpenBatch | undefined> {
  const session = await readArtifact(client, ticket, 'interview_session', InterviewSession);
  const batch = session?.currentBatch;
  if (!session || !batch) return undefined;
  const questions = session.asked.filter(
    ({ id }) => batch.questionIds.includes(id) && !Object.hasOwn(session.answers, id),
  );
  return questions.length > 0 ? { number: batch.number, commentary: batch.commentary, questions } : undefined;
}
