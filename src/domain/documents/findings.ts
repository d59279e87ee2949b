import * as z from 'zod';
import { FindingDecision } from '../findings/decision.ts';
import { Review } from '../findings/finding.ts';
import { TicketId } from '../core/ids.ts';
import type { Document } from './base/document.ts';

/**
 * `review-findings.yaml`: reviews and decisions, oldest first (docs/decisions/132-cold-review.md). Nothing in
 * it changes except `became`.
 */
export const Findings = z.object({
  schema_version: z.literal(1),
  ticket_id: TicketId,
  artifact: z.literal('review_findings'),
  reviews: z.array(Review),
  decisions: z.array(FindingDecision).default([]),
});
export type Findings = z.infer<typeof Findings>;

/** The read-only findings of reviewers. */
export const findingsDocument = {
  kind: 'review_findings',
  title: 'Review findings',
  subject: 'The list of review findings',
  file: 'review-findings.yaml',
  format: 'yaml',
  schema: Findings,
} as const satisfies Document<Findings>;
