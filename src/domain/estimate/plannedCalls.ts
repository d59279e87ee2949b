import { mostReviews } from '../findings/finding.ts';
import { type PartyKind, partiesOf, personasFor } from '../personas/persona.ts';
import type { Settings } from '../settings/settings.ts';
import type { Range } from './estimate.ts';

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

/**
 * Returns the number of sessions that a party has in a round: one for each persona, or one that plays all of
 * them (docs/decisions/134-parties.md).
 */
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

/**
 * The reviews of an iteration: from one that finds nothing to the last that there is, each of a party with or
 * without its second round.
 */
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

/**
 * Returns the calls that optional phases add to a ticket, by itself and for each bead; what follows a failed
 * iteration isn't part of it.
 */
export function addedCalls(settings: Settings): { readonly bead: Range; readonly ticket: Range } {
  const on = partiesOf(settings);
  const none: Range = { low: 0, high: 0 };
  const of = (kind: PartyKind): Range => (on.includes(kind) ? partyMembers(settings, kind) : none);
  return { bead: sum(of('kickoff'), reviewingCalls(settings)), ticket: of('retrospective') };
}

function sum(one: Range, other: Range): Range {
  return { low: one.low + other.low, high: one.high + other.high };
}
