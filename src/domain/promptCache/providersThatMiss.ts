import { filled, type Words } from '../core/errors.ts';
import { tellingMisses } from './cacheHistory.ts';

interface Missing {
  readonly member: string;
  readonly endedAt: number;
  readonly providerMisses: number;
  readonly predicted: { readonly tokens: number | null };
  readonly reported: unknown;
}

/** A model without hits. `since`: the third call's end in milliseconds since 1970. */
export interface ProviderThatMisses {
  readonly member: string;
  readonly misses: number;
  readonly since: number;
}

/** The message with the model and the number of misses. */
export const missesSentence =
  'The provider of {0} reported no cache hits for {1} consecutive calls with a shared prefix. Check that caching is on for this model, or use another provider for it.';

/** The message, filled. */
export function missesText(
  { member, misses }: Pick<ProviderThatMisses, 'member' | 'misses'>,
  words: Words = filled,
): string {
  return words(missesSentence, { 0: member, 1: misses });
}

/**
 * Models whose last answers, three or more in a row, missed a predicted cache (docs/prompt-cache.md). Calls
 * without data change nothing. `calls`: oldest first.
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
