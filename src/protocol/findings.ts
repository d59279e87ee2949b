import type { DecidedFinding, FindingVerdict } from '../domain/findings/decision.ts';
import type { Dismissal } from '../domain/findings/dismissal.ts';
import type { ReviewerCount } from '../domain/findings/reviewerCounts.ts';

/** A finding in lists. `pending`: an unfiled decision. */
export interface FindingView extends DecidedFinding {
  readonly pending: FindingVerdict | null;
}

/** A note that waits for a review. `at` in milliseconds since 1970. */
export interface WaitingNote {
  readonly id: string;
  readonly text: string;
  readonly at: number;
}

/** Findings, and people's decisions on them. */
export interface FindingKeeper {
  /** Oldest first. TICKET_UNKNOWN */
  list(ticket: string): Promise<readonly FindingView[]>;
  /** Oldest first. TICKET_UNKNOWN */
  waitingNotes(ticket: string): Promise<readonly WaitingNote[]>;
  reviewers(): Promise<readonly ReviewerCount[]>;
  dismissals(): Promise<readonly Dismissal[]>;
  /** Any process may, but no agent. DISMISSAL_UNKNOWN, EDIT_CONFLICT, INVALID_INPUT, DECISION_BY_AGENT. */
  changeDismissal(change: Pick<Dismissal, 'number' | 'revision' | 'reason'>): Promise<Dismissal>;
  /** As `changeDismissal`; the finding counts again. */
  removeDismissal(number: number): Promise<void>;
}
