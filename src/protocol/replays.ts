import * as z from 'zod';
import type { ReplayGap, ReplayReason, ReplayVerdict } from '../domain/usage/replay.ts';
import type { InspectedCall } from './inspection.ts';

/** A recorded call, compared with today's prompts (docs/decisions/153-replays.md). */
export interface ReplayedCall extends Pick<
  InspectedCall,
  'id' | 'prompt' | 'member' | 'label' | 'bead' | 'iteration'
> {
  readonly number: number;
  readonly verdict: ReplayVerdict;
  readonly reasons: readonly ReplayReason[];
  readonly gap: ReplayGap | null;
}

/** A prompt as sent, and as today; null if unknown. */
export interface ReplayedTexts {
  readonly call: ReplayedCall;
  readonly sent: string;
  readonly today: string | null;
}

/** Options of a replay. */
export interface ReplayOptions {
  readonly signal?: AbortSignal;
  readonly onCall?: (done: number, total: number) => void;
}

/** Counts of calls. `first`: the first that differs; later answers may differ too. */
export const ReplaySum = z.object({
  calls: z.number().int(),
  same: z.number().int(),
  differ: z.number().int(),
  unknown: z.number().int(),
  first: z.number().int().nullable(),
});
export type ReplaySum = z.infer<typeof ReplaySum>;

/** The sum of a replay. */
export function replaySum(calls: readonly ReplayedCall[]): ReplaySum {
  const count = (verdict: ReplayVerdict): number => calls.filter((call) => call.verdict === verdict).length;
  const first = calls.find(({ verdict }) => verdict === 'differs');
  return {
    calls: calls.length,
    same: count('same'),
    differ: count('differs'),
    unknown: count('unknown'),
    first: first?.number ?? null,
  };
}
