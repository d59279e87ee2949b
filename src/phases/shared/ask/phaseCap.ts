import { BeadsmithError } from '../../../domain/core/errors.ts';
import { budgetReached, type Spent, spentOn, unitNames } from '../../../domain/usage/budgets.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import type { PhaseCap } from '../structured/askTypes.ts';
import { type BudgetPlace, budgetsOf, leftOf } from './budgets.ts';

/** The bounds of a call: tokens, and US dollars at list prices; undefined for no bound. */
export interface CallBounds {
  readonly tokens: number | undefined;
  readonly dollars: number | undefined;
}

/**
 * Returns the bounds of a step's next call: what is left of the budgets of the ticket, and to the optional
 * phase that the call belongs to. Throws BUDGET_EXHAUSTED, COST_CAP_REACHED or TIME_CAP_REACHED, continuable;
 * in an optional phase PHASE_CAP_REACHED instead, so that the ticket continues without it.
 */
export async function boundsOfCall(
  io: StepIo,
  place: BudgetPlace,
  cap: PhaseCap | undefined,
): Promise<CallBounds> {
  const uses = await budgetsOf(io, place);
  const reached = budgetReached(uses);
  if (reached) throw cap ? phaseCapReached(cap, reached.message) : reached;
  const left = leftOf(uses);
  if (!cap) return left;
  const { tokens, cents } = await usedByPhase(io, place);
  if (cap.cents > 0 && cents >= cap.cents)
    throw phaseCapReached(cap, `${cents.toFixed(1)} of ${String(cap.cents)} ${unitNames.cents}`);
  if (cap.tokens === 0) return left;
  if (tokens >= cap.tokens) throw phaseCapReached(cap, `${String(tokens)} of ${String(cap.tokens)} tokens`);
  return { ...left, tokens: Math.min(cap.tokens - tokens, left.tokens ?? Number.POSITIVE_INFINITY) };
}

/** The call was ended because it used what was left to its phase. */
export function phaseCapReached(
  { phase, tokens }: PhaseCap,
  limit = `${String(tokens)} tokens`,
): BeadsmithError {
  return new BeadsmithError('PHASE_CAP_REACHED', { phase, limit });
}

/**
 * Returns what the phase used with this step: in an iteration what its stage used, elsewhere what its run
 * used.
 */
async function usedByPhase(io: StepIo, { runId, own }: BudgetPlace): Promise<Spent> {
  const [first = '', ...rest] = io.key.slice(runId.length + 1).split('/');
  // Personas of a party answer in branches of the same phase, and a branch's name has no number.
  const isStage = rest.length > 0 && /^\w+:\d+$/.test(first);
  const start = `${runId}/${isStage ? `${first}/` : ''}`;
  const earlier = (await io.ports.store.usage(io.ticket)).filter(
    ({ run, call }) => run === runId && call?.startsWith(start),
  );
  return spentOn([...earlier, ...own]);
}
