import type { Settings } from '../settings/settings.ts';
import * as z from 'zod';
import { addedCalls, Estimate, experienceOf, type Range, reviewingCalls, whole } from './estimate.ts';
import type { CompletedTicket, CompletedTickets, ReviewedTicket, ReviewMode } from './completedTicket.ts';

/**
 * The probable effort of reviews per bead, from `tickets` reviewed: this way here (`history`), the other way
 * (`scaled`), in other repositories (`elsewhere`), or none (`prior`).
 */
export const ReviewEstimate = Estimate.omit({ depth: true, minutes: true, money: true }).extend({
  mode: z.enum(['standard', 'party']),
});
export type ReviewEstimate = Readonly<z.infer<typeof ReviewEstimate>>;

/** Model calls and tokens. */
export const Added = Estimate.pick({ calls: true, tokens: true });
export type Added = Readonly<z.infer<typeof Added>>;

/**
 * A bead's review effort without experience (docs/decisions/133-people-decide-about-findings.md): one review
 * to three with two fixes; a party asks four personas twice.
 */
export const reviewPriors: Readonly<Record<ReviewMode, Added>> = {
  standard: { calls: { low: 1, high: 5 }, tokens: { low: 8_000, high: 400_000 } },
  party: { calls: { low: 3, high: 26 }, tokens: { low: 30_000, high: 2_000_000 } },
};

const tokensOfCall: Readonly<Record<ReviewMode, Range>> = {
  standard: { low: 8_000, high: 80_000 },
  party: { low: 10_000, high: 77_000 },
};

/** The prior effort of kickoffs and reviews per bead, and of a retrospective per ticket; null without any. */
export function addedPriors(settings: Settings): {
  readonly bead: Added | null;
  readonly ticket: Added | null;
} {
  const { bead, ticket } = addedCalls(settings);
  const perCall = tokensOfCall[settings.review === 'standard' && !settings.kickoff ? 'standard' : 'party'];
  return {
    bead: bead.high > 0 ? addedBy(bead, perCall) : null,
    ticket: ticket.high > 0 ? addedBy(ticket, tokensOfCall.party) : null,
  };
}

function addedBy(calls: Range, tokens: Range): Added {
  return { calls, tokens: { low: calls.low * tokens.low, high: calls.high * tokens.high } };
}

const shares: Readonly<Record<ReviewMode, Range>> = {
  standard: { low: 1, high: 1 },
  party: { low: 3, high: 8 },
};

/** Estimates both ways. Other repositories count only without reviews here. */
export function reviewEstimates({ here, elsewhere }: CompletedTickets): readonly ReviewEstimate[] {
  const reviewed = { here: usable(here), elsewhere: usable(elsewhere) };
  return ReviewEstimate.shape.mode.options.map((mode) => {
    const { found, basis, of } = experienceOf(reviewed, mode, { kindOf: (ticket) => ticket.mode, shares });
    if (basis === 'prior') return { mode, ...reviewPriors[mode], basis, tickets: 0 };
    const { low, high } = whole(of(({ calls, beads }) => calls / beads));
    const tokens = of((ticket) => ticket.tokens / ticket.beads);
    return { mode, calls: { low: Math.max(1, low), high }, tokens, basis, tickets: found.length };
  });
}

function usable(history: readonly CompletedTicket[]): readonly ReviewedTicket[] {
  return history.flatMap(({ review }) => (review && review.beads > 0 && review.calls > 0 ? [review] : []));
}

/** A review's effort, if there is one. Without experience, `settings` determine it. */
export function reviewEstimateFor(
  review: Settings['review'],
  hasSecondModel: boolean,
  estimates: readonly ReviewEstimate[],
  settings?: Settings,
): ReviewEstimate | undefined {
  const mode = review === 'auto' ? (hasSecondModel ? 'standard' : 'off') : review;
  const found = estimates.find((estimate) => estimate.mode === mode);
  if (found?.basis !== 'prior' || !settings || mode === 'off') return found;
  return { ...found, ...addedBy(reviewingCalls({ ...settings, review: mode }), tokensOfCall[mode]) };
}
