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
 * What a person told the reviewer, and no review has taken into account yet. `at` in milliseconds since 1970.
 */
export interface WaitingNote {
  readonly id: string;
  readonly text: string;
  readonly at: number;
}

/**
 * What reviews found, and what people decided about it. Decisions about one finding are sent by the action
 * `finding`.
 */
export interface FindingKeeper {
  /** Every finding of a ticket, oldest first. TICKET_UNKNOWN */
  list(ticket: string): Promise<readonly FindingView[]>;
  /** The notes that wait for the next review, oldest first. TICKET_UNKNOWN */
  waitingNotes(ticket: string): Promise<readonly WaitingNote[]>;
  /** What each reviewer raised in the tickets of this repository, and what of it held. */
  reviewers(): Promise<readonly ReviewerCount[]>;
  /** What people dismissed in this repository, oldest first. */
  dismissals(): Promise<readonly Dismissal[]>;
  /**
   * Any process may, also while another one drives; an agent may not. DISMISSAL_UNKNOWN, EDIT_CONFLICT,
   * INVALID_INPUT, DECISION_BY_AGENT.
   */
  changeDismissal(change: Pick<Dismissal, 'number' | 'revision' | 'reason'>): Promise<Dismissal>;
  /** As `changeDismissal`: reviewers are no longer told of it, and what repeats it counts again. */
  removeDismissal(number: number): Promise<void>;
}
