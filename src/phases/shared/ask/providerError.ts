import * as z from 'zod';
import { BeadsmithError, type ErrorArgs, type ErrorCode } from '../../../domain/core/errors.ts';
import type { LimitName } from '../../../domain/settings/limits.ts';
import type { AgentFailure, SessionRef } from '../../../engine/ports/ports.ts';
import type { OpenSession } from '../structured/askTypes.ts';
import type { Json } from '../../../base/json.ts';

const codes = {
  auth: 'PROVIDER_AUTH',
  quota: 'PROVIDER_QUOTA',
  provider: 'PROVIDER_ERROR',
  hung: 'PROVIDER_ERROR',
  aborted: 'PROVIDER_ERROR',
  garbage: 'RESPONSE_INVALID',
  truncated: 'OUTPUT_TRUNCATED',
  gone: 'OPENCODE_GONE',
  unknown_model: 'MODEL_UNKNOWN',
  overflow: 'CONTEXT_OVERFLOW',
  loop: 'AGENT_LOOP',
  capped: 'BUDGET_EXHAUSTED',
  unformatted: 'RESPONSE_INVALID',
} as const satisfies Record<AgentFailure['kind'], ErrorCode>;

/** Continuable only with `interrupts` (docs/decisions/038-provider-failures.md). */
export function providerError(
  failure: AgentFailure,
  about: {
    readonly member: string;
    readonly what: string;
    readonly session: SessionRef;
    readonly interrupts: boolean;
    readonly models?: readonly string[];
    readonly limit?: LimitName | undefined;
  },
): BeadsmithError {
  const args: ErrorArgs = {
    model: about.member,
    what: about.what,
    reason: failure.message,
    models: about.models?.join(', ') ?? '',
  };
  return new BeadsmithError(codes[failure.kind], args, {
    continuable: about.interrupts && failure.continuable,
    diagnostics: {
      session: about.session.id,
      directory: about.session.directory,
      member: about.member,
      failure: failure.kind,
      statusCode: failure.statusCode,
      ...(about.limit ? { limit: about.limit } : {}),
    },
  });
}

/** A fresh session may succeed after these. */
export const failedCall: readonly ErrorCode[] = [
  'RESPONSE_INVALID',
  'OUTPUT_TRUNCATED',
  'LIMIT_EXPIRED',
  'SESSION_LOST',
  'CONTEXT_OVERFLOW',
  'AGENT_LOOP',
];

export const replaceableCall: readonly ErrorCode[] = [
  ...failedCall,
  'PROVIDER_AUTH',
  'PROVIDER_QUOTA',
  'PROVIDER_ERROR',
  'OPENCODE_GONE',
  'OPENCODE_START_FAILED',
  'MODEL_UNKNOWN',
  'CONTEXT_OVER_BUDGET',
];

/** Final errors only: a continuable one must be thrown on. */
export function isFailureOf(error: unknown, codes: readonly ErrorCode[]): error is BeadsmithError {
  return error instanceof BeadsmithError && !error.continuable && codes.includes(error.code);
}

const LeftSession = z.object({ session: z.string(), directory: z.string(), prompts: z.number().int() });

/** A session whose answer can't be read still has all it knows. */
export function leftSession({ code, diagnostics }: BeadsmithError): OpenSession | undefined {
  const { data } = LeftSession.safeParse(diagnostics);
  return code !== 'RESPONSE_INVALID' || !data
    ? undefined
    : { id: data.session, directory: data.directory, prompts: data.prompts };
}

/**
 * A wait for a provider (docs/decisions/065-waiting-for-providers.md). `until`: milliseconds since 1970; 0:
 * none.
 */
export const WaitNote = z.object({
  type: z.literal('wait'),
  session: z.string(),
  number: z.number().int(),
  failure: z.string(),
  at: z.number(),
  until: z.number(),
});
export type WaitNote = z.infer<typeof WaitNote>;

export function readWaits(earlier: readonly Json[]): WaitNote[] {
  return earlier.flatMap((note) => WaitNote.safeParse(note).data ?? []);
}

const minute = 60_000;
const delaysMs = [minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute] as const;
const mostRestarts = 3;
/** A provider's clock may be a little ahead of ours. */
const slackMs = 5_000;

/** Failures that pass by themselves. `now`: at once, on a new server. */
const passing: Partial<Record<AgentFailure['kind'], 'quota' | 'offline' | 'now'>> = {
  quota: 'quota',
  provider: 'offline',
  hung: 'offline',
  garbage: 'offline',
  gone: 'now',
};

/**
 * `until` 0: at once. `never`: it doesn't pass, or servers keep ending. `capped`: the waits would exceed
 * `capMs`.
 */
export function nextWait(
  failure: AgentFailure,
  step: { readonly waits: readonly WaitNote[]; readonly now: number; readonly capMs: number },
): { readonly until: number } | 'never' | 'capped' {
  const { waits, now, capMs } = step;
  const kind = failure.continuable ? passing[failure.kind] : undefined;
  if (kind === undefined) return 'never';
  const same = waits.filter(({ failure: before }) => (before === 'gone') === (kind === 'now'));
  if (kind === 'now') return same.length < mostRestarts ? { until: 0 } : 'never';
  const delay = delaysMs[Math.min(same.length, delaysMs.length - 1)] ?? minute;
  const until = now + (failure.retryAfterMs === undefined ? delay : failure.retryAfterMs + slackMs);
  return until - (same[0]?.at ?? now) <= capMs ? { until } : 'capped';
}
