import type { CacheReport, HitState } from '../domain/promptCache/cacheHistory.ts';
import type { PromptPlan, Usage } from '../domain/usage/promptPlan.ts';
import type { CallCost } from '../domain/usage/callCost.ts';

/**
 * One model call as the Context Inspector shows it. What was predicted of its cache and what the provider
 * reported stand apart (docs/prompt-cache.md). Times are milliseconds since 1970.
 */
export interface InspectedCall extends Pick<
  CacheReport,
  'predicted' | 'reported' | 'isProviderMiss' | 'providerMisses'
> {
  readonly id: string;
  readonly run: string;
  readonly step: string;
  readonly member: string;
  /** The name of the prompt. */
  readonly prompt: string;
  readonly outcome: 'accepted' | 'rejected' | 'failed';
  readonly error: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly estimatedTokens: number;
  readonly session: string;
  /** The status it was made in, and of a bead's iteration which one: `bead #2`. */
  readonly label: string;
  readonly bead: string | null;
  readonly iteration: number | null;
  readonly plan: PromptPlan;
  /** In the order in which they were sent. What its session was told before is one part. */
  readonly parts: readonly InspectedPart[];
  /**
   * Tokens that the provider counted and no part holds: tools, the agent's own text, and what our count
   * differs by. Null until it reported.
   */
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
  /**
   * The time at which its content was first as it is here, milliseconds since 1970: it moves only with the
   * content.
   */
  readonly changedAt: number;
  readonly predicted: HitState;
  readonly reported: HitState;
  /** US dollars of it in the first request of this call; null where no price or no usage is known. */
  readonly cost: number | null;
}
