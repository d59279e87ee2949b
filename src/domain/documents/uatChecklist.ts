import * as z from 'zod';
import { TicketId } from '../core/ids.ts';
import type { Document } from './base/document.ts';

/** A model's manual steps; `criteria`: their ids. */
export const UatStep = z.object({
  criteria: z.array(z.string().max(200)).max(20).default([]),
  actions: z.array(z.string().trim().min(1).max(1_000)).min(1).max(20),
  expected: z.string().trim().min(1).max(1_000),
});

/**
 * `uat.yaml` (docs/decisions/139-retrospective-and-handoff.md): criteria with passed commands and manual
 * results. `by_hand`: nothing shows it, so a person has to look.
 */
export const UatChecklist = z.object({
  schema_version: z.literal(1),
  ticket_id: TicketId,
  artifact: z.literal('uat_checklist'),
  criteria: z.array(
    z.object({
      id: z.string(),
      criterion: z.string(),
      beads: z.array(z.string()),
      proved_by: z.array(z.object({ command: z.string(), commit: z.string() })),
      tried: z.enum(['pass', 'fail', 'waive']).nullable(),
      by_hand: z.boolean(),
    }),
  ),
  steps: z.array(UatStep).default([]),
});
export type UatChecklist = z.infer<typeof UatChecklist>;

/** The read-only checks before a release. */
export const uatDocument = {
  kind: 'uat_checklist',
  title: 'User acceptance test',
  subject: 'The user acceptance test',
  file: 'uat.yaml',
  format: 'yaml',
  projection: 'uat.yaml',
  schema: UatChecklist,
} as const satisfies Document<UatChecklist>;
