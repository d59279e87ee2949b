import type { Usage } from '../promptPlan.ts';
import type { Limits } from '../settings.ts';

/** From this share of a limit on, people are told (docs/decisions/007-limits-and-caps.md). */
const nearCap = 0.7;
const minuteMs = 60_000;

/** The limits that bound a whole ticket; 0 is none. */
export type TicketCaps = Pick<Limits, 'tokenCap' | 'costCap' | 'timeCap'>;

/** What a ticket used: the messages of its models, and the milliseconds in which models and commands worked. */
export interface Used {
  readonly usage: readonly Usage[];
  readonly activeMs: number;
}

/** How much of a ticket's own limit is used. Cents are US cents at list prices. */
export interface CapUse {
  readonly kind: 'tokens' | 'cents' | 'minutes';
  readonly used: number;
  readonly cap: number;
}

/** Each limit that a ticket can have: where it is, and how what was used of it is counted. */
const rows = [
  { kind: 'tokens', cap: 'tokenCap', used: ({ usage }) => usage.reduce((sum, one) => sum + tokensOf(one), 0) },
  { kind: 'cents', cap: 'costCap', used: ({ usage }) => usage.reduce((sum, { cost }) => sum + cost * 100, 0) },
  { kind: 'minutes', cap: 'timeCap', used: ({ activeMs }) => activeMs / minuteMs },
] as const satisfies readonly { readonly kind: CapUse['kind']; readonly cap: keyof TicketCaps; readonly used: (used: Used) => number }[];

/** The limits that a ticket has, with what it used of each. */
export function capUses(caps: TicketCaps, used: Used): readonly CapUse[] {
  return rows.flatMap((row) => (caps[row.cap] > 0 ? [{ kind: row.kind, used: row.used(used), cap: caps[row.cap] }] : []));
}

/** Whether so much of a limit is used that people should know. */
export function isNear({ used, cap }: CapUse): boolean {
  return used >= cap * nearCap;
}

/** The limits that are near after something was used, and weren't before it. */
export function broughtNear(caps: TicketCaps, before: Used, after: Used): readonly CapUse[] {
  const near = new Set(
    capUses(caps, before)
      .filter(isNear)
      .map(({ kind }) => kind),
  );
  return capUses(caps, after).filter((use) => isNear(use) && !near.has(use.kind));
}

function tokensOf(usage: Usage): number {
  return usage.input + usage.output + usage.reasoning + usage.cacheRead + usage.cacheWrite;
}
