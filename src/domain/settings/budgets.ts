import * as z from 'zod';
import { Limits } from './settings.ts';
import { settingRow } from './rows.ts';
import { budgetScopes } from './rows/row.ts';

const limit = () => z.number().int().min(0).optional();

/** An entry of `beadsmith.budgets`, as written; 0 or nothing is no limit. */
export const Budget = z.strictObject({
  per: z.enum(budgetScopes),
  tokens: limit(),
  dollars: z.number().min(0).multipleOf(0.01).optional(),
  minutes: limit(),
});
export type Budget = z.infer<typeof Budget>;

/** The setting: at most one entry per budgeted thing. */
export const Budgets = z
  .array(Budget)
  .refine(
    (list) => new Set(list.map(({ per }) => per)).size === list.length,
    'Each `per` can have one entry only.',
  )
  .refine(
    (list) => list.every(({ per, minutes }) => per !== 'optionalPhase' || minutes === undefined),
    'The time of an optional phase is set by `beadsmith.timeouts`.',
  );

/** Budget limits, with scope and unit. */
export const budgetLimits = (Object.keys(Limits.shape) as (keyof Limits)[]).flatMap((field) => {
  const { budget } = settingRow(field);
  return budget ? [{ field, ...budget }] : [];
});

/** The limits of a list of budgets; others have defaults. */
export function limitsOfBudgets(list: readonly Budget[]): Partial<Limits> {
  const named = budgetLimits.flatMap(({ field, per, unit }) => {
    const entry = list.find((one) => one.per === per);
    const value = unit === 'cents' ? entry?.dollars : entry?.[unit];
    if (value === undefined) return [];
    return [[field, unit === 'cents' ? Math.round(100 * value) : value] as const];
  });
  return Object.fromEntries(named);
}

/** The budgets of limits, including 0, which removes a limit. */
export function budgetsOf(limits: Partial<Limits>): readonly Budget[] {
  return Budget.shape.per.options.flatMap((per) => {
    const set = budgetLimits.filter(({ field, per: other }) => other === per && limits[field] !== undefined);
    const values = set.map(({ field, unit }) =>
      unit === 'cents' ? ['dollars', (limits[field] ?? 0) / 100] : [unit, limits[field]],
    );
    return values.length === 0 ? [] : [Budget.parse({ per, ...Object.fromEntries(values) })];
  });
}
