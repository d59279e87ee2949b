import type { ModelWindow } from '../domain/usage/promptPlan.ts';

/** Tokens kept for the answer, and their share of the window. */
const answerReserve = 16_000;
const mostReserved = 0.25;
/** Kept free because tokens are estimated. */
const safety = 0.05;

/** Tokens within the model's window (docs/decisions/040-prompt-order-and-budget.md). */
export function promptBudget(wanted: number, window: ModelWindow | undefined): number {
  if (!window || window.context <= 0) return wanted;
  const { context, output } = window;
  const reserve = Math.min(output > 0 ? output : answerReserve, answerReserve, context * mostReserved);
  return Math.max(0, Math.min(wanted, Math.floor(context * (1 - safety) - reserve)));
}
