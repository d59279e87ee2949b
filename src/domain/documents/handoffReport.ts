import * as z from 'zod';
import { HandoffLists } from '../handoff/handoff.ts';
import { TicketId } from '../core/ids.ts';
import type { Document } from './base/document.ts';

/** `handoff.yaml`: for later tickets (docs/decisions/139-retrospective-and-handoff.md). */
export const HandoffReport = z.object({
  schema_version: z.literal(1),
  ticket_id: TicketId,
  artifact: z.literal('handoff_report'),
  ...HandoffLists.shape,
  dropped: z.array(z.string()).default([]),
});
export type HandoffReport = z.infer<typeof HandoffReport>;

/** The read-only handoff of a ticket. */
export const handoffDocument = {
  kind: 'handoff_report',
  title: 'Handoff',
  subject: 'The handoff',
  file: 'handoff.yaml',
  format: 'yaml',
  projection: 'handoff.yaml',
  schema: HandoffReport,
} as const satisfies Document<HandoffReport>;
