import { l10n } from 'vscode';
import { joined } from '../../base/joined.ts';
import { type Estimate, estimates } from '../../domain/estimate/estimate.ts';
import { type ReviewEstimate, reviewEstimates } from '../../domain/estimate/reviewEstimate.ts';
import { type DepthSuggestion, suggestDepth } from '../../domain/estimate/suggestDepth.ts';
import type { Client } from '../../protocol/api.ts';
import { rangeText, readCompleted } from '../../protocol/estimates.ts';
import type { OpenRepository } from '../shared/repositories.ts';

export interface KnownOfDepths {
  readonly suggestion: DepthSuggestion | undefined;
  readonly estimates: readonly Estimate[];
  readonly reviews: readonly ReviewEstimate[];
}

/** Of a ticket, or of a text that isn't one yet. */
export async function knownOfDepths(
  { client }: OpenRepository,
  of: string | Parameters<typeof suggestDepth>[0],
): Promise<KnownOfDepths> {
  try {
    const text = typeof of === 'string' ? (await client.ticket(of)).ticket : of;
    return { suggestion: suggestDepth(text), ...(await estimatesIn(client)) };
  } catch {
    return { suggestion: undefined, estimates: [], reviews: [] };
  }
}

export async function estimatesIn(client: Client): Promise<Pick<KnownOfDepths, 'estimates' | 'reviews'>> {
  const completed = await readCompleted(client);
  return { estimates: estimates(completed), reviews: reviewEstimates(completed) };
}

/** The calls and the price, where there is little room. */
export function effortText({ calls, money }: Estimate): string {
  return joined(
    [l10n.t('{0} calls', rangeText(calls)), money ? l10n.t('{0} US dollars', rangeText(money)) : ''],
    ', ',
  );
}

export function estimateText({ calls, tokens, minutes, money, basis, tickets }: Estimate): string {
  const price = money ? l10n.t('{0} US dollars', rangeText(money)) : l10n.t('no price known');
  const known = l10n.t(
    '{0} calls, {1} tokens, {2} minutes, {3}',
    rangeText(calls),
    rangeText(tokens),
    rangeText(minutes),
    price,
  );
  if (basis === 'prior') return l10n.t('{0} (no finished tickets here yet)', known);
  if (basis === 'scaled') return l10n.t('{0} (from finished tickets of other depths: {1})', known, tickets);
  if (basis === 'elsewhere')
    return l10n.t('{0} (from tickets finished in other repositories: {1})', known, tickets);
  return l10n.t('{0} (from finished tickets: {1})', known, tickets);
}

export function reviewEstimateText({ mode, calls, tokens, basis, tickets }: ReviewEstimate): string {
  const added =
    mode === 'party'
      ? l10n.t(
          'each bead reviewed by personas: {0} calls, {1} tokens more',
          rangeText(calls),
          rangeText(tokens),
        )
      : l10n.t('each bead reviewed: {0} calls, {1} tokens more', rangeText(calls), rangeText(tokens));
  if (basis === 'elsewhere')
    return l10n.t('{0} (from tickets finished in other repositories: {1})', added, tickets);
  return basis === 'prior' ? l10n.t('{0} (no reviewed tickets here yet)', added) : added;
}
