import { BeadsmithError, type ErrorCode } from '../core/errors.ts';
import type { Usage } from './promptPlan.ts';
import { budgetLimits } from '../settings/budgets.ts';
import type { Limits } from '../settings/settings.ts';

/** From this share of a budget on, people are told (docs/decisions/149-budgets-pause-the-work.md). */
const nearShare = 0.7;

/** The resources used: tokens, US cents at list prices, and minutes in which models and commands worked. */
export interface Spent {
  readonly tokens: number;
  readonly cents: number;
  readonly minutes: number;
}

/** The resources used before anything was. */
export const nothingSpent: Spent = { tokens: 0, cents: 0, minutes: 0 };

/** The English names of the units. */
export const unitNames: { readonly [U in keyof Spent]: string } = {
  tokens: 'tokens',
  cents: 'US cents',
  minutes: 'minutes',
};

/** The scopes of budgets: the ticket, its status, the bead in work, or the repository's day. */
export const budgetScopes = ['ticket', 'phase', 'bead', 'day'] as const;
/** One of them. */
export type BudgetScope = (typeof budgetScopes)[number];

/** Each limit that pauses a ticket: what it is for, and what it counts. */
export const budgets: readonly {
  readonly scope: BudgetScope;
  readonly unit: keyof Spent;
  readonly limit: BudgetLimit;
}[] = budgetLimits.flatMap(({ field, per, unit }) =>
  per === 'optionalPhase' ? [] : [{ scope: per, unit, limit: field as BudgetLimit }],
);

/** The limits that are budgets; 0 is none. */
export type BudgetLimit = Extract<keyof Limits, `${string}Cap`>;
/** A ticket's limits, as far as they are budgets. */
export type BudgetLimits = Pick<Limits, BudgetLimit>;

/** The resources used in each scope. One that a call isn't in is absent. */
export type SpentByScope = { readonly [S in BudgetScope]?: Spent };

/** The use of one budget. */
export interface BudgetUse {
  readonly scope: BudgetScope;
  readonly unit: keyof Spent;
  readonly limit: BudgetLimit;
  readonly used: number;
  readonly cap: number;
}

/** The budgets that a ticket has where it is, with what was used of each. */
export function budgetUses(limits: BudgetLimits, spent: SpentByScope): readonly BudgetUse[] {
  return budgets.flatMap(({ scope, unit, limit }) => {
    const used = spent[scope]?.[unit];
    return limits[limit] > 0 && used !== undefined ? [{ scope, unit, limit, used, cap: limits[limit] }] : [];
  });
}

/** Returns true if a ticket has a budget of this scope. */
export function hasBudget(limits: BudgetLimits, wanted: BudgetScope): boolean {
  return budgets.some(({ scope, limit }) => scope === wanted && limits[limit] > 0);
}

/** Returns true if a ticket has any budget. */
export function hasBudgets(limits: BudgetLimits | null): limits is BudgetLimits {
  return limits !== null && budgets.some(({ limit }) => limits[limit] > 0);
}

/** Returns true if so much of a budget is used that people should know. */
export function isNear({ used, cap }: BudgetUse): boolean {
  return used >= cap * nearShare;
}

/** The budgets that are near after something was used, and weren't before it. */
export function broughtNear(before: readonly BudgetUse[], after: readonly BudgetUse[]): readonly BudgetUse[] {
  const near = new Set(before.filter(isNear).map(({ limit }) => limit));
  return after.filter((use) => isNear(use) && !near.has(use.limit));
}

/** The error of a budget that is used up, by what it counts. The ticket pauses with it. */
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

/** The first budget that is used up, as a continuable error: with a higher limit the step continues. */
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

/** Returns true if an error says that a budget is used up: the ticket pauses instead of blocking. */
export function isBudgetError({ code, continuable }: Pick<BeadsmithError, 'code' | 'continuable'>): boolean {
  return continuable && Object.values(errorOf).some((own) => own === code);
}

/** Returns true if the budget that an error is about is one of the day. */
export function isOfDay({ diagnostics }: Pick<BeadsmithError, 'diagnostics'>): boolean {
  return budgets.some(({ scope, limit }) => scope === 'day' && limit === diagnostics['limit']);
}

/** Returns how much of its budget was used, from its error; 0 for other errors. */
export function usedIn({ diagnostics }: Pick<BeadsmithError, 'diagnostics'>): number {
  const { used } = diagnostics;
  return typeof used === 'number' ? used : 0;
}

/** Returns what answers used, without the time that they took. */
export function spentOn(usage: readonly Usage[]): Spent {
  const tokens = usage.reduce((sum, one) => sum + tokensOf(one), 0);
  return { tokens, cents: usage.reduce((sum, { cost }) => sum + cost * 100, 0), minutes: 0 };
}

/** Two amounts together. */
export function plus(one: Spent, other: Spent): Spent {
  return {
    tokens: one.tokens + other.tokens,
    cents: one.cents + other.cents,
    minutes: one.minutes + other.minutes,
  };
}

/** Every token counts, also those a cache gave. */
export function tokensOf(
  usage: Pick<Usage, 'input' | 'output' | 'reasoning' | 'cacheRead' | 'cacheWrite'>,
): number {
  return usage.input + usage.output + usage.reasoning + usage.cacheRead + usage.cacheWrite;
}
