import type { Usage } from './promptPlan.ts';

/** By what usage is added up. `phase`: the status of the work; `part`: a part of the prompts. */
export const usageGroups = ['ticket', 'phase', 'bead', 'iteration', 'model', 'day', 'call', 'part'] as const;
/** One of them. */
export type UsageGroup = (typeof usageGroups)[number];

/** The usage of an answer, and its purpose. Null: unknown, or there is none. */
export interface BookedUsage extends Usage {
  readonly ticket: string;
  readonly phase: string | null;
  readonly bead: string | null;
  readonly iteration: string | null;
  /** The day, in this machine's time zone: `2026-01-31`. */
  readonly day: string | null;
  readonly call: string | null;
  /** The part of the prompt that this is a share of. */
  readonly part: string | null;
  /** Of a share: whether it counts as its answer, and whether that has a price. Absent in whole answers. */
  readonly share?: { readonly isAnswer: boolean; readonly isPriced: boolean };
}

/** Sums of some answers. `input` is what no cache gave and no cache took. */
export interface UsageSums {
  readonly answers: number;
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly reasoning: number;
  /** All of them together. */
  readonly tokens: number;
  /** US dollars of the answers whose price is known; null where it is known of none. */
  readonly money: number | null;
  /** Answers whose price isn't known. */
  readonly unpriced: number;
  /** Answers whose tokens were counted here, because the provider reported none. */
  readonly counted: number;
}

/** A line of the ledger; `key` null holds what belongs to none of the group. */
export interface UsageRow extends UsageSums {
  readonly key: string | null;
}

/**
 * Adds up usage by one group, in the order in which each first appears. Each answer is in exactly one row, so
 * the total is the sum of the rows. A cost of nothing is what OpenCode reports where it knows no price, so
 * that it counts as unknown, never as free.
 */
export function usageLedger(
  booked: readonly BookedUsage[],
  by: UsageGroup,
): { readonly rows: readonly UsageRow[]; readonly total: UsageSums } {
  const groups = Map.groupBy(booked, (one) => one[by]);
  const rows = [...groups].map(([key, ones]) => ({ key, ...sumsOf(ones) }));
  return { rows, total: sumsOf(booked) };
}

function sumsOf(booked: readonly BookedUsage[]): UsageSums {
  const sum = (pick: (one: BookedUsage) => number): number =>
    booked.reduce((total, one) => total + pick(one), 0);
  const answers = booked.filter(({ share }) => share?.isAnswer !== false);
  const isPriced = ({ cost, share }: BookedUsage): boolean => share?.isPriced ?? cost > 0;
  const priced = booked.filter(isPriced);
  return {
    answers: answers.length,
    input: sum((one) => one.input),
    cacheRead: sum((one) => one.cacheRead),
    cacheWrite: sum((one) => one.cacheWrite),
    output: sum((one) => one.output),
    reasoning: sum((one) => one.reasoning),
    tokens: sum((one) => one.input + one.cacheRead + one.cacheWrite + one.output + one.reasoning),
    money: priced.length === 0 ? null : priced.reduce((total, { cost }) => total + cost, 0),
    unpriced: answers.filter((one) => !isPriced(one)).length,
    counted: answers.filter(({ estimated }) => estimated === true).length,
  };
}
