import * as z from 'zod';
import type { CacheReport, HitState } from '../domain/promptCache/cacheHistory.ts';
import type { PromptPlan, Usage } from '../domain/usage/promptPlan.ts';
import type { CallCost } from '../domain/usage/callCost.ts';

/** A model call. `error`: unless accepted. */
export const CallView = z.object({
  id: z.string(),
  run: z.string(),
  step: z.string(),
  member: z.string(),
  prompt: z.string(),
  outcome: z.enum(['accepted', 'rejected', 'failed']),
  error: z.string(),
  startedAt: z.number(),
  endedAt: z.number(),
  estimatedTokens: z.number().int(),
});
export type CallView = z.infer<typeof CallView>;

/** A call with its cache states (docs/prompt-cache.md). */
export interface InspectedCall
  extends CallView, Pick<CacheReport, 'predicted' | 'reported' | 'isProviderMiss' | 'providerMisses'> {
  readonly session: string;
  /** Its status, and an iteration as `bead #2`. */
  readonly label: string;
  readonly bead: string | null;
  readonly iteration: number | null;
  readonly plan: PromptPlan;
  /** In order; earlier conversation is one part. */
  readonly parts: readonly InspectedPart[];
  /** Counted by the provider, in no part; null until reported. */
  readonly frameTokens: number | null;
  /** Of all requests; null if none is booked. */
  readonly usage: Usage | null;
  /** Null without price or report. */
  readonly cost: CallCost | null;
  /**
   * `factor`: counted ÷ estimated tokens of the model's earlier calls. `lastError`: how much too high this
   * call's corrected estimate was, as a part of the count; null until reported, and for later prompts of a
   * session.
   */
  readonly calibration: { readonly factor: number; readonly lastError: number | null } | null;
}

/** A part of a prompt. `tokens`: estimated. */
export interface InspectedPart {
  readonly name: string;
  readonly kind: 'slice' | 'section' | 'instructions' | 'conversation';
  /** 0 fixed for the ticket, 1 for the bead, 2 per attempt, 3 per call; null: none. */
  readonly stability: 0 | 1 | 2 | 3 | null;
  /** Changes too often: one class later. */
  readonly demoted?: boolean | undefined;
  readonly pinned?: boolean | undefined;
  readonly tokens: number;
  readonly sha256: string;
  /** First with this content, in milliseconds since 1970. */
  readonly changedAt: number;
  readonly predicted: HitState;
  readonly reported: HitState;
  /** US dollars in the call's first request; null if unknown. */
  readonly cost: number | null;
}

/** Sentences about counted and estimated tokens. */
export const calibrationTexts = {
  before: 'Before this call, the provider counted {0} tokens per estimated token.',
  off: 'With this factor, the estimate of this call was off by {0} %.',
} as const;
