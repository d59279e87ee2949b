import * as z from 'zod';
import { Noticed } from '../documents/retrospectiveReport.ts';
import { UatStep } from '../documents/uatChecklist.ts';
import { HandoffDraft } from '../handoff/handoff.ts';

/** A model's retrospective (docs/decisions/139-retrospective-and-handoff.md). */
export const RetrospectiveAnswer = z.object({
  patterns: Noticed,
  decisions: Noticed,
  gotchas: Noticed,
  went_well: Noticed,
  went_badly: Noticed,
  handoff: HandoffDraft,
  uat: z.array(UatStep).max(40).default([]),
});
export type RetrospectiveAnswer = z.infer<typeof RetrospectiveAnswer>;
