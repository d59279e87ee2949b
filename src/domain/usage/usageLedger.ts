import * as z from 'zod';
import type { Usage } from './promptPlan.ts';

/** Groups of usage. `phase`: the work's status; `part`: of prompts. */
export const usageGroups = ['ticket', 'phase', 'bead', 'iteration', 'model', 'day', 'call', 'part'] as const;
/** One of them. */
export type UsageGroup = (typeof usageGroups)[number];

/** An answer's usage. Null: unknown, or none. */
export interface BookedUsage extends Usage {
  readonly ticket: string;
  readonly phase: string | null;
  readonly bead: string | null;
  readonly iteration: string | null;
  /** In this machine's time zone: `2026-01-31`. */
  readonly day: string | null;
  readonly call: string | null;
  readonly part: string | null;
  /** Absent in whole answers. `isAnswer`: it counts as its answer. */
  readonly share?: { readonly isAnswer: boolean; readonly isPriced: boolean };
}

/** Sums. `input`: neither read from nor written to a cache. */
export const UsageSums = z.object({
  answers: z.number().int(),
  input: z.number().int(),
  cacheRead: z.number().int(),
  cacheWrite: z.number().int(),
  output: z.number().int(),
  reasoning: z.number().int(),
  tokens: z.number().int(),
  /** US dollars of priced answers; null without any. */
  money: z.number().nullable(),
  unpriced: z.number().int(),
  /** Tokens counted here, because the provider reported none. */
  counted: z.number().int(),
});
export type UsageSums = Readonly<z.infer<typeof UsageSums>>;

/** A ledger line; `key` null: none of the group. */
export interface UsageRow extends UsageSums {
  readonly key: string | null;
}

/**
 * Usage by group, in order of appearance; each answer is in one row. A reported cost of 0 means an unknown
 * price.
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
