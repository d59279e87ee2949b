import * as z from 'zod';
import type { DecidedFinding, FindingVerdict } from '../domain/findings/decision.ts';
import type { Dismissal } from '../domain/findings/dismissal.ts';
import type { ReviewerCount } from '../domain/findings/reviewerCounts.ts';

/** A finding as lists show it. `pending`: a decision that was sent and waits for the ticket. */
export interface FindingView extends DecidedFinding {
  readonly pending: FindingVerdict | null;
}

/** A person's note that no review has taken into account yet. `at` in milliseconds since 1970. */
export interface WaitingNote {
  readonly id: string;
  readonly text: string;
  readonly at: number;
}

/** The findings of reviews, and people's decisions, which the action `finding` sends. */
export interface FindingKeeper {
  /** Every finding of a ticket, oldest first. TICKET_UNKNOWN */
  list(ticket: string): Promise<readonly FindingView[]>;
  /** The notes that wait for the next review, oldest first. TICKET_UNKNOWN */
  waitingNotes(ticket: string): Promise<readonly WaitingNote[]>;
  /** Counts what each reviewer raised in the tickets of this repository, and what of it held. */
  reviewers(): Promise<readonly ReviewerCount[]>;
  /** Lists the findings that people dismissed in this repository, oldest first. */
  dismissals(): Promise<readonly Dismissal[]>;
  /**
   * Any process may, also while another one drives; an agent may not. DISMISSAL_UNKNOWN, EDIT_CONFLICT,
   * INVALID_INPUT, DECISION_BY_AGENT.
   */
  changeDismissal(change: Pick<Dismissal, 'number' | 'revision' | 'reason'>): Promise<Dismissal>;
  /** As `changeDismissal`: reviewers are no longer told of it, and what repeats it counts again. */
  removeDismissal(number: number): Promise<void>;
}

/** `ReviewerCount` as it goes over a wire. */
export const ReviewerSums = z.object({
  reviewer: z.string(),
  reviews: z.number().int(),
  raised: z.number().int(),
  founded: z.number().int(),
  confirmed: z.number().int(),
  fixed: z.number().int(),
  dismissed: z.number().int(),
});
