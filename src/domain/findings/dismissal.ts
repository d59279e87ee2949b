import * as z from 'zod';
import { hunksOf } from './diffPlaces.ts';
import type { Claim } from './finding.ts';

/** A dismissed claim that a repository remembers (docs/decisions/133-people-decide-about-findings.md). */
export const DismissedClaim = z.object({
  category: z.string(),
  file: z.string(),
  claim: z.string(),
  reason: z.string(),
  /** An ISO text. */
  at: z.string(),
});
export type DismissedClaim = z.infer<typeof DismissedClaim>;

/** A dismissal as stored. `number` stays; `revision` rises with each edit of its reason. */
export const Dismissal = DismissedClaim.extend({
  number: z.number().int().positive(),
  revision: z.number().int().positive(),
  ticket: z.string(),
  finding: z.string(),
});
export type Dismissal = z.infer<typeof Dismissal>;

/** The reason of a dismissal, which is never empty. */
export const DismissalReason = z.string().trim().min(1, 'A dismissal needs a reason.').max(4_000);

const mostTold = 50;
/** Two claims of one file and category with this part of their words in common say the same. */
const sameWords = 0.75;

/** The dismissals that a review is told of: those about the files of its diff first, newest first. */
export function dismissalsFor(diff: string, dismissals: readonly Dismissal[]): readonly Dismissal[] {
  const changed = new Set(hunksOf(diff).keys());
  const newest = dismissals.toSorted((a, b) => b.number - a.number);
  const about = (isChanged: boolean): readonly Dismissal[] =>
    newest.filter(({ file }) => changed.has(file) === isChanged);
  return [...about(true), ...about(false)].slice(0, mostTold);
}

/** Dismissals as a reviewer reads them. */
export function dismissalsText(dismissals: readonly Dismissal[]): string {
  return dismissals
    .map(
      ({ number, category, file, claim, reason }) =>
        `- ${String(number)} (${category}, ${oneLine(file)}): ${oneLine(claim)} Dismissed: ${oneLine(reason)}`,
    )
    .join('\n');
}

/** The fields that are compared of two claims. */
export type KnownClaim = Pick<Claim, 'file' | 'category' | 'claim'>;

/** Returns true if two claims say the same of a file: word for word, or nearly, in one category. */
export function isSameClaim(one: KnownClaim, other: KnownClaim): boolean {
  if (one.file !== other.file) return false;
  const [first, second] = [wordsOf(one.claim), wordsOf(other.claim)];
  if (first === second) return true;
  if (one.category.toLowerCase() !== other.category.toLowerCase()) return false;
  const [words, others] = [new Set(first.split(' ')), new Set(second.split(' '))];
  const common = [...words].filter((word) => others.has(word)).length;
  return common / new Set([...words, ...others]).size >= sameWords;
}

/** The words of a claim, without case and punctuation. */
export function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
