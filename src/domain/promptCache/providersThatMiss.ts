import { tellingMisses } from './cacheHistory.ts';

/** What is known of the cache of a call, as far as it counts here. */
interface Missing {
  readonly member: string;
  readonly providerMisses: number;
  readonly predicted: { readonly tokens: number | null };
  readonly reported: unknown;
}

/** A model whose provider gave nothing from its cache so often in a row. */
export interface ProviderThatMisses {
  readonly member: string;
  readonly misses: number;
}

/**
 * The models whose last answers, three or more in a row, had nothing from a cache although it was predicted (docs/prompt-cache.md). Calls of which nothing is
 * known change nothing. `calls`: oldest first.
 */
export function providersThatMiss(calls: readonly Missing[]): readonly ProviderThatMisses[] {
  const last = new Map<string, number>();
  for (const { member, providerMisses, predicted, reported } of calls)
    if (reported !== null && (predicted.tokens ?? 0) > 0) last.set(member, providerMisses);
  return [...last].filter(([, misses]) => misses >= tellingMisses).map(([member, misses]) => ({ member, misses }));
}
