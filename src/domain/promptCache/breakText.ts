import { filled, type Words } from '../core/errors.ts';
import { type BreakKind, type CacheReport, tellingMisses } from './cacheHistory.ts';

/** Reasons why no more of a prompt can be in a cache. */
export const breakTexts: Readonly<Record<BreakKind, string>> = {
  none: '',
  unknown: 'It isn’t known how this provider caches prompts, so nothing is predicted.',
  'first-call': 'First call of this kind with this model, so nothing can be in the cache.',
  'model-changed': 'Earlier calls used another model, so nothing can be in the cache.',
  'ttl-expired': 'The last call with the same prefix was too long ago.',
  'too-short': 'The shared prefix is too short for the cache.',
  'tools-changed': 'The tools changed, so nothing after them is in the cache.',
  'system-changed': 'The agent’s own text changed, so nothing after it is in the cache.',
  'content-changed': '“{0}” changed ({1} tokens); the {2} tokens after it aren’t in the cache.',
  'slice-added': '“{0}” was added ({1} tokens); the {2} tokens after it aren’t in the cache.',
  'slice-removed': '“{0}” was removed ({1} tokens); the {2} tokens after it aren’t in the cache.',
  'slice-moved': '“{0}” moved ({1} tokens); the {2} tokens after it aren’t in the cache.',
};

/** The reason why a call's prediction isn't longer; empty if nothing is missing. */
export function breakText(
  { predicted: { kind, culprit, culpritTokens, after } }: Pick<CacheReport, 'predicted'>,
  words: Words = filled,
): string {
  if (kind === 'none') return '';
  return words(breakTexts[kind], { 0: culprit ?? '', 1: culpritTokens, 2: after });
}

/** Warnings about a provider whose cache missed. */
export const missedTexts = {
  once: 'The provider reported no cache hits, although the prefix was sent before.',
  again:
    'The provider reported no cache hits for {0} consecutive calls, although their prefix was sent before.',
} as const;

/** The warning about a call; empty if its provider didn't miss. */
export function missedText(
  { isProviderMiss, providerMisses }: Pick<CacheReport, 'isProviderMiss' | 'providerMisses'>,
  words: Words = filled,
): string {
  if (!isProviderMiss) return '';
  return words(missedTexts[providerMisses < tellingMisses ? 'once' : 'again'], { 0: providerMisses });
}
