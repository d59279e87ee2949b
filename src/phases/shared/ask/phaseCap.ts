import { BeadsmithError } from '../../../domain/errors.ts';
import type { Usage } from '../../../domain/promptPlan.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import type { PhaseCap } from './askTypes.ts';
import { capReached } from './ticketBudget.ts';
import { budgetExhausted, tokensLeft, tokensOf, type TokenBudget } from './saveCall.ts';

/**
 * The tokens that the next call of a step may use: those that are left to the ticket, and to the optional phase that the call belongs to. `own`: what
 * the step used so far. Throws BUDGET_EXHAUSTED, COST_CAP_REACHED or TIME_CAP_REACHED, continuable; in an optional phase PHASE_CAP_REACHED instead, so that the ticket continues without it.
 */
export async function tokensForCall(
  io: StepIo,
  { runId, cap }: { readonly runId: string; readonly cap: PhaseCap | undefined },
  budget: TokenBudget,
  own: readonly Usage[],
): Promise<number | undefined> {
  const reached = await capReached(io, own);
  if (reached) throw cap ? phaseCapReached(cap, reached.message) : reached;
  if (!cap) return tokensLeft(budget);
  const ticket = budget.cap === undefined ? undefined : budget.cap - budget.used;
  if (ticket !== undefined && ticket <= 0) throw phaseCapReached(cap, budgetExhausted(budget.used, budget.cap ?? 0).message);
  const used = [...(await usedByPhase(io, runId)), ...own];
  const cents = used.reduce((sum, { cost }) => sum + cost, 0) * 100;
  if (cap.cents > 0 && cents >= cap.cents) throw phaseCapReached(cap, `${cents.toFixed(1)} of ${String(cap.cents)} US cents`);
  if (cap.tokens === 0) return ticket;
  const tokens = used.reduce((sum, usage) => sum + tokensOf(usage), 0);
  if (tokens >= cap.tokens) throw phaseCapReached(cap, `${String(tokens)} of ${String(cap.tokens)} tokens`);
  return Math.min(cap.tokens - tokens, ticket ?? Number.POSITIVE_INFINITY);
}

/** The call was ended because it used what was left to its phase. */
export function phaseCapReached({ phase, tokens }: PhaseCap, limit = `${String(tokens)} tokens`): BeadsmithError {
  return new BeadsmithError('PHASE_CAP_REACHED', { phase, limit });
}

/** What the earlier steps of the phase used: in an iteration those of the same stage, elsewhere those of the same run. */
async function usedByPhase(io: StepIo, runId: string): Promise<readonly Usage[]> {
  const [first = '', ...rest] = io.key.slice(runId.length + 1).split('/');
  // Personas of a party answer in branches of the same phase, and a branch's name has no number.
  const isStage = rest.length > 0 && /^\w+:\d+$/.test(first);
  const start = `${runId}/${isStage ? `${first}/` : ''}`;
  return (await io.ports.store.usage(io.ticket)).filter(({ run, call }) => run === runId && call?.startsWith(start));
}
