import { hunksOf, type Hunk } from './diffPlaces.ts';
import { isSameClaim, type KnownClaim, wordsOf } from './dismissal.ts';
import type { Claim, Doubt, Finding, Review, Standing } from './finding.ts';

/** More believed findings mean that medium ones are fixed too (docs/decisions/132-cold-review.md). */
const manyFindings = 5;

/** A review's place, which begins its findings' ids. */
export type ReviewPlace = Pick<Review, 'bead' | 'iteration' | 'round'>;

/** Claims and their change. `again`: in a later round, the whole change and what to fix. */
export interface Claimed {
  readonly claims: readonly Claim[];
  readonly diff: string;
  readonly place: ReviewPlace;
  readonly again?: { readonly whole: string; readonly earlier: readonly Finding[] };
  readonly decided?: {
    readonly dismissed: readonly (KnownClaim & { readonly number: number })[];
    readonly accepted: readonly KnownClaim[];
  };
}

/**
 * Checks claims against their diff. Unfounded claims stay, marked; a miscounted line moves to its quote;
 * repetitions count once. Later rounds read the fix's diff, and the whole change for earlier findings.
 * Repeated claims follow people's decisions.
 */
export function checkClaims({ claims, diff, place, again, decided }: Claimed): readonly Finding[] {
  const files = filesOf(diff);
  const whole = again && filesOf(again.whole);
  const earlierFiles = new Set(again?.earlier.map(({ file }) => file));
  const seen = new Set<string>();
  const placed = claims.flatMap((claim) => {
    const inFix = placeOf(claim, files);
    const before = whole && inFix.doubt !== null ? placeOf(claim, whole) : undefined;
    const checked = before && earlierFiles.has(before.file) ? before : inFix;
    const same = `${checked.file}:${String(checked.line)}:${wordsOf(claim.claim)}`;
    if (seen.has(same)) return [];
    seen.add(same);
    return [checked];
  });
  const known = placed.map((one) => knownOf(one, decided));
  const believed = known.filter(({ doubt, dismissal }) => doubt === null && dismissal === undefined).length;
  return numbered(known, place, (one) => {
    if (one.accepted === true) return 'fix';
    if (one.doubt !== null) return 'unfounded';
    return one.dismissal === undefined ? standingOf(one, believed) : 'dismissed';
  });
}

/** An accept precedes a dismissal. */
function knownOf(one: Placed, decided: Claimed['decided']): Placed {
  if (decided?.accepted.some((known) => isSameClaim(known, one))) return { ...one, accepted: true };
  const dismissal = decided?.dismissed.find((known) => isSameClaim(known, one))?.number;
  return dismissal === undefined ? one : { ...one, dismissal };
}

/** Claims about a change that is too large to read: none is believed. */
export function unread({ claims, place }: Claimed): readonly Finding[] {
  return numbered(
    claims.map((claim) => ({ ...claim, doubt: 'not_read' as const })),
    place,
    () => 'unfounded',
  );
}

/** Findings after a fix, with earlier ones that still fail. */
export function stillStanding(
  found: readonly Finding[],
  failing: readonly Finding[],
  place: ReviewPlace,
): readonly Finding[] {
  const raised = new Set(
    found.filter(({ confirmed }) => confirmed).map(({ file, claim }) => `${file}:${wordsOf(claim)}`),
  );
  const silent = failing.filter(({ file, claim }) => !raised.has(`${file}:${wordsOf(claim)}`));
  return [...found, ...silent.map((one, index) => ({ ...one, id: idOf(place, found.length + index) }))];
}

function numbered(
  placed: readonly Placed[],
  place: ReviewPlace,
  standing: (one: Placed) => Standing,
): readonly Finding[] {
  return placed.map((one, index) => ({
    ...one,
    id: idOf(place, index),
    standing: standing(one),
    confirmed: false,
  }));
}

/** A finding's id from its place in a review, from 0. */
export function idOf({ bead, iteration, round }: ReviewPlace, index: number): string {
  return `${bead}.${String(iteration)}.${String(round)}.${String(index + 1)}`;
}

/** A believed finding's standing. `believed`: their number. */
export function standingOf({ severity }: Claim, believed: number): Standing {
  if (severity === 'high') return 'fix';
  return severity === 'medium' && believed > manyFindings ? 'fix' : 'noted';
}

interface Written {
  readonly start: number;
  readonly count: number;
  readonly after: readonly Line[];
  readonly before: readonly Line[];
}
interface Line {
  readonly text: string;
  readonly index: number;
}

function filesOf(diff: string): ReadonlyMap<string, readonly Written[]> {
  return new Map([...hunksOf(diff)].map(([path, hunks]) => [path, hunks.map(written)]));
}

function written({ start, after, before }: Hunk): Written {
  const trimmed = (lines: readonly string[]): Line[] =>
    lines.map((text, index) => ({ text: text.trim(), index })).filter(({ text }) => text !== '');
  return { start, count: after.length, after: trimmed(after), before: trimmed(before) };
}

type Placed = Claim & { readonly doubt: Doubt | null } & Pick<Finding, 'dismissal' | 'accepted'>;

function placeOf(claim: Claim, files: ReadonlyMap<string, readonly Written[]>): Placed {
  const named = claim.file.replace(/^(?:\.\/|[ab]\/|\/)+/, '');
  const file = [claim.file, named].find((path) => files.has(path));
  const hunks = file === undefined ? undefined : files.get(file);
  if (file === undefined || !hunks) return { ...claim, doubt: 'not_changed' };
  const at = { ...claim, file };
  const { line } = claim;
  const isInside = ({ start, count }: Written): boolean =>
    line !== null && line >= start && line < start + count;
  if (line !== null && !hunks.some(isInside)) return { ...at, doubt: 'not_there' };
  const quote = linesOf(claim.evidence);
  if (!quote.some((text) => /\w{2}/.test(text))) return { ...at, doubt: 'not_quoted' };
  const found = hunks
    .flatMap((hunk) => [
      ...placesIn(hunk.after, quote).map((index) => hunk.start + index),
      ...placesIn(hunk.before, quote).map(() => (isInside(hunk) ? line : null)),
    ])
    .toSorted((a, b) => distance(a, line) - distance(b, line));
  const [nearest] = found;
  return nearest === undefined ? { ...at, doubt: 'other_code' } : { ...at, line: nearest, doubt: null };
}

function distance(place: number | null, line: number | null): number {
  return place === null || line === null
    ? place === line
      ? 0
      : Number.MAX_SAFE_INTEGER
    : Math.abs(place - line);
}

function placesIn(lines: readonly Line[], quote: readonly string[]): number[] {
  return lines.flatMap(({ index }, start) =>
    quote.every((text, offset) => holds(lines[start + offset]?.text, text)) ? [index] : [],
  );
}

/** A telling quote may be a part of its line. */
export function holds(line: string | undefined, quoted: string): boolean {
  if (line === undefined) return false;
  return line === quoted || (quoted.length >= shortestPart && line.includes(quoted));
}

const shortestPart = 8;

/** Quoted lines, without fences and diff signs that models copy. */
export function linesOf(evidence: string): readonly string[] {
  const lines = evidence
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^`{3,}\w*$/.test(line));
  const isDiff = lines.length > 0 && lines.every((line) => /^[+-](?![+-])/.test(line));
  return lines.map((line) => (isDiff ? line.slice(1).trim() : line)).filter((line) => line !== '');
}
