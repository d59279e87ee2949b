import * as z from 'zod';
import { CompiledInterview, type InterviewSession } from '../../domain/interview.ts';
import { timeoutMs } from '../../domain/settings.ts';
import type { HandlerDefinition } from '../../engine/run.ts';
import { ask } from '../ask.ts';
import { winnerFirst } from '../council/councilDrafts.ts';
import { winnerOf } from '../council/winnerOf.ts';
import { ticketParts } from '../execution/ticketParts.ts';
import { parseStructured } from '../structured/parseStructured.ts';
import { takeUserContext } from '../takeUserContext.ts';
import { yamlText } from '../yamlText.ts';
import { inPhaseOrder, maxFollowUps, maxQuestions, questionsProblem } from './interviewQuestions.ts';

/** COMPILING_INTERVIEW: the winner makes the final question set from its draft and the others, and the empty record of the live interview is laid out. */
export const compileInterview: HandlerDefinition<'ready'> = {
  version: 1,
  run: async (run, ticket) => {
    const { settings } = ticketParts(ticket);
    const context = await takeUserContext(run, ticket);
    const winner = await winnerOf(run, 'interview');
    const { value } = await ask(run, ticket, {
      key: 'compile',
      contextKey: 'interview_refine',
      prompt: 'interview-refine',
      member: winner,
      sections: [...context, { name: 'counters', content: `max_questions: ${maxQuestions(settings)}` }],
      state: async (io) => ({ drafts: await winnerFirst(io, 'interview') }),
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
      answers: {},
      currentBatch: null,
      summary: null,
    };
    await run.record('record', z.null(), (io) => {
      const place = { status: ticket.status, attempt: ticket.attempt };
      io.save({ type: 'artifact', artifact: 'interview_compiled', content: yamlText(compiled), ...place });
      io.save({ type: 'artifact', artifact: 'interview_session', content: yamlText(session), ...place });
      return Promise.resolve(null);
    });
    return { exit: 'ready' };
  },
};
