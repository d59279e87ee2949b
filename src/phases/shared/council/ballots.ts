import { isRecord } from '../../../base/json.ts';
import { type CouncilVote, VoteBallot } from '../../../domain/council.ts';
import { type Parsed, parsedAs } from '../ask/askTypes.ts';
import { parseStructured } from '../structured/parseStructured.ts';

/** Reads a ballot: one score a label, none missing and none invented. Answers the scores by member. */
export function parseBallot(order: readonly string[]): (text: string) => Parsed<CouncilVote['scores']> {
  const read = parseStructured({ schema: VoteBallot, check: (ballot) => problemOf(Object.keys(ballot.draft_scores), order.length) });
  return (text) =>
    parsedAs(read(text), ({ draft_scores }) => {
      const entries = Object.entries(draft_scores).map(([label, score]) => [order[placeOf(label) - 1] ?? '', score] as const);
      return Object.fromEntries(entries.filter(([, score]) => isRecord(score)));
    });
}

/** The label of the draft at a place, from 0. It is also the heading the context gives it. */
function draftLabel(index: number): string {
  return `Draft ${index + 1}`;
}

function placeOf(label: string): number {
  return Number(/^\s*draft[\s_-]*(\d{1,3})\s*$/i.exec(label)?.[1] ?? Number.NaN);
}

function problemOf(labels: readonly string[], drafts: number): string | undefined {
  const places = labels.map(placeOf);
  const wanted = Array.from({ length: drafts }, (_, index) => index + 1);
  const missing = wanted.filter((place) => !places.includes(place)).map((place) => draftLabel(place - 1));
  const odd = labels.filter((label) => !wanted.includes(placeOf(label)));
  if (missing.length > 0) return `draft_scores: no score for ${missing.join(', ')}.`;
  if (odd.length > 0) return `draft_scores: there is no ${odd.join(', ')}.`;
  return new Set(places).size === places.length ? undefined : 'draft_scores: a draft is scored twice.';
}

/** A copy in an order that depends on nothing but the seed (at least 8 hex digits): Fisher-Yates over a small generator (mulberry32). */
export function shuffle<T>(items: readonly T[], seed: string): T[] {
  let state = Number.parseInt(seed.slice(0, 8), 16) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const pick = Math.floor(next() * (last + 1));
    const [a, b] = [order[last], order[pick]];
    // Both indices are inside of the list.
    if (a === undefined || b === undefined) continue;
    order[last] = b;
    order[pick] = a;
  }
  return order;
}
