import { isRecord } from '../../base/json.ts';
import { type CouncilVote, VoteBallot } from '../../domain/council.ts';
import type { Parsed } from '../askTypes.ts';
import { parseStructured } from '../structured/parseStructured.ts';

/** Reads a ballot: one score a label, none missing and none invented. Answers the scores by member. */
export function parseBallot(order: readonly string[]): (text: string) => Parsed<CouncilVote['scores']> {
  const read = parseStructured({ schema: VoteBallot, check: (ballot) => problemOf(Object.keys(ballot.draft_scores), order.length) });
  return (text) => {
    const parsed = read(text);
    if (!parsed.ok) return parsed;
    const entries = Object.entries(parsed.value.draft_scores).map(([label, score]) => [order[placeOf(label) - 1] ?? '', score] as const);
    return { ok: true, value: Object.fromEntries(entries.filter(([, score]) => isRecord(score))) };
  };
}

/** The label of the draft at a place, from 0. It is also the heading the context gives it. */
export function draftLabel(index: number): string {
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
