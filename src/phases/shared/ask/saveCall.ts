import { BeadsmithError } from '../../../domain/errors.ts';
import type { PromptPlan } from '../../../domain/promptPlan.ts';
import type { SessionRef } from '../../../engine/ports/ports.ts';
import type { RecordIo } from '../../../engine/run/run.ts';
import { type Repair, repairsText } from '../structured/repair.ts';
import type { AskScope, QuestionFrame } from './askTypes.ts';
import type { Exchange } from './conversation.ts';

/**
 * Stages the record of one model call and its usage, under an id that is the same on every attempt at the step. `problem` says why the answer was
 * not accepted; a rejected text is kept here and nowhere else. Of an accepted one the repairs are kept in that place, a line each.
 */
export function saveCall(
  io: RecordIo,
  scope: AskScope,
  question: QuestionFrame,
  call: {
    readonly plan: PromptPlan;
    readonly session: SessionRef;
    readonly exchange: Exchange;
    readonly main: string;
    readonly problem: string;
    readonly repairs: readonly Repair[];
  },
): void {
  const { reply, purpose, number, input, startedAt } = call.exchange;
  const outcome = call.problem === '' ? 'accepted' : reply.ok ? 'rejected' : 'failed';
  const endedAt = io.ports.clock.now();
  io.save({
    type: 'call',
    call: {
      id: `${io.key}#${call.session.id}#${String(number)}`,
      ticket: io.ticket,
      run: scope.runId,
      step: question.key,
      session: call.session.id,
      plan: call.plan,
      input: purpose === 'ask' ? call.main : input,
      output: reply.ok ? reply.text : reply.partial,
      outcome,
      error: call.problem === '' ? repairsText(call.repairs) : call.problem,
      startedAt,
      endedAt,
    },
  });
  const { member, prompt } = question;
  io.ports.events.emit({ type: 'call', ticket: io.ticket, at: endedAt, member, prompt, outcome, ms: Math.max(0, endedAt - startedAt) });
  if (reply.usage) io.save({ type: 'usage', run: scope.runId, usage: reply.usage });
}

/**
 * Checks the ticket's cap before a call (docs/decisions/007-limits-and-caps.md). Throws BUDGET_EXHAUSTED, continuable: with a higher cap the same
 * step continues. The cap is the whole ticket's, so the one that holds now counts, not the run's. Every token counts, also those a cache gave.
 */
export async function checkTokenCap(io: RecordIo): Promise<void> {
  const { tokenCap = 0 } = (await io.ports.store.ticket(io.ticket))?.limits ?? {};
  if (tokenCap === 0) return;
  let used = 0;
  for (const usage of await io.ports.store.usage(io.ticket))
    used += usage.input + usage.output + usage.reasoning + usage.cacheRead + usage.cacheWrite;
  if (used >= tokenCap) throw new BeadsmithError('BUDGET_EXHAUSTED', { used, cap: tokenCap }, { continuable: true });
}
