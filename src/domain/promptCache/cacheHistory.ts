import * as z from 'zod';
import { type CacheProfile, cacheProfile, type OwnProfile } from './profiles.ts';
import {
  type Block,
  type ChangeKind,
  sharedPrefix,
  type SharedPrefix,
  sharedTokens,
  tokensIn,
} from './prefix.ts';

/** A call, for its cache. Times are milliseconds since 1970. */
export interface CachedCall {
  readonly id: string;
  /** `provider/model`, with or without a variant. */
  readonly member: string;
  readonly directory: string;
  readonly prompt: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** A failed call may have left nothing. */
  readonly answered: boolean;
  readonly blocks: readonly Block[];
  /** Block counts at OpenCode's marks (docs/decisions/155-stable-parts-go-ahead.md). */
  readonly marks: readonly number[];
  readonly reported: { readonly prompt: number; readonly cacheRead: number } | null;
}

/** The predictable end of a prompt's cached part. */
export type BreakKind = ChangeKind | 'first-call' | 'model-changed' | 'ttl-expired' | 'too-short' | 'unknown';

/** A block's cached extent. */
export const HitState = z.enum(['hit', 'partial', 'miss', 'unknown']);
export type HitState = z.infer<typeof HitState>;

/** A call's predicted and reported caching: predictions are no evidence. */
export interface CacheReport {
  readonly id: string;
  /** `tokens`: null if unpredictable. `basis`: the earlier call with the same beginning. */
  readonly predicted: {
    readonly tokens: number | null;
    readonly kind: BreakKind;
    readonly basis: string | null;
    readonly culprit: string | null;
    readonly culpritTokens: number;
    readonly after: number;
  };
  readonly reported: CachedCall['reported'];
  readonly isProviderMiss: boolean;
  /** In a row with this model, with this call; 0 if it isn't one. */
  readonly providerMisses: number;
  /** `reported`: unknown until the provider says something. */
  readonly blocks: readonly (Block & { readonly predicted: HitState; readonly reported: HitState })[];
}

const mostCompared = 50;
/** Misses in a row that are shown to people. */
export const tellingMisses = 3;

/** Predicted and reported caching, in starting order (docs/prompt-cache.md). `own`: a person's profiles. */
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
    // A call without data neither ends nor extends a row.
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
  // If only tools and agent could be shared, another task's other prompt is no change.
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

function longest(compared: readonly Known[], call: CachedCall): Compared | undefined {
  const most = compared.reduce((best, { tokens }) => Math.max(best, tokens), 0);
  const found = compared.findLast(({ tokens }) => tokens === most);
  return found && { ...found, shared: sharedPrefix(found.one.blocks, call.blocks) };
}

function floored(
  compared: Compared | undefined,
  { minimum, step }: { readonly minimum: number; readonly step: number },
): number {
  if (!compared) return 0;
  const { one } = compared;
  // Uncounted tokens before the parts are shared with them; only the provider says how many.
  const frame = one.reported && compared.tokens > 0 ? one.reported.prompt - tokensIn(one.blocks) : 0;
  const tokens = compared.tokens + frame;
  return tokens < minimum ? 0 : Math.floor(tokens / step) * step;
}

/** Blocks with states: cached tokens from the front, after the uncounted ones. */
function statesOf(call: CachedCall, predicted: number | null, hits: number): CacheReport['blocks'] {
  const { blocks, reported } = call;
  const counted = tokensIn(blocks);
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

/** `left`: cached tokens from this block on. */
function stateOf(tokens: number, left: number): HitState {
  if (tokens === 0) return left > 0 ? 'hit' : 'miss';
  return left >= tokens ? 'hit' : left > 0 ? 'partial' : 'miss';
}
