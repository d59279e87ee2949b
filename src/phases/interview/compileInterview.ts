import * as z from 'zod';
import { CompiledInterview, type InterviewSession, interviewDocument } from '../../domain/documents/interview.ts';
import { timeoutMs } from '../../domain/settings.ts';
import type { HandlerDefinition } from '../../engine/run/run.ts';
import { yamlText } from '../shared/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import { ticketParts, takeUserContext } from '../shared/ask/ticketParts.ts';
import { winnerOf } from '../shared/council/drafts.ts';
import { refineSections, winnerFirst } from '../shared/council/refineContext.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import { givenAnswers, withEarlierAnswers } from './earlierAnswers.ts';
import { inPhaseOrder, maxFollowUps, maxQuestions, questionsProblem } from './interviewQuestions.ts';

/**
 * COMPILING_INTERVIEW: the winner makes the final question list from its draft and the others, and the empty record of the live interview is created.
 */
export const compileInterview: HandlerDefinition<'ready'> = {
  version: 1,
  run: async (run, ticket) => {
    const { settings } = ticketParts(ticket);
    const context = await takeUserContext(run, ticket);
    const winner = await winnerOf(run, interviewDocument.kind);
    const { value } = await ask(run, ticket, {
      key: 'compile',
      contextKey: 'interview_refine',
      prompt: 'interview-refine',
      member: winner,
      sections: async (io) => [
        ...context,
        ...(await refineSections(io, interviewDocument.kind)),
        ...(await givenAnswers(io)),
        { name: 'counters', content: `max_questions: ${maxQuestions(settings)}` },
      ],
      state: async (io) => ({ drafts: await winnerFirst(io, interviewDocument.kind) }),
      parse: parseStructured({ schema: CompiledInterview, check: questionsProblem(settings) }),
      result: CompiledInterview,
      activeMs: timeoutMs(run.limits.councilResponseTimeout),
    });
    const compiled = { questions: inPhaseOrder(value.questions), changes: value.changes };
    const session: InterviewSession = {
      schemaVersion: 1,
      winner,
      maxFollowUps: maxFollowUps(settings),
      checklist: compiled.questions,
      asked: [],
      settled: [],
      trimmed: [],
      answers: {},
      currentBatch: null,
      summary: null,
    };
    await run.record('record', z.null(), async (io) => {
      const place = { status: ticket.status, attempt: ticket.attempt };
      io.save({ type: 'artifact', artifact: 'interview_compiled', content: yamlText(compiled), ...place });
      io.save({ type: 'artifact', artifact: 'interview_session', content: yamlText(await withEarlierAnswers(io, session)), ...place });
      return null;
    });
    return { exit: 'ready' };
  },
};
