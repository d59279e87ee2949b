import type * as z from 'zod';
import { isRecord } from '../../../base/json.ts';
import {
  type CouncilVote,
  type DraftScore,
  VoteBallot,
  voteCategories,
} from '../../../domain/council/council.ts';
import { draftLabel, draftPlace } from '../../../domain/council/labels.ts';
import { type Parsed, parsedAs } from '../structured/askTypes.ts';
import { parseStructured } from '../structured/parseStructured.ts';

type Written = z.infer<typeof VoteBallot>['draft_scores'][string];

/**
 * Reads a ballot: one score a label, none missing and none invented, however the reasons are written. Answers
 * the scores by member.
 */
export function parseBallot(order: readonly string[]): (text: string) => Parsed<CouncilVote['scores']> {
  const read = parseStructured({
    schema: VoteBallot,
    check: (ballot) => problemOf(Object.keys(ballot.draft_scores), order.length),
  });
  return (text) =>
    parsedAs(read(text), ({ draft_scores }) => {
      const entries = Object.entries(draft_scores).filter(([, score]) => isRecord(score));
      return Object.fromEntries(
        entries.map(([label, score]) => [order[draftPlace(label) ?? -1] ?? '', scoreOf(score)]),
      );
    });
}

function scoreOf(written: Written): DraftScore {
  const reasons = voteCategories.flatMap((category) => {
    const score = written[category];
    const given = [written.reasons?.[category] ?? '', typeof score === 'object' ? (score.reason ?? '') : ''];
    const text = given.filter((reason) => reason.trim() !== '').join(' ');
    return text === '' ? [] : [[category, text] as const];
  });
  return {
    coverage: points(written.coverage),
    correctness: points(written.correctness),
    testability: points(written.testability),
    decomposition: points(written.decomposition),
    risks: points(written.risks),
    reason: written.reason ?? '',
    ...(reasons.length === 0 ? {} : { reasons: Object.fromEntries(reasons) }),
  };
}

function points(written: Written['coverage']): number {
  return typeof written === 'object' ? written.score : written;
}

function problemOf(labels: readonly string[], drafts: number): string | undefined {
  const places = labels.map(draftPlace);
  const wanted = Array.from({ length: drafts }, (_, place) => place);
  const missing = wanted.filter((place) => !places.includes(place)).map(draftLabel);
  const odd = labels.filter((_, index) => !wanted.includes(places[index] ?? -1));
  if (missing.length > 0) return `draft_scores: no score for ${missing.join(', ')}.`;
  if (odd.length > 0) return `draft_scores: there is no ${odd.join(', ')}.`;
  return new Set(places).size === places.length ? undefined : 'draft_scores: a draft is scored twice.';
}

/**
 * A copy in an order that depends on nothing but the seed (at least 8 hex digits): Fisher-Yates over a small
 * generator (mulberry32).
 */
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
