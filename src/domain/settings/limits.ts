import * as z from 'zod';
import { canonicalJson } from '../../base/json.ts';
import { sha256 } from '../../base/sha256.ts';
import { settingRow } from './rows.ts';
import { Limits, Settings } from './settings.ts';

/** The values that can change after a ticket's start. Times in milliseconds. */
export const TicketLimits = Limits.extend({ tokenBudget: Settings.shape.tokenBudget });
export type TicketLimits = z.infer<typeof TicketLimits>;

/** A changeable limit's name. */
export type LimitName = keyof TicketLimits;

/** All changeable limits. */
export const limitNames = Object.keys(TicketLimits.shape) as readonly LimitName[];

const { shape } = TicketLimits;

/** New limits; others stay. */
export const LimitsChange = z
  .strictObject(
    Object.fromEntries(limitNames.map((name) => [name, shape[name].unwrap().optional()])) as {
      readonly [Name in LimitName]: z.ZodOptional<z.ZodNumber>;
    },
  )
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'Name at least one limit.');
export type LimitsChange = z.infer<typeof LimitsChange>;

/** True for times, which people write in whole seconds. */
export function isTime(name: LimitName): boolean {
  return settingRow(name).unit === 'seconds';
}

/** A limit as people write it. */
export function writtenLimit(name: LimitName, value: number): number {
  return isTime(name) ? Math.round(value / 1_000) : value;
}

/** A written limit in its stored unit. */
export function limitFrom(name: LimitName, written: number): number {
  return isTime(name) ? written * 1_000 : written;
}

/** A limit's range, as people write it. `most`: null without a bound. */
export function limitRange(name: LimitName): { readonly least: number; readonly most: number | null } {
  const { minValue, maxValue } = shape[name].unwrap();
  const isBounded = maxValue !== null && maxValue < Number.MAX_SAFE_INTEGER;
  return { least: writtenLimit(name, minValue ?? 0), most: isBounded ? writtenLimit(name, maxValue) : null };
}

/** A ticket's limits, if it has started. */
export function limitsOf({
  limits,
  settings,
}: {
  readonly limits: Limits | null;
  readonly settings: Settings | null;
}): TicketLimits | undefined {
  return limits && settings ? { ...limits, tokenBudget: settings.tokenBudget } : undefined;
}

/** The hash of seen limits (docs/decisions/013-approvals-by-hash.md). */
export function limitsHash(limits: TicketLimits): string {
  return sha256(canonicalJson(limits));
}

/** Changed limits. Throws a ZodError for a value out of range. */
export function withChange(limits: TicketLimits, change: LimitsChange): TicketLimits {
  const named = Object.entries(change).filter(([, value]) => value !== undefined);
  return TicketLimits.parse({ ...limits, ...Object.fromEntries(named) });
}
