import type { Settings } from '../settings/settings.ts';
import { type Range, addedCalls, reviewingCalls } from './estimate.ts';
import type { CompletedTicket, CompletedTickets, ReviewedTicket, ReviewMode } from './completedTicket.ts';

/**
 * The probable effort of reviews per bead, from `tickets` reviewed: this way here (`history`), the other way
 * (`scaled`), in other repositories (`elsewhere`), or none (`prior`).
 */
export interface ReviewEstimate {
  readonly mode: ReviewMode;
  readonly calls: Range;
  readonly tokens: Range;
  readonly basis: 'history' | 'scaled' | 'elsewhere' | 'prior';
  readonly tickets: number;
}

const modes: readonly ReviewMode[] = ['standard', 'party'];

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

/**
 * The prior effort of kickoffs and reviews per bead, and of a retrospective per ticket; absent without any.
 */
export function addedPriors(settings: Settings): { readonly bead?: Added; readonly ticket?: Added } {
  const { bead, ticket } = addedCalls(settings);
  const perCall = tokensOfCall[settings.review === 'standard' && !settings.kickoff ? 'standard' : 'party'];
  return {
    ...(bead.high > 0 ? { bead: addedBy(bead, perCall) } : {}),
    ...(ticket.high > 0 ? { ticket: addedBy(ticket, tokensOfCall.party) } : {}),
  };
}

/** Model calls and tokens. */
export type Added = Pick<ReviewEstimate, 'calls' | 'tokens'>;

function addedBy(calls: Range, tokens: Range): Added {
  return { calls, tokens: { low: calls.low * tokens.low, high: calls.high * tokens.high } };
}

const partyFactor: Range = { low: 3, high: 8 };
const newest = 20;

/** Estimates both ways. Other repositories count only without reviews here. */
export function reviewEstimates({ here, elsewhere }: CompletedTickets): readonly ReviewEstimate[] {
  const reviewedHere = usable(here);
  const known = reviewedHere.length > 0 ? reviewedHere : usable(elsewhere);
  return modes.map((mode) => {
    if (known.length === 0) return { mode, ...reviewPriors[mode], basis: 'prior', tickets: 0 };
    const own = known.filter((ticket) => ticket.mode === mode).slice(0, newest);
    const factor = mode === 'party' ? partyFactor : { low: 1 / partyFactor.high, high: 1 / partyFactor.low };
    const estimate =
      own.length > 0
        ? fromTickets(mode, own, { low: 1, high: 1 }, 'history')
        : fromTickets(mode, known.slice(0, newest), factor, 'scaled');
    return reviewedHere.length > 0 ? estimate : { ...estimate, basis: 'elsewhere' };
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

function fromTickets(
  mode: ReviewMode,
  tickets: readonly ReviewedTicket[],
  factor: Range,
  basis: 'history' | 'scaled',
): ReviewEstimate {
  const widening = 1 + 1 / tickets.length;
  const range = (measure: (ticket: ReviewedTicket) => number): Range => {
    const each = tickets.map((ticket) => measure(ticket) / ticket.beads);
    return {
      low: (Math.min(...each) * factor.low) / widening,
      high: Math.max(...each) * factor.high * widening,
    };
  };
  const calls = range((ticket) => ticket.calls);
  return {
    mode,
    calls: { low: Math.max(1, Math.floor(calls.low)), high: Math.ceil(calls.high) },
    tokens: range((ticket) => ticket.tokens),
    basis,
    tickets: tickets.length,
  };
}
