import * as z from 'zod';
import { FailureAnalysis, recommendations } from '../../domain/beads/analysis.ts';
import { PassEntry } from '../../domain/beads/passes.ts';
import { BeadRecord } from '../../domain/records/records.ts';
import { FindingDecision, FindingVerdict } from '../../domain/findings/decision.ts';
import { ClaimedTest, Finding, Review } from '../../domain/findings/finding.ts';
import { Sha256 } from '../../domain/core/ids.ts';
import { FindingState } from '../findings/findingTexts.ts';
import { ContextEntry } from '../../domain/prompts/contextEntries.ts';
import { ReviewerCount } from '../../domain/findings/reviewerCounts.ts';

/** A decision on a bead that failed. */
export const BeadChoice = z.enum(['approve', ...recommendations]);

const Time = z.number();
/** In the person's language. */
const Label = z.string();

/** `decision`: the person's last one. `pending`: one that isn't filed yet. */
const FindingRow = Finding.extend({
  test: ClaimedTest.pick({ file: true, command: true }).optional(),
  state: FindingState,
  decision: FindingDecision.pick({ verdict: true, reason: true }).nullable(),
  pending: FindingVerdict.nullable(),
  canDecide: z.boolean(),
  sha256: Sha256,
});
export type FindingRow = z.infer<typeof FindingRow>;

const FindingReview = Review.omit({ bead: true, candidate: true }).extend({ findings: z.array(FindingRow) });
/** A review as the page shows it. */
export type FindingReview = z.infer<typeof FindingReview>;

/** Findings by bead, in the order of the plan, and counts of this repository's reviewers so far. */
export const TicketFindings = z.object({
  beads: z.array(z.object({ bead: z.string(), title: z.string(), reviews: z.array(FindingReview) })),
  reviewers: z.array(ReviewerCount),
});
export type TicketFindings = z.infer<typeof TicketFindings>;

/** Context of a person's. */
export const ContextRow = ContextEntry.omit({ bead: true, acknowledged: true });
export type ContextRow = z.infer<typeof ContextRow>;

/** A bead that failed. `sha256`: of the beads proposed in its place. First choice: what is advised. */
export const FailedBeadRow = z.object({
  bead: z.string(),
  analysis: FailureAnalysis.pick({ rootCause: true, rationale: true, plan: true, confidence: true })
    .extend({ label: Label })
    .nullable(),
  proposed: z.array(z.object({ id: z.string(), title: z.string() })),
  sha256: Sha256.nullable(),
  choices: z.array(z.object({ choice: BeadChoice, label: Label, icon: z.string() })),
});
export type FailedBeadRow = z.infer<typeof FailedBeadRow>;

/** A pass of an iteration over its bead. */
export const PassRow = PassEntry.extend(BeadRecord.pick({ bead: true, iteration: true, at: true }).shape);
export type PassRow = z.infer<typeof PassRow>;

/** Models that talk about a bead: a kickoff, a review, an analysis. Sums are those so far. */
export const LiveTalk = z.object({
  bead: z.string(),
  iteration: z.number().int(),
  /** The stage. */
  label: Label,
  since: Time,
  /** The last answer; before the first one, the start. */
  answeredAt: Time,
  /** The personas who are asked now. */
  speaking: z.array(Label),
  tokens: z.number().int(),
  /** US dollars at list prices; 0 also where no price is known. */
  cost: z.number(),
  answers: z.array(
    z.object({
      id: z.string(),
      /** The persona; empty for a model that speaks for itself. */
      speaker: z.string(),
      member: z.string(),
      outcome: z.enum(['accepted', 'rejected', 'failed']),
      /** As the model claims; empty where nothing can be said. */
      gist: Label,
      ms: z.number(),
      tokens: z.number().int(),
      cost: z.number(),
    }),
  ),
});
export type LiveTalk = z.infer<typeof LiveTalk>;
