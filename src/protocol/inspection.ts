import * as z from 'zod';
import type { CacheReport, HitState } from '../domain/promptCache/cacheHistory.ts';
import type { PromptPlan, Usage } from '../domain/usage/promptPlan.ts';
import type { CallCost } from '../domain/usage/callCost.ts';

/** A model call of a list. `error` is empty unless the answer wasn't accepted. */
export const CallView = z.object({
  id: z.string(),
  run: z.string(),
  step: z.string(),
  member: z.string(),
  /** The name of the prompt. */
  prompt: z.string(),
  outcome: z.enum(['accepted', 'rejected', 'failed']),
  error: z.string(),
  startedAt: z.number(),
  endedAt: z.number(),
  estimatedTokens: z.number().int(),
});
export type CallView = z.infer<typeof CallView>;

/** `CallCost` as it goes over a wire. */
export const CostOfCall = z.object({
  cacheRead: z.number(),
  cacheWrite: z.number(),
  input: z.number(),
  output: z.number(),
  frame: z.number(),
  later: z.number(),
  total: z.number(),
  isListPrice: z.boolean(),
});

/** A call with what was predicted of its cache, and what was reported (docs/prompt-cache.md). */
export interface InspectedCall
  extends CallView, Pick<CacheReport, 'predicted' | 'reported' | 'isProviderMiss' | 'providerMisses'> {
  readonly session: string;
  /** The status it was made in, and of a bead's iteration which one: `bead #2`. */
  readonly label: string;
  readonly bead: string | null;
  readonly iteration: number | null;
  readonly plan: PromptPlan;
  /** In the order in which they were sent. What its session was told before is one part. */
  readonly parts: readonly InspectedPart[];
  /** Tokens that the provider counted and no part holds; null until it reported. */
  readonly frameTokens: number | null;
  /** Usage of the whole answer, with all its requests; null where nothing was booked. */
  readonly usage: Usage | null;
  /** Null where no price is known, or the provider reported nothing. */
  readonly cost: CallCost | null;
  /**
   * `factor`: what the provider counted ÷ what was estimated, with the calls of the model before this one; 1
   * is no difference. `lastError`: by which part of what the provider counted the corrected estimate of this
   * call was too high; null until it reported, and for later prompts of a session.
   */
  readonly calibration: { readonly factor: number; readonly lastError: number | null } | null;
}

/** A part of a prompt. `tokens` are estimates. */
export interface InspectedPart {
  readonly name: string;
  readonly kind: 'slice' | 'section' | 'instructions' | 'conversation';
  /** 0 fixed for the ticket, 1 for the bead, 2 per attempt, 3 per call; null for what has no class. */
  readonly stability: 0 | 1 | 2 | 3 | null;
  /** It changes too often for its class, and stands one class later. */
  readonly demoted?: boolean | undefined;
  /** A person wants it whole. */
  readonly pinned?: boolean | undefined;
  readonly tokens: number;
  readonly sha256: string;
  /** The time at which its content was first as it is here, in milliseconds since 1970. */
  readonly changedAt: number;
  readonly predicted: HitState;
  readonly reported: HitState;
  /** US dollars of it in the first request of this call; null where no price or no usage is known. */
  readonly cost: number | null;
}
