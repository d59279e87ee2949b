import { type Estimate, estimates } from '../../domain/estimate/estimate.ts';
import { type ReviewEstimate, reviewEstimates } from '../../domain/estimate/reviewEstimate.ts';
import { type DepthSuggestion, suggestDepth } from '../../domain/estimate/suggestDepth.ts';
import type { Client } from '../../protocol/api.ts';
import { readCompleted } from '../../protocol/estimates.ts';
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
