import * as z from 'zod';
import { BeadId, CommitSha, RelativePath } from '../core/ids.ts';
import { PartyNote } from '../personas/persona.ts';

/** After so many reviews of one iteration nothing more is fixed (docs/decisions/132-cold-review.md). */
export const mostReviews = 3;

/**
 * The severity of a finding (docs/decisions/132-cold-review.md). `high`: wrong behaviour, lost data, a
 * security hole, an unmet criterion. `medium`: a risk at the edges or in upkeep. `low`: style.
 */
export const Severity = z.enum(['high', 'medium', 'low']);
export type Severity = z.infer<typeof Severity>;

/** A test that shows what is wrong: the text of its file, and the bead's command that should fail. */
export const ClaimedTest = z.object({
  file: RelativePath,
  content: z.string().min(1).max(60_000),
  command: z.string().min(1).max(4_000),
});
export type ClaimedTest = z.infer<typeof ClaimedTest>;

/** A reviewer's claim about one place of a diff. `evidence`: the code there, quoted. `confidence`: 0 to 1. */
export const Claim = z.object({
  severity: Severity,
  category: z.string().min(1).max(80),
  file: z.string().min(1).max(1_000),
  /** From 1, in the file as it is after the change; null where only removed lines are meant. */
  line: z.number().int().positive().nullable().default(null),
  claim: z.string().min(1).max(2_000),
  evidence: z.string().max(4_000).default(''),
  suggestedFix: z.string().max(4_000).default(''),
  confidence: z.number().min(0).max(1).default(0.5),
  test: ClaimedTest.optional(),
});
export type Claim = z.infer<typeof Claim>;

/** A reviewer's answer. Nothing found is an answer, and says what was checked. */
export const ReviewAnswer = z.object({
  checked: z.array(z.string().min(1).max(500)).min(1).max(50),
  findings: z.array(Claim).max(500).default([]),
});
export type ReviewAnswer = z.infer<typeof ReviewAnswer>;

/**
 * The standing of a finding. `fix`: it goes to the fix session. `noted`: it is only listed, by the severity
 * policy. `unfounded`: the engine didn't find in the diff what it speaks of, so nobody acts on it.
 * `dismissed`: a person decided that it isn't fixed, here or in an earlier ticket
 * (docs/decisions/133-people-decide-about-findings.md).
 */
export const Standing = z.enum(['fix', 'noted', 'unfounded', 'dismissed']);
export type Standing = z.infer<typeof Standing>;

/**
 * The reason why the engine doesn't believe a finding: the bead doesn't change the file; the line isn't part
 * of the change; no code is quoted; the quoted code isn't in the change; the change is too large to look it
 * up; the test that is to show it passes.
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

/** A persona's vote on a finding in the second round of a party (docs/decisions/134-parties.md). */
export const Ballot = z.object({
  finding: z.string().min(1).max(200),
  vote: z.enum(['confirm', 'reject', 'unsure']),
  reason: z.string().max(1_000).default(''),
});
export type Ballot = z.infer<typeof Ballot>;

/** A persona's answer in the second round. */
export const BallotAnswer = z.object({ ballots: z.array(Ballot).max(500).default([]) });
export type BallotAnswer = z.infer<typeof BallotAnswer>;

/** A checked claim. `id` is unique in its ticket: `<bead>.<iteration>.<round>.<place>`. */
export const Finding = Claim.extend({
  id: z.string(),
  standing: Standing,
  /** Its test was run, and failed on the work. */
  confirmed: z.boolean().default(false),
  doubt: Doubt.nullable(),
  /** The number of the dismissal that it repeats. */
  dismissal: z.number().int().positive().optional(),
  /** It repeats what a person accepted, so that it is fixed whatever its severity, and blocks. */
  accepted: z.boolean().optional(),
  /** Of a party: the ids of who claimed it, in the first round. */
  personas: z.array(z.string()).optional(),
  /** Of a party: how many claimed it and didn't take it back, or confirmed it. */
  votes: z.number().int().nonnegative().optional(),
  /** Of a party with a second round: what each persona said of it. */
  ballots: z.array(Ballot.omit({ finding: true }).extend({ persona: z.string() })).optional(),
});
export type Finding = z.infer<typeof Finding>;

/** A bead's review: by whom, of which commit, what was looked for and found. `at` is an ISO text. */
export const Review = z.object({
  bead: BeadId,
  iteration: z.number().int().positive(),
  round: z.number().int().positive(),
  reviewer: z.string(),
  candidate: CommitSha,
  at: z.string(),
  checked: z.array(z.string()),
  findings: z.array(Finding),
  /** Of a party: in sessions of their own or `solo`, who took part, and who gave no answer. */
  party: PartyNote.optional(),
});
export type Review = z.infer<typeof Review>;
