import * as z from 'zod';
import type { Json } from '../../../base/json.ts';
import type { AgentFailure } from '../../../engine/ports/ports.ts';

/**
 * A wait for a provider that failed prompt `number` of a session
 * (docs/decisions/065-waiting-for-providers.md). `until` in milliseconds since 1970; 0: nothing was waited
 * for, as after a server that ended.
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

/** The waits of a step so far, oldest first. */
export function readWaits(earlier: readonly Json[]): WaitNote[] {
  return earlier.flatMap((note) => WaitNote.safeParse(note).data ?? []);
}

const minute = 60_000;
/** The times to wait if the provider doesn't say, in milliseconds: longer each time. */
const delaysMs = [minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute] as const;
/** So often in a row a step continues after a server that ended. */
const mostRestarts = 3;
/** A clock of a provider may be a little ahead of ours. */
const slackMs = 5_000;

/** Failures that pass by themselves. `now`: it can continue at once, on a new server. */
const passing: Partial<Record<AgentFailure['kind'], 'quota' | 'offline' | 'now'>> = {
  quota: 'quota',
  provider: 'offline',
  hung: 'offline',
  garbage: 'offline',
  gone: 'now',
};

/**
 * Returns the time at which a step continues by itself after a failure of the provider or the server: at once
 * (`until` 0), or later. It doesn't continue if the failure doesn't pass or servers keep ending (`never`), or
 * if the wait would exceed `capMs` in all, where 0 means no waiting at all (`capped`).
 */
export function nextWait(
  failure: AgentFailure,
  {
    waits,
    now,
    capMs,
  }: { readonly waits: readonly WaitNote[]; readonly now: number; readonly capMs: number },
): { readonly until: number } | 'never' | 'capped' {
  const kind = failure.continuable ? passing[failure.kind] : undefined;
  if (kind === undefined) return 'never';
  const same = waits.filter(({ failure: before }) => (before === 'gone') === (kind === 'now'));
  if (kind === 'now') return same.length < mostRestarts ? { until: 0 } : 'never';
  const delay = delaysMs[Math.min(same.length, delaysMs.length - 1)] ?? minute;
  const until = now + (failure.retryAfterMs === undefined ? delay : failure.retryAfterMs + slackMs);
  return until - (same[0]?.at ?? now) <= capMs ? { until } : 'capped';
}
