import type { DecidedFinding, FindingVerdict } from '../domain/findings/decision.ts';
import type { Dismissal } from '../domain/findings/dismissal.ts';
import type { ReviewerCount } from '../domain/findings/reviewerCounts.ts';

/**
 * A finding as lists show it. `pending`: a decision about it that was sent and waits for the ticket to come
 * to it.
 */
export interface FindingView extends DecidedFinding {
  readonly pending: FindingVerdict | null;
}

/**
 * A person's note to the reviewer that no review has taken into account yet. `at` in milliseconds since 1970.
 */
export interface WaitingNote {
  readonly id: string;
  readonly text: string;
  readonly at: number;
}

/**
 * The findings of reviews, and people's decisions about them. Decisions about one finding are sent by the
 * action `finding`.
 */
export interface FindingKeeper {
  /** Every finding of a ticket, oldest first. TICKET_UNKNOWN */
  list(ticket: string): Promise<readonly FindingView[]>;
  /** The notes that wait for the next review, oldest first. TICKET_UNKNOWN */
  waitingNotes(ticket: string): Promise<readonly WaitingNote[]>;
  /**
   * Counts the findings that each reviewer raised in the tickets of this repository, and those of them that
   * held.
   */
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
