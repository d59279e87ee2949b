import type { Usage } from '../promptPlan.ts';
import type { Limits } from '../settings.ts';

/** From this share of a limit on, people are told (docs/decisions/007-limits-and-caps.md). */
export const nearCap = 0.7;

/** How much of a ticket's own limit is used. Cents are US cents at list prices. */
export interface CapUse {
  readonly kind: 'tokens' | 'cents';
  readonly used: number;
  readonly cap: number;
}

/** The limits of tokens and cost that a ticket has, with what it used of each. A limit of 0 is none. */
export function capUses({ tokenCap, costCap }: Pick<Limits, 'tokenCap' | 'costCap'>, usage: readonly Usage[]): readonly CapUse[] {
  const tokens = usage.reduce((sum, one) => sum + one.input + one.cacheRead + one.cacheWrite + one.output + one.reasoning, 0);
  const cents = usage.reduce((sum, { cost }) => sum + cost * 100, 0);
  const uses: readonly CapUse[] = [
    { kind: 'tokens', used: tokens, cap: tokenCap },
    { kind: 'cents', used: cents, cap: costCap },
  ];
  return uses.filter(({ cap }) => cap > 0);
}

/** Whether so much of a limit is used that people should know. */
export function isNear({ used, cap }: CapUse): boolean {
  return used >= cap * nearCap;
}

/** The limits that this answer brought near. */
export function broughtNear(limits: Pick<Limits, 'tokenCap' | 'costCap'>, before: readonly Usage[], usage: Usage): readonly CapUse[] {
  const near = new Set(
    capUses(limits, before)
      .filter(isNear)
      .map(({ kind }) => kind),
  );
  return capUses(limits, [...before, usage]).filter((use) => isNear(use) && !near.has(use.kind));
}
