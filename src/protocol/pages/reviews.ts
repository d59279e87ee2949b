import * as z from 'zod';
import { recommendations } from '../../domain/beads/analysis.ts';
import { PassEntry } from '../../domain/beads/passes.ts';
import { BeadRecord } from '../../domain/records/records.ts';
import { FindingVerdict } from '../../domain/findings/decision.ts';
import { Severity } from '../../domain/findings/finding.ts';
import { Sha256 } from '../../domain/core/ids.ts';
import { ContextEntry } from '../../domain/prompts/contextEntries.ts';
import { ReviewerCount } from '../../domain/findings/reviewerCounts.ts';

/** A decision on a bead that failed. */
export const BeadChoice = z.enum(['approve', ...recommendations]);

const Time = z.number();
/** In the person's language. */
const Label = z.string();

/** `label` also says whether a test confirmed it, and what is queued. */
const FindingRow = z.object({
  id: z.string(),
  severity: Severity,
  severityLabel: Label,
  category: z.string(),
  file: z.string(),
  line: z.number().int().nullable(),
  claim: z.string(),
  /** The quoted code. */
  evidence: z.string(),
  suggestedFix: z.string(),
  /** Its file and the command that runs it. */
  test: z.object({ file: z.string(), command: z.string() }).nullable(),
  state: z.enum([
    'open',
    'fixed',
    'again',
    'earlier',
    'requested',
    'bead',
    'noted',
    'dismissed',
    'unfounded',
  ]),
  label: Label,
  /** The reason why the engine doubts it; else empty. */
  doubt: Label,
  /** The party's members that claimed it, and what each persona said; empty for one reviewer. */
  personas: z.array(z.string()),
  ballots: z.array(z.object({ persona: z.string(), vote: Label, reason: z.string() })),
  /** A person's last. */
  decision: z.object({ verdict: FindingVerdict, reason: z.string() }).nullable(),
  canDecide: z.boolean(),
  sha256: Sha256,
});
export type FindingRow = z.infer<typeof FindingRow>;

/** `checked`: what the reviewer looked for. */
const FindingReview = z.object({
  iteration: z.number().int(),
  round: z.number().int(),
  reviewer: z.string(),
  at: z.string(),
  checked: z.array(z.string()),
  /** Those who took part, and who gave no answer; one session may have played all. */
  party: z
    .object({ isSolo: z.boolean(), participants: z.array(z.string()), missing: z.array(z.string()) })
    .nullable(),
  findings: z.array(FindingRow),
});
export type FindingReview = z.infer<typeof FindingReview>;

/** Findings by bead, in the order of the plan, and counts of this repository's reviewers so far. */
export const TicketFindings = z.object({
  beads: z.array(z.object({ bead: z.string(), title: z.string(), reviews: z.array(FindingReview) })),
  reviewers: z.array(ReviewerCount),
});
export type TicketFindings = z.infer<typeof TicketFindings>;

/** Context of a person's. `mode`: how long it applies. `where`: the iterations that got it. */
export const ContextRow = ContextEntry.pick({
  id: true,
  text: true,
  author: true,
  state: true,
  at: true,
}).extend({
  mode: Label,
  label: Label,
  where: z.array(Label),
  /** Agents are still to get it, so it can be changed and withdrawn. */
  isEditable: z.boolean(),
});
export type ContextRow = z.infer<typeof ContextRow>;

/** A bead that failed. `sha256`: of the beads proposed in its place. First choice: what is advised. */
export const FailedBeadRow = z.object({
  bead: z.string(),
  analysis: z
    .object({
      rootCause: z.string(),
      rationale: z.string(),
      plan: z.array(z.string()),
      label: Label,
      confidence: z.number(),
    })
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
