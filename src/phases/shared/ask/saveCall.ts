import { withoutSecretsInText } from '../../../base/outputSecrets.ts';
import { parseMember } from '../../../domain/council/council.ts';
import type { PromptPlan, Usage } from '../../../domain/usage/promptPlan.ts';
import { tokensOf } from '../../../domain/usage/budgets.ts';
import type { SessionRef } from '../../../engine/ports/ports.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import { type Repair, repairsText } from '../structured/text/repair.ts';
import type { AskScope, CallFrame } from '../structured/askTypes.ts';
import type { Exchange } from './conversation.ts';

interface SavedCall {
  readonly plan: PromptPlan;
  readonly session: SessionRef;
  readonly exchange: Exchange;
  readonly main: string;
  readonly allowed: readonly string[];
  readonly problem: string;
  readonly repairs: readonly Repair[];
}

/** Stages a call and its usage, under the same id on every attempt. `problem`: empty if it was accepted. */
export async function saveCall(
  io: StepIo,
  scope: AskScope,
  frame: CallFrame,
  call: SavedCall,
): Promise<Usage | null> {
  const { reply, purpose, number, input, startedAt } = call.exchange;
  const outcome = call.problem === '' ? 'accepted' : reply.ok ? 'rejected' : 'failed';
  const endedAt = io.ports.clock.now();
  const id = `${io.key}#${call.session.id}#${number}`;
  io.save({
    type: 'call',
    call: {
      id,
      ticket: io.ticket,
      run: scope.runId,
      step: frame.key,
      session: call.session.id,
      plan: call.plan,
      input: withoutSecretsInText(purpose === 'ask' ? call.main : input, call.allowed),
      output: reply.ok ? reply.text : reply.partial,
      outcome,
      error: call.problem === '' ? repairsText(call.repairs) : call.problem,
      startedAt,
      endedAt,
    },
  });
  const { member, prompt } = frame;
  io.ports.events.emit({
    type: 'call',
    ticket: io.ticket,
    at: endedAt,
    member,
    prompt,
    outcome,
    ms: Math.max(0, endedAt - startedAt),
  });
  const usage = await usageOf(io, frame.member, call);
  if (usage) io.save({ type: 'usage', run: scope.runId, call: id, usage });
  return usage;
}

async function usageOf(
  { ports: { tokens } }: StepIo,
  member: string,
  { session, exchange, main }: SavedCall,
): Promise<Usage | null> {
  const { reply, number, input, purpose } = exchange;
  if (reply.usage && tokensOf(reply.usage) > 0) return reply.usage;
  const output = reply.ok ? reply.text : reply.partial;
  if (output === '') return reply.usage;
  const { provider, model } = parseMember(member);
  return {
    messageId: reply.usage?.messageId ?? `${session.id}#${number}`,
    model: `${provider}/${model}`,
    input: await tokens.count(purpose === 'ask' ? main : input),
    output: await tokens.count(output),
    reasoning: 0,
    cacheRead: 0,
    cacheWrite: 0,
    cost: 0,
    estimated: true,
  };
}
