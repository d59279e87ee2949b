import { stringify } from 'yaml';
import * as z from 'zod';
import type { BeadsmithError } from '../../domain/core/errors.ts';
import {
  InterviewBatch,
  InterviewComplete,
  type InterviewSession,
} from '../../domain/requirements/interview.ts';
import { unaccounted } from '../../domain/requirements/interviewChecklist.ts';
import { timeoutMs } from '../../domain/settings/settings.ts';
import type { Section } from '../../context/sections.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Run } from '../../engine/run/run.ts';
import { ask } from '../shared/ask/ask.ts';
import { type Answer, type OpenSession, type Parsed, parsedAs } from '../shared/structured/askTypes.ts';
import { isFailureOf } from '../shared/ask/providerError.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import { followUpsUsed, withinBudget } from './interviewQuestions.ts';
import { answersSection, batchProblem, stateSection, withSettled } from './interviewState.ts';

export const Turn = z.union([
  z.object({ type: z.literal('batch'), batch: InterviewBatch }),
  z.object({ type: z.literal('complete'), complete: InterviewComplete }),
]);
export type Turn = z.infer<typeof Turn>;

/** Asks the interviewer for its next batch or the end. A lost session starts again from the record. */
export async function askNextBatch(
  run: Run,
  ticket: TicketSnapshot,
  options: {
    readonly key: string;
    readonly interview: InterviewSession;
    readonly session: OpenSession | undefined;
    /** Answers to earlier batches were changed, so the session remembers them wrongly. */
    readonly revised: boolean;
    readonly sections: readonly Section[];
  },
): Promise<Answer<Turn>> {
  const { key, interview, session } = options;
  const common = {
    contextKey: 'interview_qa',
    member: interview.winner,
    parse: parseTurn(interview),
    result: Turn,
    activeMs: timeoutMs(run.limits.councilResponseTimeout),
  } as const;
  const counters = { max_follow_ups: Math.max(0, interview.maxFollowUps - followUpsUsed(interview)) };
  const fresh: Section[] = [
    ...options.sections,
    { name: 'checklist', content: stringify({ questions: interview.checklist }, { lineWidth: 0 }) },
    { name: 'counters', content: stringify(counters) },
    ...(interview.asked.length > 0 ? [stateSection(interview)] : []),
  ];
  if (session) {
    const answers = answersSection(interview);
    const sections = [...options.sections, answers, ...(options.revised ? [stateSection(interview)] : [])];
    const inFreshSession = { prompt: 'interview-qa', sections: [...fresh, answers] };
    try {
      return await ask(run, ticket, {
        ...common,
        key,
        prompt: 'interview-answers',
        session,
        sections,
        inFreshSession,
      });
    } catch (error) {
      if (!isFailureOf(error, endsSession) || !maySendAgain(ticket, error)) throw error;
    }
  }
  return ask(run, ticket, { ...common, key: `${key}-fresh`, prompt: 'interview-qa', sections: fresh });
}

/** After these a fresh session may do better: it gets the whole record. */
const endsSession = ['SESSION_LOST', 'RESPONSE_INVALID', 'OUTPUT_TRUNCATED'] as const;

/** A lost session is always replaced; after an unusable answer only where answers may be corrected at all. */
function maySendAgain(ticket: TicketSnapshot, { code }: BeadsmithError): boolean {
  return code === 'SESSION_LOST' || ticketParts(ticket).settings.structuredRetryCount > 0;
}

/** Reads one of the two blocks: the last one counts, since a model may mention the other in passing. */
function parseTurn(interview: InterviewSession): (text: string) => Parsed<Turn> {
  const readBatch = parseStructured({
    tag: 'INTERVIEW_BATCH',
    schema: InterviewBatch,
    check: (batch) => batchProblem(interview, batch.questions),
  });
  const readEnd = parseStructured({ tag: 'INTERVIEW_COMPLETE', schema: InterviewComplete });
  return (text) => {
    const isEnd =
      text.toUpperCase().lastIndexOf('<INTERVIEW_COMPLETE>') >
      text.toUpperCase().lastIndexOf('<INTERVIEW_BATCH>');
    const parsed: Parsed<Turn> = isEnd
      ? parsedAs(readEnd(text), (complete) => ({ type: 'complete', complete }) as const)
      : parsedAs(readBatch(text), (batch) => ({ type: 'batch', batch }) as const);
    const problem = parsed.ok ? turnProblem(interview, parsed.value) : undefined;
    return parsed.ok && problem !== undefined ? { ok: false, problem, fallback: parsed.value } : parsed;
  };
}

/** The problem for the model to solve. If it doesn't, the engine asks what is left. */
function turnProblem(interview: InterviewSession, turn: Turn): string | undefined {
  if (turn.type === 'batch') {
    if (withinBudget(interview, turn.batch.questions, 'prompt').kept.length > 0) return undefined;
    return 'questions: no follow-up question is left. Use the ids of the checklist, or end the interview.';
  }
  const missing = unaccounted(withSettled(interview, turn.complete.settled));
  if (missing.length === 0) return undefined;
  return [
    'The interview can’t end yet. These questions of the checklist were neither asked, nor named in `covers` of a question that was, nor settled:',
    ...missing.map(({ id, question }) => `- ${id}: ${question}`),
    'Ask them in an INTERVIEW_BATCH, or list each under `settled` of INTERVIEW_COMPLETE with the reason.',
  ].join('\n');
}
