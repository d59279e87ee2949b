import type { ModelWindow } from '../domain/usage/promptPlan.ts';

/** Kept free for the answer, in tokens; never more than this part of the window. */
const answerReserve = 16_000;
const mostReserved = 0.25;
/** Kept free because tokens are estimated. */
const safety = 0.05;

/** A prompt's tokens: as wanted, within the window (docs/decisions/040-prompt-order-and-budget.md). */
export function promptBudget(wanted: number, window: ModelWindow | undefined): number {
  if (!window || window.context <= 0) return wanted;
  const { context, output } = window;
  const reserve = Math.min(output > 0 ? output : answerReserve, answerReserve, context * mostReserved);
  return Math.max(0, Math.min(wanted, Math.floor(context * (1 - safety) - reserve)));
}
