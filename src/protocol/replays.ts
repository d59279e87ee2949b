import * as z from 'zod';
import type { ReplayGap, ReplayReason, ReplayVerdict } from '../domain/usage/replay.ts';
import type { InspectedCall } from './inspection.ts';

/** A recorded call, compared with the one that today's prompts would make (docs/decisions/153-replays.md). */
export interface ReplayedCall extends Pick<
  InspectedCall,
  'id' | 'prompt' | 'member' | 'label' | 'bead' | 'iteration'
> {
  /** Its place in the list of the ticket's calls, counted from 1. */
  readonly number: number;
  readonly verdict: ReplayVerdict;
  /** The reasons why it differs; empty unless it does. */
  readonly reasons: readonly ReplayReason[];
  /** The reason why a difference can't be determined; null if it can. */
  readonly gap: ReplayGap | null;
}

/** A prompt as it was sent, and as it would be today; null where that can't be told. */
export interface ReplayedTexts {
  readonly call: ReplayedCall;
  readonly sent: string;
  readonly today: string | null;
}

/** Options to follow and stop a replay. */
export interface ReplayOptions {
  /** Stops it: it throws the signal's reason. */
  readonly signal?: AbortSignal;
  readonly onCall?: (done: number, total: number) => void;
}

/** Counts of calls. `first`: the first that differs; answers after it may differ, too. */
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
