import * as z from 'zod';
import type { Run } from '../engine/run.ts';
import type { TicketSnapshot } from '../domain/ticket.ts';
import { askInStep } from './asking/askInStep.ts';
import type { Answer, Question } from './askTypes.ts';

const AskedSession = z.object({ id: z.string(), directory: z.string(), prompts: z.number().int() });

/**
 * Puts one question to one model, as one step (architecture.md sections 5, 7). After an interruption the session is found again and looked at
 * before anything is sent, so that a prompt is never sent twice.
 *
 * Errors thrown: CONTEXT_OVER_BUDGET, BUDGET_EXHAUSTED, RESPONSE_INVALID, OUTPUT_TRUNCATED, LIMIT_EXPIRED, SESSION_LOST (only with `session`),
 * PROVIDER_AUTH, PROVIDER_QUOTA, PROVIDER_ERROR, MODEL_UNKNOWN, OPENCODE_GONE. One that is `continuable` leaves the step open: `continue` goes on
 * in the same session. With `onProviderFailure: 'fail'` only BUDGET_EXHAUSTED is continuable.
 */
export function ask<T>(run: Run, ticket: TicketSnapshot, question: Question<T>): Promise<Answer<T>> {
  return run.step(
    question.key,
    z.object({ value: question.result, session: AskedSession }),
    (io) => askInStep(io, { runId: run.runId, limits: run.limits, ticket }, question),
    { activeMs: question.activeMs },
  );
}
