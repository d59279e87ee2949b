import * as z from 'zod';
import { BeadId, CommitSha, RelativePath } from '../core/ids.ts';
import { PartyNote } from '../personas/persona.ts';

/** An iteration's reviews after which nothing more is fixed (docs/decisions/132-cold-review.md). */
export const mostReviews = 3;

/**
 * Severity (docs/decisions/132-cold-review.md). `high`: wrong behaviour, lost data, a security hole, an unmet
 * criterion. `medium`: a risk at the edges or in upkeep. `low`: style.
 */
export const Severity = z.enum(['high', 'medium', 'low']);
export type Severity = z.infer<typeof Severity>;

/** A failing test's text, and the bead's command for it. */
export const ClaimedTest = z.object({
  file: RelativePath,
  content: z.string().min(1).max(60_000),
  command: z.string().min(1).max(4_000),
});
export type ClaimedTest = z.infer<typeof ClaimedTest>;

/** A claim about a place in a diff. `evidence`: quoted code. `confidence`: 0 to 1. */
export const Claim = z.object({
  severity: Severity,
  category: z.string().min(1).max(80),
  file: z.string().min(1).max(1_000),
  /** From 1, after the change; null for removed lines. */
  line: z.number().int().positive().nullable().default(null),
  claim: z.string().min(1).max(2_000),
  evidence: z.string().max(4_000).default(''),
  suggestedFix: z.string().max(4_000).default(''),
  confidence: z.number().min(0).max(1).default(0.5),
  test: ClaimedTest.optional(),
});
export type Claim = z.infer<typeof Claim>;

/** A reviewer's answer. Without findings it says what was checked. */
export const ReviewAnswer = z.object({
  checked: z.array(z.string().min(1).max(500)).min(1).max(50),
  findings: z.array(Claim).max(500).default([]),
});
export type ReviewAnswer = z.infer<typeof ReviewAnswer>;

/**
 * A finding's standing. `noted`: only listed. `unfounded`: not in the diff. `dismissed`: by a person, here or
 * earlier (docs/decisions/133-people-decide-about-findings.md).
 */
export const Standing = z.enum(['fix', 'noted', 'unfounded', 'dismissed']);
export type Standing = z.infer<typeof Standing>;

/**
 * The doubt about a finding: file or line not in the change, nothing quoted, quote not found, change too
 * large, or its test passes.
 */
export const Doubt = z.enum([
  'not_changed',
  'not_there',
  'not_quoted',
  'other_code',
  'not_read',
  'test_passes',
]);
export type Doubt = z.infer<typeof Doubt>;

/** A persona's vote in the second round (docs/decisions/134-parties.md). */
export const Ballot = z.object({
  finding: z.string().min(1).max(200),
  vote: z.enum(['confirm', 'reject', 'unsure']),
  reason: z.string().max(1_000).default(''),
});
export type Ballot = z.infer<typeof Ballot>;

/** A persona's second answer. */
export const BallotAnswer = z.object({ ballots: z.array(Ballot).max(500).default([]) });
export type BallotAnswer = z.infer<typeof BallotAnswer>;

/** A checked claim. `id`: `<bead>.<iteration>.<round>.<place>`, unique in its ticket. */
export const Finding = Claim.extend({
  id: z.string(),
  standing: Standing,
  confirmed: z.boolean().default(false),
  doubt: Doubt.nullable(),
  dismissal: z.number().int().positive().optional(),
  /** It repeats an accepted claim: it is fixed and blocks. */
  accepted: z.boolean().optional(),
  personas: z.array(z.string()).optional(),
  /** Claims not taken back, and confirmations. */
  votes: z.number().int().nonnegative().optional(),
  ballots: z.array(Ballot.omit({ finding: true }).extend({ persona: z.string() })).optional(),
});
export type Finding = z.infer<typeof Finding>;

/** A bead's review. `at`: ISO text. */
export const Review = z.object({
  bead: BeadId,
  iteration: z.number().int().positive(),
  round: z.number().int().positive(),
  reviewer: z.string(),
  candidate: CommitSha,
  at: z.string(),
  checked: z.array(z.string()),
  findings: z.array(Finding),
  /** Sessions or `solo`, participants, and missing answers. */
  party: PartyNote.optional(),
});
export type Review = z.infer<typeof Review>;
