import type { Estimate } from '../../domain/estimate/estimate.ts';
import type { ReviewEstimate } from '../../domain/estimate/reviewEstimate.ts';
import type { DepthSuggestion } from '../../domain/estimate/suggestDepth.ts';
import { rangeText } from '../../protocol/estimates.ts';

const bases: Readonly<Record<Estimate['basis'], (tickets: number) => string>> = {
  history: (tickets) => `from ${counted(tickets)} of this depth finished here`,
  scaled: (tickets) => `from ${counted(tickets)} of other depths finished here`,
  elsewhere: (tickets) => `from ${counted(tickets)} finished in other repositories`,
  prior: () => 'no finished tickets here yet',
};

export function suggestionLine(suggestion: DepthSuggestion): string {
  return `Suggested depth: ${suggestion.depth}. ${reasonsOf(suggestion).join(' ')}`;
}

export function estimateLine({ calls, tokens, minutes, money, basis, tickets }: Estimate): string {
  const price = money ? `${rangeText(money)} US dollars` : 'no price known';
  return `${rangeText(calls)} calls, ${rangeText(tokens)} tokens, ${rangeText(minutes)} minutes, ${price} (${bases[basis](tickets)})`;
}

const reviewBases: Readonly<Record<ReviewEstimate['basis'], (tickets: number) => string>> = {
  history: (tickets) => `from ${counted(tickets)} reviewed this way and finished here`,
  scaled: (tickets) => `from ${counted(tickets)} reviewed differently`,
  elsewhere: (tickets) => `from ${counted(tickets)} reviewed in other repositories`,
  prior: () => 'no reviewed tickets here yet',
};

export function reviewLine({ mode, calls, tokens, basis, tickets }: ReviewEstimate): string {
  return `review (${mode}) adds to each bead: ${rangeText(calls)} calls, ${rangeText(tokens)} tokens (${reviewBases[basis](tickets)})`;
}

export function reasonsOf({ reasons }: DepthSuggestion): string[] {
  return reasons.map(({ text, args }) =>
    args.reduce<string>((filled, arg, place) => filled.replace(`{${String(place)}}`, String(arg)), text),
  );
}

function counted(tickets: number): string {
  return tickets === 1 ? '1 ticket' : `${String(tickets)} tickets`;
}
