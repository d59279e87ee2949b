import { joined } from '../../base/joined.ts';
import { filled, type Words } from '../core/errors.ts';
import type { Estimate, Range } from './estimate.ts';
import type { ReviewEstimate } from './reviewEstimate.ts';
import type { DepthSuggestion } from './suggestDepth.ts';

/** Words of estimates, translated by views. */
export const estimateTexts = {
  effort: '{calls} calls, {tokens} tokens, {minutes} minutes, {price}',
  calls: '{calls} calls',
  price: '{0} US dollars',
  noPrice: 'no price known',
  history: '{0} (from finished tickets: {1})',
  scaled: '{0} (from finished tickets of other depths: {1})',
  elsewhere: '{0} (from tickets finished in other repositories: {1})',
  prior: '{0} (no finished tickets here yet)',
} as const;

/** Words of estimates of reviews. */
export const reviewEstimateTexts = {
  standard: 'Review of each bead adds {0} calls, {1} tokens',
  party: 'Review of each bead by personas adds {0} calls, {1} tokens',
  history: '{0} (from reviewed tickets: {1})',
  scaled: '{0} (from tickets reviewed differently: {1})',
  elsewhere: estimateTexts.elsewhere,
  prior: '{0} (no reviewed tickets here yet)',
} as const;

/** Calls, tokens, time and price of a depth, and how they are known. */
export function estimateText(
  { calls, tokens, minutes, money, basis, tickets }: Estimate,
  words: Words = filled,
): string {
  const effort = words(estimateTexts.effort, {
    calls: rangeText(calls),
    tokens: rangeText(tokens),
    minutes: rangeText(minutes),
    price: money ? words(estimateTexts.price, { 0: rangeText(money) }) : words(estimateTexts.noPrice, {}),
  });
  return words(estimateTexts[basis], { 0: effort, 1: tickets });
}

/** Calls and price, where there is little room. */
export function effortText({ calls, money }: Estimate, words: Words): string {
  const price = money ? words(estimateTexts.price, { 0: rangeText(money) }) : '';
  return joined([words(estimateTexts.calls, { calls: rangeText(calls) }), price], ', ');
}

/** The calls and tokens that reviews add, and how they are known. */
export function reviewEstimateText(
  { mode, calls, tokens, basis, tickets }: ReviewEstimate,
  words: Words = filled,
): string {
  const added = words(reviewEstimateTexts[mode === 'party' ? 'party' : 'standard'], {
    0: rangeText(calls),
    1: rangeText(tokens),
  });
  return words(reviewEstimateTexts[basis], { 0: added, 1: tickets });
}

/** A suggested depth with its reasons, for the command line. */
export function suggestionText(suggestion: DepthSuggestion): string {
  return `Suggested depth: ${suggestion.depth}. ${reasonTexts(suggestion).join(' ')}`;
}

/** The reasons for a suggested depth. */
export function reasonTexts({ reasons }: DepthSuggestion, words: Words = filled): string[] {
  return reasons.map(({ text, args }) => words(text, Object.fromEntries(args.entries())));
}

/** A short range: `5–40`, `30k–1.5M`. */
export function rangeText({ low, high }: Range): string {
  const [from, to] = [shortNumber(low), shortNumber(high)];
  return from === to ? from : `${from}–${to}`;
}

function shortNumber(value: number): string {
  if (value >= 1_000_000) return `${rounded(value / 1_000_000)}M`;
  if (value >= 1_000) return `${rounded(value / 1_000)}k`;
  return rounded(value);
}

function rounded(value: number): string {
  return String(Number(value.toPrecision(value >= 100 ? 3 : 2)));
}
