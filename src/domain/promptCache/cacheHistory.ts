import * as z from 'zod';
import { type CacheProfile, cacheProfile, type OwnProfile } from './profiles.ts';
import {
  type Block,
  type ChangeKind,
  sharedPrefix,
  type SharedPrefix,
  sharedTokens,
  tokensOf,
} from './prefix.ts';

/** A call of a model, as far as its cache is concerned. Times are milliseconds since 1970. */
export interface CachedCall {
  readonly id: string;
  /** The model that was asked: `provider/model`, with or without a variant. */
  readonly member: string;
  readonly directory: string;
  /** The name of the prompt. */
  readonly prompt: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** True if the provider got it and answered: a call that failed may have left nothing. */
  readonly answered: boolean;
  readonly blocks: readonly Block[];
  /** After how many blocks OpenCode marks the prompt (docs/decisions/155-stable-parts-go-ahead.md). */
  readonly marks: readonly number[];
  /** The report on its first request: the prompt's tokens, and those from a cache; null without one. */
  readonly reported: { readonly prompt: number; readonly cacheRead: number } | null;
}

/** The reason why no more of a prompt was in a cache, as far as it can be predicted. */
export type BreakKind = ChangeKind | 'first-call' | 'model-changed' | 'ttl-expired' | 'too-short' | 'unknown';

/** The extent to which a block was in a cache. */
export const HitState = z.enum(['hit', 'partial', 'miss', 'unknown']);
export type HitState = z.infer<typeof HitState>;

/** The predicted use of a cache by a call, and the reported one: a prediction is no evidence. */
export interface CacheReport {
  readonly id: string;
  /** `tokens`: null where nothing can be predicted. `basis`: the earlier call with the same beginning. */
  readonly predicted: {
    readonly tokens: number | null;
    readonly kind: BreakKind;
    readonly basis: string | null;
    readonly culprit: string | null;
    readonly culpritTokens: number;
    readonly after: number;
  };
  readonly reported: CachedCall['reported'];
  /** The provider gave nothing from a cache although something was predicted. */
  readonly isProviderMiss: boolean;
  /** Number of such misses in a row with this model, including this call; 0 if this call is none. */
  readonly providerMisses: number;
  /** For each block, by its name. `reported` is unknown until the provider said something. */
  readonly blocks: readonly (Block & { readonly predicted: HitState; readonly reported: HitState })[];
}

/** So many earlier calls of a model are compared: all sessions share a provider's cache. */
const mostCompared = 50;
/** After so many answers without a cache that was predicted, in a row, people are told. */
export const tellingMisses = 3;

/**
 * Returns a report on what caches should have known of each call, in the order in which the calls started
 * (docs/prompt-cache.md). `own`: profiles that a person wrote.
 */
export function cacheReports(
  calls: readonly CachedCall[],
  own: readonly OwnProfile[] = [],
): readonly CacheReport[] {
  const ordered = calls.toSorted((one, other) => one.startedAt - other.startedAt);
  const inARow = new Map<string, number>();
  const byModel = new Map<string, CachedCall[]>();
  const others = new Map<string, Set<string>>();
  return ordered.map((call) => {
    const place = `${call.member}\n${call.directory}`;
    const earlier = byModel.get(place) ?? [];
    const askedBefore = others.get(call.prompt) ?? new Set<string>();
    const predicted = predictionOf(call, { earlier, askedBefore, profile: cacheProfile(call.member, own) });
    byModel.set(place, [...earlier.slice(-(mostCompared - 1)), call]);
    others.set(call.prompt, askedBefore.add(call.member));
    const { tokens, hits } = predicted;
    const isProviderMiss = (tokens ?? 0) > 0 && call.reported?.cacheRead === 0;
    // A call of which nothing is known ends no row and makes none longer.
    const before = inARow.get(call.member) ?? 0;
    const providerMisses = isProviderMiss ? before + 1 : call.reported && (tokens ?? 0) > 0 ? 0 : before;
    inARow.set(call.member, providerMisses);
    const { basis, culprit, culpritTokens, after, kind } = predicted;
    return {
      id: call.id,
      predicted: { tokens, kind, basis, culprit, culpritTokens, after },
      reported: call.reported,
      isProviderMiss,
      providerMisses: isProviderMiss ? providerMisses : 0,
      blocks: statesOf(call, tokens, hits),
    };
  });
}

type Prediction = CacheReport['predicted'] & { readonly hits: number };

/** The facts before a call: earlier calls, models with the same prompt, and the provider's way. */
interface Before {
  readonly earlier: readonly CachedCall[];
  readonly askedBefore: ReadonlySet<string>;
  readonly profile: CacheProfile;
}

function predictionOf(call: CachedCall, { earlier, askedBefore, profile }: Before): Prediction {
  const nothing = { tokens: 0, hits: 0, basis: null, culprit: null, culpritTokens: 0, after: 0 } as const;
  if (profile.kind === 'unknown') return { ...nothing, tokens: null, kind: 'unknown' };
  const over = earlier.filter(({ answered, endedAt }) => answered && endedAt <= call.startedAt);
  if (over.length === 0)
    return {
      ...nothing,
      kind: askedBefore.size > 0 && !askedBefore.has(call.member) ? 'model-changed' : 'first-call',
    };
  const isMarked = profile.kind === 'breakpoints';
  const compared = over.map((one) => ({
    one,
    ...sharedTokens(one.blocks, call.blocks, isMarked ? one.marks : undefined),
  }));
  const kept = compared.filter(({ one }) => call.startedAt - one.endedAt <= profile.lifeMs);
  const [live, any] = [longest(kept, call), longest(compared, call)];
  if (any && any.tokens > (live?.tokens ?? 0) && floored(live, profile) === 0)
    return { ...nothing, ...detailsOf(any), kind: 'ttl-expired' };
  // Where nothing but tools and agent could be shared, it is no change that another task has another prompt.
  if (!live || (live.shared.before === 0 && over.every(({ prompt }) => prompt !== call.prompt)))
    return { ...nothing, kind: 'first-call' };
  const tokens = floored(live, profile);
  const isTooShort = tokens === 0 && live.tokens > 0;
  return {
    ...detailsOf(live),
    tokens,
    hits: tokens === 0 ? 0 : live.hits,
    kind: isTooShort ? 'too-short' : live.shared.kind,
  };
}

/** An earlier call, and how many blocks and tokens a cache can know from it. */
interface Known {
  readonly one: CachedCall;
  readonly hits: number;
  readonly tokens: number;
}

interface Compared extends Known {
  readonly shared: SharedPrefix;
}

function detailsOf({
  one,
  shared,
}: Compared): Pick<Prediction, 'basis' | 'culprit' | 'culpritTokens' | 'after'> {
  return { basis: one.id, culprit: shared.culprit, culpritTokens: shared.culpritTokens, after: shared.after };
}

/** The one that shares most; of several the last. */
function longest(compared: readonly Known[], call: CachedCall): Compared | undefined {
  const most = compared.reduce((best, { tokens }) => Math.max(best, tokens), 0);
  const found = compared.findLast(({ tokens }) => tokens === most);
  return found && { ...found, shared: sharedPrefix(found.one.blocks, call.blocks) };
}

/** Cuts a shared beginning to what a provider keeps: nothing of a short one, else whole steps. */
function floored(
  compared: Compared | undefined,
  { minimum, step }: { readonly minimum: number; readonly step: number },
): number {
  if (!compared) return 0;
  const { one } = compared;
  // What stands before the parts and nobody counted is shared with them; how long it is, only the provider
  // has said.
  const frame = one.reported && compared.tokens > 0 ? one.reported.prompt - tokensOf(one.blocks) : 0;
  const tokens = compared.tokens + frame;
  return tokens < minimum ? 0 : Math.floor(tokens / step) * step;
}

/**
 * Returns the blocks with their states. The tokens that the provider gave from a cache are laid over the
 * blocks from the front; those that it counted beyond the blocks stand before them all.
 */
function statesOf(call: CachedCall, predicted: number | null, hits: number): CacheReport['blocks'] {
  const { blocks, reported } = call;
  const counted = tokensOf(blocks);
  let read = reported ? reported.cacheRead - Math.max(0, reported.prompt - counted) : 0;
  let known = predicted ?? 0;
  return blocks.map((block, index) => {
    const seen = reported ? stateOf(block.tokens, read) : 'unknown';
    const expected = predicted === null ? 'unknown' : index >= hits ? 'miss' : stateOf(block.tokens, known);
    read -= block.tokens;
    known -= block.tokens;
    return { ...block, predicted: expected, reported: seen };
  });
}

/** `left`: how many cached tokens are left for this block and those behind it. */
function stateOf(tokens: number, left: number): HitState {
  if (tokens === 0) return left > 0 ? 'hit' : 'miss';
  return left >= tokens ? 'hit' : left > 0 ? 'partial' : 'miss';
}
