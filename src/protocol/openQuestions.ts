import { type BatchQuestion, InterviewSession } from '../domain/requirements/interview.ts';
import type { Client } from './api.ts';
import { readArtifact } from './readDocument.ts';

/** The current questions. `commentary`: of the model. */
export interface OpenBatch {
  readonly number: number;
  readonly commentary: string;
  readonly questions: readonly BatchQuestion[];
}

/** The interview questions that wait for answers. */
export async function openQuestions(client: Client, ticket: string): Promise<OpenBatch | undefined> {
  const session = await readArtifact(client, ticket, 'interview_session', InterviewSession);
  const batch = session?.currentBatch;
  if (!session || !batch) return undefined;
  const questions = session.asked.filter(
    ({ id }) => batch.questionIds.includes(id) && !Object.hasOwn(session.answers, id),
  );
  return questions.length > 0 ? { number: batch.number, commentary: batch.commentary, questions } : undefined;
}
