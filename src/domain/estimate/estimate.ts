import * as z from 'zod';
import { Depth, modelsOf, type Settings } from '../settings/settings.ts';
import type { CompletedTickets } from './completedTicket.ts';
import { mostReviews } from '../findings/finding.ts';
import { type PartyKind, partiesOf, personasFor } from '../personas/persona.ts';

/** From, to. */
export const Range = z.object({ low: z.number(), high: z.number() });
export type Range = Readonly<z.infer<typeof Range>>;

/**
 * A ticket's probable effort at a depth, from `tickets` of: this depth here (`history`), another depth
 * (`scaled`), other repositories (`elsewhere`), or none (`prior`).
 */
export const Estimate = z.object({
  depth: Depth,
  calls: Range,
  tokens: Range,
  minutes: Range,
  /** US dollars at list price, if known. */
  money: Range.nullable(),
  basis: z.enum(['history', 'scaled', 'elsewhere', 'prior']),
  tickets: z.number().int(),
});
export type Estimate = Readonly<z.infer<typeof Estimate>>;

type Measure = 'calls' | 'tokens' | 'minutes';

/** The effort without experience (docs/decisions/103-quick-tickets.md); `full`: a council of two. */
export const priors: Readonly<Record<Depth, Readonly<Record<Measure, Range>>>> = {
  loop: {
    calls: { low: 2, high: 60 },
    tokens: { low: 15_000, high: 3_000_000 },
    minutes: { low: 1, high: 120 },
  },
  quick: {
    calls: { low: 5, high: 40 },
    tokens: { low: 30_000, high: 1_500_000 },
    minutes: { low: 1, high: 60 },
  },
  solo: {
    calls: { low: 15, high: 120 },
    tokens: { low: 100_000, high: 6_000_000 },
    minutes: { low: 3, high: 240 },
  },
  full: {
    calls: { low: 25, high: 200 },
    tokens: { low: 200_000, high: 12_000_000 },
    minutes: { low: 5, high: 360 },
  },
};

const shares: Readonly<Record<Depth, Range>> = {
  loop: { low: 0.1, high: 1 },
  quick: { low: 0.2, high: 1 },
  solo: { low: 1, high: 1 },
  full: { low: 1, high: 3 },
};
const newest = 20;

/** Estimates each depth from completed tickets, newest first. */
export function estimates(history: CompletedTickets): readonly Estimate[] {
  return Depth.options.map((depth) => estimateOf(depth, history));
}

/** Estimates one depth. */
export function estimateOf(depth: Depth, history: CompletedTickets): Estimate {
  const { found, basis, of } = experienceOf(history, depth, { kindOf: (ticket) => ticket.depth, shares });
  if (basis === 'prior') return { depth, ...priors[depth], money: null, basis, tickets: 0 };
  const priced = found.every(({ money }) => money !== null);
  return {
    depth,
    calls: whole(of((ticket) => ticket.calls)),
    tokens: of((ticket) => ticket.tokens),
    minutes: of((ticket) => ticket.minutes),
    money: priced ? of((ticket) => ticket.money ?? 0) : null,
    basis,
    tickets: found.length,
  };
}

interface Experience<T> extends Pick<Estimate, 'basis'> {
  readonly found: readonly T[];
  readonly of: (measure: (ticket: T) => number) => Range;
}

/**
 * The range of completed tickets of a kind, else of others by the `shares` of their kinds; wider the fewer
 * there are. Other repositories count only without tickets here.
 */
export function experienceOf<T, K extends string>(
  { here, elsewhere }: { readonly here: readonly T[]; readonly elsewhere: readonly T[] },
  kind: K,
  { kindOf, shares }: { readonly kindOf: (ticket: T) => K; readonly shares: Readonly<Record<K, Range>> },
): Experience<T> {
  const known = here.length > 0 ? here : elsewhere;
  const own = known.filter((ticket) => kindOf(ticket) === kind);
  const found = (own.length > 0 ? own : known).slice(0, newest);
  const shareOf = (one: K): Range => (own.length > 0 ? once : shares[one]);
  const widening = 1 + 1 / found.length;
  const of: Experience<T>['of'] = (measure) => {
    const lows = found.map((ticket) => (measure(ticket) * shareOf(kind).low) / shareOf(kindOf(ticket)).high);
    const highs = found.map((ticket) => (measure(ticket) * shareOf(kind).high) / shareOf(kindOf(ticket)).low);
    return { low: Math.min(...lows) / widening, high: Math.max(...highs) * widening };
  };
  const basis = own.length > 0 ? 'history' : 'scaled';
  return { found, of, basis: known.length === 0 ? 'prior' : here.length > 0 ? basis : 'elsewhere' };
}

/** Rounded outwards. */
export function whole({ low, high }: Range): Range {
  return { low: Math.floor(low), high: Math.ceil(high) };
}

/** Calls of a kind: `members` in each of `rounds`. */
export interface CallCount {
  readonly members: Range;
  readonly rounds: Range;
  readonly calls: Range;
}

const once: Range = { low: 1, high: 1 };

/** A count of calls. */
export function countOf(members: Range, rounds: Range = once): CallCount {
  return { members, rounds, calls: { low: members.low * rounds.low, high: members.high * rounds.high } };
}

/** A party's sessions in a round (docs/decisions/134-parties.md). */
export function partyMembers(settings: Settings, kind: PartyKind): Range {
  const personas = personasFor(settings, kind).length;
  if (settings.partyMode === 'solo') return once;
  // Solo if only one model is known; a person's own personas may name others.
  const isSoloWithOneModel = kind === 'failure' || kind === 'retrospective';
  if (!isSoloWithOneModel || modelsOf(settings).size > 1) return { low: personas, high: personas };
  return { low: 1, high: settings.personas.length === 0 ? 1 : personas };
}

/** An iteration's reviews, from one to all, of a party with or without its second round. */
export function reviewCount(settings: Settings): CallCount {
  if (settings.review !== 'party') return countOf(once, { low: 1, high: mostReviews });
  const members = partyMembers(settings, 'review');
  const votes = settings.partyRounds > 1 && members.high > 1;
  return countOf(members, { low: 1, high: mostReviews * (votes ? 2 : 1) });
}

/** An iteration's fixes: one between two reviews. */
export const fixCount: CallCount = countOf(once, { low: 0, high: mostReviews - 1 });

/** Calls of an iteration's reviews and fixes; none without reviews. */
export function reviewingCalls(settings: Settings): Range {
  const isReviewed = settings.review === 'standard' || settings.review === 'party';
  return isReviewed ? sum(reviewCount(settings).calls, fixCount.calls) : { low: 0, high: 0 };
}

/** The calls that optional phases add to bead and ticket, except after a failure. */
export function addedCalls(settings: Settings): { readonly bead: Range; readonly ticket: Range } {
  const on = partiesOf(settings);
  const none: Range = { low: 0, high: 0 };
  const of = (kind: PartyKind): Range => (on.includes(kind) ? partyMembers(settings, kind) : none);
  return { bead: sum(of('kickoff'), reviewingCalls(settings)), ticket: of('retrospective') };
}

/** The sum of two ranges. */
export function sum(one: Range, other: Range): Range {
  return { low: one.low + other.low, high: one.high + other.high };
}
