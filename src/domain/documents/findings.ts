import * as z from 'zod';
import { Review } from '../findings/finding.ts';
import { TicketId } from '../ids.ts';
import type { Document } from './document.ts';

/** `review-findings.yaml` (docs/decisions/132-cold-review.md): every review of a bead, oldest first. The engine adds to it; nothing in it is changed. */
export const Findings = z.object({
  schema_version: z.literal(1),
  ticket_id: TicketId,
  artifact: z.literal('review_findings'),
  reviews: z.array(Review),
});
export type Findings = z.infer<typeof Findings>;

const listed = 'Reviews: {0}, findings to fix: {1}, noted: {2}, unfounded: {3}';

/** What reviewers found, which is only read. */
export const findingsDocument = {
  kind: 'review_findings',
  title: 'Review findings',
  subject: 'The list of review findings',
  file: 'review-findings.yaml',
  format: 'yaml',
  schema: Findings,
  repeatedIds: 'error',
  items: () => [],
  summaries: [listed],
  summary: (value) => {
    const { data } = Findings.safeParse(value);
    if (!data) return undefined;
    const all = data.reviews.flatMap(({ findings }) => findings);
    const count = (standing: (typeof all)[number]['standing']): number => all.filter((finding) => finding.standing === standing).length;
    return { text: listed, args: [data.reviews.length, count('fix'), count('noted'), count('unfounded')] };
  },
} as const satisfies Document<Findings>;
