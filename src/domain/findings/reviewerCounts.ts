import { decidedFindings, type FindingDecision } from './decision.ts';
import type { Review } from './finding.ts';

/** The number of claims that one reviewer raised in all tickets of a repository, and how those ended. */
export interface ReviewerCount {
  readonly reviewer: string;
  readonly reviews: number;
  readonly raised: number;
  /** The engine found what they speak of in the diff. */
  readonly founded: number;
  /** A test showed them, or a person accepted them. */
  readonly confirmed: number;
  readonly fixed: number;
  readonly dismissed: number;
}

/** The findings of one ticket. */
interface Reviewed {
  readonly reviews: readonly Review[];
  readonly decisions: readonly FindingDecision[];
}

/**
 * Counts over tickets, most findings first. What a later round carries over because its test still fails is
 * counted as raised again.
 */
export function reviewerCounts(tickets: readonly Reviewed[]): readonly ReviewerCount[] {
  const counts = new Map<string, { -readonly [K in keyof ReviewerCount]: ReviewerCount[K] }>();
  const of = (reviewer: string): { -readonly [K in keyof ReviewerCount]: ReviewerCount[K] } => {
    const count = counts.get(reviewer) ?? {
      reviewer,
      reviews: 0,
      raised: 0,
      founded: 0,
      confirmed: 0,
      fixed: 0,
      dismissed: 0,
    };
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
