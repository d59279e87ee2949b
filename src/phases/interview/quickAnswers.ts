import * as z from 'zod';
import { BatchQuestion, InterviewSession } from '../../domain/requirements/interview.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { HandlerDefinition, RecordIo } from '../../engine/run/run.ts';
import { artifactChange, storedDocument, yamlText } from '../shared/ticket/artifacts.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { finish, hear } from './interview.ts';
import { withBatch } from './interviewState.ts';

const Asked = z.object({ ai_commentary: z.string(), questions: z.array(BatchQuestion) });

/**
 * WAITING_QUICK_ANSWERS: a person answers what the model of a quick ticket couldn't decide
 * (docs/decisions/103-quick-tickets.md). It is an interview of one batch, so that pages and commands are
 * those of the interview. Nobody approves it: the answers are the person's own.
 */
export const quickAnswers: HandlerDefinition<'complete'> = {
  version: 1,
  run: async (run, ticket) => {
    const record = await run.record('open', InterviewSession, (io) => openRecord(io, ticket));
    const { session } = await hear(run, ticket, record, 0);
    return finish(run, ticket, session, 'complete');
  },
};

/** The record as far as it was answered before, or a new one. */
async function openRecord(io: RecordIo, ticket: TicketSnapshot): Promise<InterviewSession> {
  if (await io.ports.store.artifact(io.ticket, 'interview_session')) {
    return (await storedDocument(io, 'interview_session', InterviewSession)).document;
  }
  const { document: asked } = await storedDocument(io, 'quick_questions', Asked);
  const empty = InterviewSession.parse({
    schemaVersion: 1,
    winner: ticketParts(ticket).settings.mainImplementer,
    maxFollowUps: 0,
    checklist: asked.questions.map(({ id, phase, question }) => ({ id, phase, question })),
    asked: [],
    answers: {},
    currentBatch: null,
    summary: { goals: [], constraints: [], non_goals: [], final_free_form_answer: '' },
  });
  const session = withBatch(empty, asked, 'prompt');
  io.save(artifactChange(ticket, 'interview_session', yamlText(session)));
  return session;
}
