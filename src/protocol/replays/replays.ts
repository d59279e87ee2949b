import type { ReplayGap, ReplayReason, ReplayVerdict } from '../../domain/replay.ts';
import type { InspectedCall } from '../inspection.ts';

/**
 * What became of a recorded call when it was put together again with today's prompts
 * (docs/decisions/153-replays.md).
 */
export interface ReplayedCall extends Pick<
  InspectedCall,
  'id' | 'prompt' | 'member' | 'label' | 'bead' | 'iteration'
> {
  /** Its place in the list of the ticket's calls, counted from 1. */
  readonly number: number;
  readonly verdict: ReplayVerdict;
  /** Why it differs; none unless it does. */
  readonly reasons: readonly ReplayReason[];
  /** Why it can't be told; null unless it can't. */
  readonly gap: ReplayGap | null;
}

/**
 * A prompt as it was sent, and as it would be sent today; null where that can't be told, or there is no such
 * prompt any more.
 */
export interface ReplayedTexts {
  readonly call: ReplayedCall;
  readonly sent: string;
  readonly today: string | null;
}

/** How a replay is followed and stopped. */
export interface ReplayOptions {
  /** Stops it: it throws the signal's reason. */
  readonly signal?: AbortSignal;
  readonly onCall?: (done: number, total: number) => void;
}

/**
 * How many calls are as they were. `first`: the number of the first that differs; answers after it may
 * differ, too.
 */
export interface ReplaySum {
  readonly calls: number;
  readonly same: number;
  readonly differ: number;
  readonly unknown: number;
  readonly first: number | null;
}

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
