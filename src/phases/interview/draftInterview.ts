import { InterviewDraft, interviewDocument } from '../../domain/requirements/interview.ts';
import { timeoutMs } from '../../domain/settings/settings.ts';
import type { HandlerDefinition } from '../../engine/run/run.ts';
import { yamlText } from '../shared/ticket/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import { ticketParts, takeUserContext } from '../shared/ticket/ticketParts.ts';
import { regenerateNote } from '../shared/council/drafts.ts';
import { runCouncil } from '../shared/council/runCouncil.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import { givenAnswers } from './earlierAnswers.ts';
import { inPhaseOrder, maxQuestions, questionsProblem } from './interviewQuestions.ts';

/**
 * COUNCIL_DELIBERATING: every member drafts the questions it would ask
 * (docs/decisions/018-council-drafts-and-quorum.md).
 */
export const draftInterview: HandlerDefinition<'ready'> = {
  version: 1,
  run: async (run, ticket) => {
    const { settings } = ticketParts(ticket);
    const sections = [
      ...(await takeUserContext(run, ticket)),
      ...regenerateNote(ticket),
      { name: 'counters', content: `max_questions: ${maxQuestions(settings)}` } as const,
    ];
    await runCouncil(run, ticket, interviewDocument.kind, async (branch, member, onProviderFailure, lens) => {
      const { value } = await ask(branch, ticket, {
        key: 'draft',
        contextKey: 'interview_draft',
        prompt: 'interview-draft',
        member,
        sections: async (io) => [...sections, ...lens, ...(await givenAnswers(io))],
        parse: parseStructured({ schema: InterviewDraft, check: questionsProblem(settings) }),
        result: InterviewDraft,
        activeMs: timeoutMs(run.limits.councilResponseTimeout),
        onProviderFailure,
      });
      const questions = inPhaseOrder(value.questions);
      return { content: yamlText({ questions }), metrics: { questionCount: questions.length } };
    });
    return { exit: 'ready' };
  },
};
