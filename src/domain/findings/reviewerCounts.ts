import * as z from 'zod';
import { decidedFindings, type FindingDecision } from './decision.ts';
import type { Review } from './finding.ts';

/** A reviewer's claims in a repository, and their ends. */
export const ReviewerCount = z.object({
  reviewer: z.string(),
  reviews: z.number().int(),
  raised: z.number().int(),
  founded: z.number().int(),
  /** By a test or a person. */
  confirmed: z.number().int(),
  fixed: z.number().int(),
  dismissed: z.number().int(),
});
export type ReviewerCount = Readonly<z.infer<typeof ReviewerCount>>;

interface Reviewed {
  readonly reviews: readonly Review[];
  readonly decisions: readonly FindingDecision[];
}

/** Counts over tickets, most findings first. Findings of a later round count as raised again. */
export function reviewerCounts(tickets: readonly Reviewed[]): readonly ReviewerCount[] {
  const none = { reviews: 0, raised: 0, founded: 0, confirmed: 0, fixed: 0, dismissed: 0 };
  const counts = new Map<string, typeof none & { readonly reviewer: string }>();
  const of = (reviewer: string) => {
    const count = counts.get(reviewer) ?? { reviewer, ...none };
    counts.set(reviewer, count);
    return count;
  };
  for (const { reviews, decisions } of tickets) {
    for (const { reviewer } of reviews) of(reviewer).reviews += 1;
    for (const { finding, review, decision, standing } of decidedFindings(reviews, decisions)) {
      const count = of(review.reviewer);
      count.raised += 1;
      count.founded += finding.doubt === null ? 1 : 0;
      count.confirmed +=
        standing !== 'dismissed' &&
        (finding.confirmed || decision?.verdict === 'accept' || decision?.verdict === 'bead')
          ? 1
          : 0;
      count.fixed += standing === 'fix' ? 1 : 0;
      count.dismissed += standing === 'dismissed' ? 1 : 0;
    }
  }
  return [...counts.values()].toSorted(
    (one, other) => other.raised - one.raised || one.reviewer.localeCompare(other.reviewer),
  );
}
