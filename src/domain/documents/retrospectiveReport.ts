import * as z from 'zod';
import { TicketId } from '../core/ids.ts';
import { PartyNote } from '../personas/persona.ts';
import { beadOutcomes } from '../records/beadStory.ts';
import { Metrics } from '../records/metrics.ts';
import type { Document } from './base/document.ts';

/** Observations of one or two sentences. */
export const Noticed = z.array(z.string().trim().min(1).max(1_000)).max(40).default([]);

/**
 * `retrospective.yaml` (docs/decisions/139-retrospective-and-handoff.md). `skipped`: why no model looked
 * back, else empty. `party`: who did.
 */
export const RetrospectiveReport = z.object({
  schema_version: z.literal(1),
  ticket_id: TicketId,
  artifact: z.literal('retrospective_report'),
  skipped: z.string(),
  party: PartyNote.optional(),
  patterns: Noticed,
  decisions: Noticed,
  gotchas: Noticed,
  went_well: Noticed,
  went_badly: Noticed,
  metrics: Metrics,
  beads: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      outcome: z.enum(beadOutcomes),
      iterations: z.number().int(),
      summary: z.string(),
    }),
  ),
});
export type RetrospectiveReport = z.infer<typeof RetrospectiveReport>;

/** The read-only lessons of a ticket. */
export const retrospectiveDocument = {
  kind: 'retrospective_report',
  title: 'Retrospective',
  subject: 'The retrospective',
  file: 'retrospective.yaml',
  format: 'yaml',
  projection: 'retrospective.yaml',
  schema: RetrospectiveReport,
} as const satisfies Document<RetrospectiveReport>;
