import * as z from 'zod';
import { canonicalJson } from '../../base/json.ts';
import { sha256 } from '../../base/sha256.ts';
import { failureBehind } from '../beads/failure.ts';
import type { ErrorRecord } from '../errors.ts';
import type { Ticket } from '../ticket.ts';
import type { Status } from '../workflow/workflow.ts';
import { settingRow } from './rows.ts';
import { Limits, Settings } from './settings.ts';

/**
 * The values that can be changed after a ticket's start: its limits, and the tokens of one prompt. Times in
 * milliseconds.
 */
export const TicketLimits = Limits.extend({ tokenBudget: Settings.shape.tokenBudget });
export type TicketLimits = z.infer<typeof TicketLimits>;

/** The name of a limit that can be changed after the start. */
export type LimitName = keyof TicketLimits;

/** Every limit that can be changed after the start. */
export const limitNames = Object.keys(TicketLimits.shape) as readonly LimitName[];

const { shape } = TicketLimits;

/** New values for some limits; what isn't named stays as it is. */
export const LimitsChange = z
  .strictObject(
    Object.fromEntries(limitNames.map((name) => [name, shape[name].unwrap().optional()])) as {
      readonly [Name in LimitName]: z.ZodOptional<z.ZodNumber>;
    },
  )
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'Name at least one limit.');
export type LimitsChange = z.infer<typeof LimitsChange>;

/** Returns true if a limit is a time. People read and write times in whole seconds. */
export function isTime(name: LimitName): boolean {
  return settingRow(name).unit === 'seconds';
}

/** A limit as people write it. */
export function writtenLimit(name: LimitName, value: number): number {
  return isTime(name) ? Math.round(value / 1_000) : value;
}

/** The limit that people wrote, in the unit it is stored in. */
export function limitFrom(name: LimitName, written: number): number {
  return isTime(name) ? written * 1_000 : written;
}

/** The range of a limit, as people write it. `most` is null if it has no upper bound. */
export function limitRange(name: LimitName): { readonly least: number; readonly most: number | null } {
  const { minValue, maxValue } = shape[name].unwrap();
  const isBounded = maxValue !== null && maxValue < Number.MAX_SAFE_INTEGER;
  return { least: writtenLimit(name, minValue ?? 0), most: isBounded ? writtenLimit(name, maxValue) : null };
}

/** A ticket's limits; undefined before its start, when it has none. */
export function limitsOf({
  limits,
  settings,
}: Pick<Ticket, 'limits' | 'settings'>): TicketLimits | undefined {
  return limits && settings ? { ...limits, tokenBudget: settings.tokenBudget } : undefined;
}

/**
 * The hash by which a change names the limits that the person saw (docs/decisions/013-approvals-by-hash.md).
 */
export function limitsHash(limits: TicketLimits): string {
  return sha256(canonicalJson(limits));
}

/** The limits after a change; what it doesn't name stays. Throws a ZodError for a value out of range. */
export function withChange(limits: TicketLimits, change: LimitsChange): TicketLimits {
  const named = Object.entries(change).filter(([, value]) => value !== undefined);
  return TicketLimits.parse({ ...limits, ...Object.fromEntries(named) });
}

/**
 * Returns the limits that may have caused a block, the likeliest first; none if raising one wouldn't help.
 * `from`: the status that blocked.
 */
export function limitsBehind(
  { code, diagnostics }: Pick<ErrorRecord, 'code' | 'diagnostics'>,
  from: Status | null,
): readonly LimitName[] {
  const failure = failureBehind(diagnostics);
  if (failure) return failure.limit === null ? ['maxIterations'] : [failure.limit, 'maxIterations'];
  switch (code) {
    case 'BEAD_RETRY_BUDGET_EXHAUSTED':
    case 'FINAL_TEST_FAILED':
    case 'SETUP_FAILED':
      return ['maxIterations', timeoutOf(from)];
    case 'LIMIT_EXPIRED':
      return [named(diagnostics) ?? timeoutOf(from)];
    case 'QUORUM_NOT_MET':
      return diagnostics['timedOut'] === true ? ['councilResponseTimeout'] : [];
    case 'BUDGET_EXHAUSTED':
      return [named(diagnostics) ?? 'tokenCap'];
    case 'COST_CAP_REACHED':
      return [named(diagnostics) ?? 'costCap'];
    case 'TIME_CAP_REACHED':
      return [named(diagnostics) ?? 'timeCap'];
    case 'CONTEXT_OVER_BUDGET':
      return ['tokenBudget'];
    default:
      return limitNames.filter((name) => name === diagnostics['limit']);
  }
}

/** The limit that an error names. */
function named(diagnostics: ErrorRecord['diagnostics']): LimitName | undefined {
  return limitNames.find((name) => name === diagnostics['limit']);
}

function timeoutOf(status: Status | null): LimitName {
  if (status === 'PREPARING_EXECUTION_ENV') return 'executionSetupTimeout';
  return status === 'CODING' || status === 'RUNNING_FINAL_TEST'
    ? 'perIterationTimeout'
    : 'councilResponseTimeout';
}
