import { BeadsmithError, type ErrorCode, filled, type Words } from '../core/errors.ts';
import type { Usage } from './promptPlan.ts';
import { budgetLimits } from '../settings/budgets.ts';
import type { BudgetPlace } from '../settings/rows/row.ts';
import type { Limits } from '../settings/settings.ts';

/** People are told from here on (docs/decisions/149-budgets-pause-the-work.md). */
const nearShare = 0.7;

/** Tokens, US cents at list prices, and minutes of models and commands. */
export interface Spent {
  readonly tokens: number;
  readonly cents: number;
  readonly minutes: number;
}

/** No use. */
export const nothingSpent: Spent = { tokens: 0, cents: 0, minutes: 0 };

/** English unit names. */
export const unitNames: { readonly [U in keyof Spent]: string } = {
  tokens: 'tokens',
  cents: 'US cents',
  minutes: 'minutes',
};

/** A ticket, its status, the bead in work, or the repository's day. */
export type BudgetScope = Exclude<BudgetPlace['per'], 'optionalPhase'>;

/** Limits that pause a ticket, with scope and unit. */
export const budgets: readonly {
  readonly scope: BudgetScope;
  readonly unit: keyof Spent;
  readonly limit: BudgetLimit;
}[] = budgetLimits.flatMap(({ field, per, unit }) =>
  per === 'optionalPhase' ? [] : [{ scope: per, unit, limit: field as BudgetLimit }],
);

type BudgetLimit = Extract<keyof Limits, `${string}Cap`>;
/** A ticket's budgets. */
export type BudgetLimits = Pick<Limits, BudgetLimit>;

/** Use by scope, absent if a call isn't in it. */
export type SpentByScope = { readonly [S in BudgetScope]?: Spent };

/** A budget's use. */
export interface BudgetUse {
  readonly scope: BudgetScope;
  readonly unit: keyof Spent;
  readonly limit: BudgetLimit;
  readonly used: number;
  readonly cap: number;
}

/** A ticket's current budgets, with their use. */
export function budgetUses(limits: BudgetLimits, spent: SpentByScope): readonly BudgetUse[] {
  return budgets.flatMap(({ scope, unit, limit }) => {
    const used = spent[scope]?.[unit];
    return limits[limit] > 0 && used !== undefined ? [{ scope, unit, limit, used, cap: limits[limit] }] : [];
  });
}

/** True if a ticket has a budget of this scope. */
export function hasBudget(limits: BudgetLimits, wanted: BudgetScope): boolean {
  return budgets.some(({ scope, limit }) => scope === wanted && limits[limit] > 0);
}

/** True if a ticket has any budget. */
export function hasBudgets(limits: BudgetLimits | null): limits is BudgetLimits {
  return limits !== null && budgets.some(({ limit }) => limits[limit] > 0);
}

/** True if people should know of the use. */
export function isNear({ used, cap }: BudgetUse): boolean {
  return used >= cap * nearShare;
}

/** Budgets that are near now, and weren't before. */
export function broughtNear(before: readonly BudgetUse[], after: readonly BudgetUse[]): readonly BudgetUse[] {
  const near = new Set(before.filter(isNear).map(({ limit }) => limit));
  return after.filter((use) => isNear(use) && !near.has(use.limit));
}

/** Sentences about a budget near its end, by scope. */
export const nearBudgetTexts = {
  ticket: '{0}% of the ticket’s limit is used: {1}.',
  phase: '{0}% of the phase’s limit is used: {1}.',
  bead: '{0}% of the bead’s limit is used: {1}.',
  day: '{0}% of today’s limit is used: {1}.',
} as const;

/** Used amounts, by unit. */
export const amountTexts = {
  tokens: '{0} of {1} tokens',
  cents: '{0} of {1} US cents',
  minutes: '{0} of {1} minutes',
} as const;

/** A sentence about the use of a budget. */
export function budgetUseText({ scope, unit, used, cap }: BudgetUse, words: Words = filled): string {
  const digits = { maximumFractionDigits: unit === 'tokens' ? 0 : 1 };
  const [most, amount] = [cap.toLocaleString(), used.toLocaleString(undefined, digits)];
  const share = Math.round((100 * used) / cap);
  return words(nearBudgetTexts[scope], { 0: share, 1: words(amountTexts[unit], { 0: amount, 1: most }) });
}

const errorOf = {
  tokens: 'BUDGET_EXHAUSTED',
  cents: 'COST_CAP_REACHED',
  minutes: 'TIME_CAP_REACHED',
} as const satisfies Record<keyof Spent, ErrorCode>;

const whose: { readonly [S in BudgetScope]: string } = {
  ticket: 'The ticket',
  phase: 'This phase of the ticket',
  bead: 'The bead',
  day: 'All tickets together today',
};

/** The first used-up budget as a continuable error: a higher limit continues the step. */
export function budgetReached(uses: readonly BudgetUse[]): BeadsmithError | undefined {
  const reached = uses.find(({ used, cap }) => used >= cap);
  if (!reached) return undefined;
  const { scope, unit, used, cap, limit } = reached;
  const shown = unit === 'cents' ? used.toFixed(1) : Math.floor(used);
  return new BeadsmithError(
    errorOf[unit],
    { whose: whose[scope], used: shown, cap },
    { continuable: true, diagnostics: { limit, used } },
  );
}

/** True for the error of a used-up budget: the ticket pauses instead of blocking. */
export function isBudgetError({ code, continuable }: Pick<BeadsmithError, 'code' | 'continuable'>): boolean {
  return continuable && Object.values(errorOf).some((own) => own === code);
}

/** True for an error of a day's budget. */
export function isOfDay({ diagnostics }: Pick<BeadsmithError, 'diagnostics'>): boolean {
  return budgets.some(({ scope, limit }) => scope === 'day' && limit === diagnostics['limit']);
}

/** A budget's use, from its error; 0 for other errors. */
export function usedIn({ diagnostics }: Pick<BeadsmithError, 'diagnostics'>): number {
  const { used } = diagnostics;
  return typeof used === 'number' ? used : 0;
}

/** Use by answers, without time. */
export function spentOn(usage: readonly Usage[]): Spent {
  const tokens = usage.reduce((sum, one) => sum + tokensOf(one), 0);
  return { tokens, cents: usage.reduce((sum, { cost }) => sum + cost * 100, 0), minutes: 0 };
}

/** A sum. */
export function plus(one: Spent, other: Spent): Spent {
  return {
    tokens: one.tokens + other.tokens,
    cents: one.cents + other.cents,
    minutes: one.minutes + other.minutes,
  };
}

/** All tokens, including cached ones. */
export function tokensOf(
  usage: Pick<Usage, 'input' | 'output' | 'reasoning' | 'cacheRead' | 'cacheWrite'>,
): number {
  return usage.input + usage.output + usage.reasoning + usage.cacheRead + usage.cacheWrite;
}
