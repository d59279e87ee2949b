import { tellingMisses } from './cacheHistory.ts';

/** The known facts about the cache of a call, as far as they count here. */
interface Missing {
  readonly member: string;
  readonly endedAt: number;
  readonly providerMisses: number;
  readonly predicted: { readonly tokens: number | null };
  readonly reported: unknown;
}

/** A model without a hit in so many calls; `since`: the end of the third, in milliseconds since 1970. */
export interface ProviderThatMisses {
  readonly member: string;
  readonly misses: number;
  readonly since: number;
}

/** Says so, and what to do: the model, and how often. */
export const missesSentence =
  'The provider of {0} reported no cache hits for {1} consecutive calls with a shared prefix. Check that caching is on for this model, or use another provider for it.';

/** The same with its words in place, as the log and the command line have it. */
export function missesText({ member, misses }: Pick<ProviderThatMisses, 'member' | 'misses'>): string {
  return missesSentence.replace('{0}', () => member).replace('{1}', String(misses));
}

/**
 * The models whose last answers, three or more in a row, had nothing from a cache although it was predicted
 * (docs/prompt-cache.md). Calls of which nothing is known change nothing. `calls`: oldest first.
 */
export function providersThatMiss(calls: readonly Missing[]): readonly ProviderThatMisses[] {
  const last = new Map<string, ProviderThatMisses>();
  for (const { member, endedAt, providerMisses: misses, predicted, reported } of calls) {
    if (reported === null || (predicted.tokens ?? 0) === 0) continue;
    const before = misses > tellingMisses ? last.get(member) : undefined;
    last.set(member, { member, misses, since: before?.since ?? endedAt });
  }
  return [...last.values()].filter(({ misses }) => misses >= tellingMisses);
}
