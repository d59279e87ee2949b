import * as z from 'zod';
import { oneLine } from '../../base/oneLine.ts';
import { hunksOf } from './diffPlaces.ts';
import type { Claim } from './finding.ts';

/** A dismissed claim that a repository remembers (docs/decisions/133-people-decide-about-findings.md). */
export const DismissedClaim = z.object({
  category: z.string(),
  file: z.string(),
  claim: z.string(),
  reason: z.string(),
  /** ISO text. */
  at: z.string(),
});
export type DismissedClaim = z.infer<typeof DismissedClaim>;

/** A stored dismissal. `revision` rises with each edit of its reason. */
export const Dismissal = DismissedClaim.extend({
  number: z.number().int().positive(),
  revision: z.number().int().positive(),
  ticket: z.string(),
  finding: z.string(),
});
export type Dismissal = z.infer<typeof Dismissal>;

/** A dismissal's reason. */
export const DismissalReason = z.string().trim().min(1, 'A dismissal needs a reason.').max(4_000);

const mostTold = 50;
const sameWords = 0.75;

/** A review's dismissals: about files of its diff first, newest first. */
export function dismissalsFor(diff: string, dismissals: readonly Dismissal[]): readonly Dismissal[] {
  const changed = new Set(hunksOf(diff).keys());
  const newest = dismissals.toSorted((a, b) => b.number - a.number);
  const about = (isChanged: boolean): readonly Dismissal[] =>
    newest.filter(({ file }) => changed.has(file) === isChanged);
  return [...about(true), ...about(false)].slice(0, mostTold);
}

/** Dismissals for a reviewer. */
export function dismissalsText(dismissals: readonly Dismissal[]): string {
  return dismissals
    .map(
      ({ number, category, file, claim, reason }) =>
        `- ${String(number)} (${category}, ${oneLine(file)}): ${oneLine(claim)} Dismissed: ${oneLine(reason)}`,
    )
    .join('\n');
}

/** The compared fields of a claim. */
export type KnownClaim = Pick<Claim, 'file' | 'category' | 'claim'>;

/** True if claims say the same of a file: literally, or nearly in one category. */
export function isSameClaim(one: KnownClaim, other: KnownClaim): boolean {
  if (one.file !== other.file) return false;
  if (wordsOf(one.claim) === wordsOf(other.claim)) return true;
  return (
    one.category.toLowerCase() === other.category.toLowerCase() &&
    likeness(one.claim, other.claim) >= sameWords
  );
}

/** The share of common words of two texts. */
export function likeness(one: string, other: string): number {
  const [words, others] = [new Set(wordsOf(one).split(' ')), new Set(wordsOf(other).split(' '))];
  return words.intersection(others).size / words.union(others).size;
}

/** A claim's words, without case and punctuation. */
export function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
