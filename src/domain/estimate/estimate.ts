import { Depth, type Settings } from '../settings/settings.ts';
import type { CompletedTicket, CompletedTickets } from './completedTicket.ts';
import { mostReviews } from '../findings/finding.ts';
import { type PartyKind, partiesOf, personasFor } from '../personas/persona.ts';

/** From, to. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/**
 * The probable effort of a ticket of a depth. `basis`: tickets of this depth that were finished here
 * (`history`); those of another depth, with the factors between depths (`scaled`); those of other
 * repositories of this machine (`elsewhere`); or nothing but the documented prior (`prior`). `tickets`: their
 * number.
 */
export interface Estimate {
  readonly depth: Depth;
  readonly calls: Range;
  readonly tokens: Range;
  readonly minutes: Range;
  readonly money: Range | null;
  readonly basis: 'history' | 'scaled' | 'elsewhere' | 'prior';
  readonly tickets: number;
}

type Measure = 'calls' | 'tokens' | 'minutes';

/** The effort where nothing is known (docs/decisions/103-quick-tickets.md); `full`: a council of two. */
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

/** The effort of a depth, as a multiple of that of `solo`. */
const shares: Readonly<Record<Depth, Range>> = {
  loop: { low: 0.1, high: 1 },
  quick: { low: 0.2, high: 1 },
  solo: { low: 1, high: 1 },
  full: { low: 1, high: 3 },
};
/** The newest tickets say most about the next one. */
const newest = 20;

/** Estimates each depth, from the tickets that were finished, newest first. */
export function estimates(history: CompletedTickets): readonly Estimate[] {
  return Depth.options.map((depth) => estimateOf(depth, history));
}

/**
 * Estimates one depth: from the least to the most that a ticket took, widened the more the fewer there are
 * (by a factor of two for one, and by a tenth for ten). What was finished in other repositories counts only
 * where nothing was finished here.
 */
export function estimateOf(depth: Depth, { here, elsewhere }: CompletedTickets): Estimate {
  const known = here.length > 0 ? here : elsewhere;
  if (known.length === 0) return { depth, ...priors[depth], money: null, basis: 'prior', tickets: 0 };
  const own = known.filter((ticket) => ticket.depth === depth);
  const estimate = fromTickets(
    depth,
    (own.length > 0 ? own : known).slice(0, newest),
    own.length > 0 ? 'history' : 'scaled',
  );
  return here.length > 0 ? estimate : { ...estimate, basis: 'elsewhere' };
}

function fromTickets(
  depth: Depth,
  tickets: readonly CompletedTicket[],
  basis: 'history' | 'scaled',
): Estimate {
  const widening = 1 + 1 / tickets.length;
  const range = (measure: (ticket: CompletedTicket) => number): Range => ({
    low:
      Math.min(
        ...tickets.map((ticket) => (measure(ticket) * shares[depth].low) / shares[ticket.depth].high),
      ) / widening,
    high:
      Math.max(
        ...tickets.map((ticket) => (measure(ticket) * shares[depth].high) / shares[ticket.depth].low),
      ) * widening,
  });
  const same = (measure: (ticket: CompletedTicket) => number): Range => ({
    low: Math.min(...tickets.map(measure)) / widening,
    high: Math.max(...tickets.map(measure)) * widening,
  });
  const of = basis === 'history' ? same : range;
  const priced = tickets.every(({ money }) => money !== null);
  const calls = of((ticket) => ticket.calls);
  return {
    depth,
    calls: { low: Math.floor(calls.low), high: Math.ceil(calls.high) },
    tokens: of((ticket) => ticket.tokens),
    minutes: of((ticket) => ticket.minutes),
    money: priced ? of((ticket) => ticket.money ?? 0) : null,
    basis,
    tickets: tickets.length,
  };
}

/** The number of calls of a kind: `members` are asked in each of `rounds`. */
export interface CallCount {
  readonly members: Range;
  readonly rounds: Range;
  readonly calls: Range;
}

const once: Range = { low: 1, high: 1 };

/** `members` asked in each of `rounds`. */
export function countOf(members: Range, rounds: Range = once): CallCount {
  return { members, rounds, calls: { low: members.low * rounds.low, high: members.high * rounds.high } };
}

/** Returns how many sessions a party has in a round (docs/decisions/134-parties.md). */
export function partyMembers(settings: Settings, kind: PartyKind): Range {
  const personas = personasFor(settings, kind).length;
  if (settings.partyMode === 'solo') return once;
  // These are solo where the ticket and its personas know only one model; a person's own personas may name
  // others.
  const isSoloWithOneModel = kind === 'failure' || kind === 'retrospective';
  const { mainImplementer, councilMembers, reviewer } = settings;
  const models = new Set([mainImplementer, ...councilMembers, reviewer].filter((model) => model !== ''));
  if (!isSoloWithOneModel || models.size > 1) return { low: personas, high: personas };
  return { low: 1, high: settings.personas.length === 0 ? 1 : personas };
}

/** The reviews of an iteration, from one to all, each of a party with or without its second round. */
export function reviewCount(settings: Settings): CallCount {
  if (settings.review !== 'party') return countOf(once, { low: 1, high: mostReviews });
  const members = partyMembers(settings, 'review');
  const votes = settings.partyRounds > 1 && members.high > 1;
  return countOf(members, { low: 1, high: mostReviews * (votes ? 2 : 1) });
}

/** The fixes of an iteration: one between two reviews. */
export const fixCount: CallCount = countOf(once, { low: 0, high: mostReviews - 1 });

/** The calls of an iteration's reviews and fixes; none where nobody reviews. */
export function reviewingCalls(settings: Settings): Range {
  const isReviewed = settings.review === 'standard' || settings.review === 'party';
  return isReviewed ? sum(reviewCount(settings).calls, fixCount.calls) : { low: 0, high: 0 };
}

/** Returns the calls that optional phases add to bead and ticket, without those after a failure. */
export function addedCalls(settings: Settings): { readonly bead: Range; readonly ticket: Range } {
  const on = partiesOf(settings);
  const none: Range = { low: 0, high: 0 };
  const of = (kind: PartyKind): Range => (on.includes(kind) ? partyMembers(settings, kind) : none);
  return { bead: sum(of('kickoff'), reviewingCalls(settings)), ticket: of('retrospective') };
}

function sum(one: Range, other: Range): Range {
  return { low: one.low + other.low, high: one.high + other.high };
}
