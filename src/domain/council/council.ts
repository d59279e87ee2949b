import * as z from 'zod';
import { Sha256 } from '../core/ids.ts';

/** The categories of a vote, each 0 to 20 (docs/decisions/019-council-voting.md). */
export const voteCategories = ['coverage', 'correctness', 'testability', 'decomposition', 'risks'] as const;
const Score = z.number().int().min(0).max(20);

const Reason = z.string().max(2_000);
const Reasons = z.object({
  coverage: Reason.optional(),
  correctness: Reason.optional(),
  testability: Reason.optional(),
  decomposition: Reason.optional(),
  risks: Reason.optional(),
});

/**
 * A voter's scores for one draft. `unquoted`: reasons that quote nothing of it; `overall` stands for
 * `reason`.
 */
export const DraftScore = z.object({
  coverage: Score,
  correctness: Score,
  testability: Score,
  decomposition: Score,
  risks: Score,
  reason: Reason.default(''),
  reasons: Reasons.optional(),
  unquoted: z.array(z.enum([...voteCategories, 'overall'])).optional(),
});
export type DraftScore = z.infer<typeof DraftScore>;

/** A draft's total, 0 to 100. */
export function scoreSum(score: DraftScore): number {
  return voteCategories.reduce((sum, category) => sum + score[category], 0);
}

const WrittenScore = z.union([Score, z.object({ score: Score, reason: Reason.optional() })]);
/** A voter's answer: scores by label (`Draft 1` …). */
export const VoteBallot = z.object({
  draft_scores: z.record(
    z.string(),
    z.object({
      coverage: WrittenScore,
      correctness: WrittenScore,
      testability: WrittenScore,
      decomposition: WrittenScore,
      risks: WrittenScore,
      reason: Reason.optional(),
      reasons: Reasons.optional(),
    }),
  ),
});

/** The outcome of a draft or ballot. Only `completed` counts for the quorum. */
export const MemberOutcome = z.enum(['completed', 'timed_out', 'invalid_output', 'failed']);

/** A member's draft. `content`: the normalised document as YAML. */
export const CouncilDraft = z.object({
  member: z.string(),
  outcome: MemberOutcome,
  content: z.string(),
  sha256: Sha256.nullable(),
  error: z.string().nullable(),
  metrics: z.record(z.string(), z.number()),
});
export type CouncilDraft = z.infer<typeof CouncilDraft>;

/** A ballot with the order of its drafts, so that it can be checked. */
export const CouncilVote = z.object({
  voter: z.string(),
  outcome: MemberOutcome,
  order: z.array(z.string()),
  scores: z.record(z.string(), DraftScore),
  error: z.string().nullable(),
});
export type CouncilVote = z.infer<typeof CouncilVote>;

/** `*_drafts`: every draft, valid or not, in council order. */
export const CouncilDrafts = z.object({ schema_version: z.literal(1), drafts: z.array(CouncilDraft) });

/** Number of deciding drafts or ballots, and of wanted ones. */
export const FewerThanWanted = z.object({ decided: z.number().int(), wanted: z.number().int() });

/**
 * `*_votes`: every ballot, valid or not; empty for a single valid draft. `checks`: findings without a model,
 * by member.
 */
export const CouncilVotes = z.object({
  schema_version: z.literal(1),
  votes: z.array(CouncilVote),
  checks: z.record(z.string(), z.array(z.string())).optional(),
  fewer: FewerThanWanted.optional(),
});

/**
 * `*_winner`. `totals`: fitted worth without voters' harshness (0 to 100, to a tenth; 0 if unscored). `tie`:
 * several drafts had the highest.
 */
export const CouncilWinner = z.object({
  schema_version: z.literal(1),
  winner: z.string(),
  totals: z.record(z.string(), z.number()),
  tie: z.boolean(),
});
export type CouncilWinner = z.infer<typeof CouncilWinner>;

/** The model's name may hold slashes; the variant follows the last `@`. */
interface Member {
  readonly provider: string;
  readonly model: string;
  readonly variant?: string;
}

/** A member: `provider/model` or `provider/model@variant`. */
export const MemberText = z
  .string()
  .max(300)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]*\/[^\s@\p{Cc}]+(?:@[A-Za-z0-9._-]+)?$/u,
    'A model is written provider/model or provider/model@variant.',
  );

/** Parses a `MemberText`. Throws a ZodError. */
export function parseMember(text: string): Member {
  const checked = MemberText.parse(text);
  const slash = checked.indexOf('/');
  const at = checked.lastIndexOf('@');
  const provider = checked.slice(0, slash);
  if (at < 0) return { provider, model: checked.slice(slash + 1) };
  return { provider, model: checked.slice(slash + 1, at), variant: checked.slice(at + 1) };
}

/** A member's `provider/model`, without variant. */
export function modelOf(member: string): string {
  const { provider, model } = parseMember(member);
  return `${provider}/${model}`;
}

/** A council's lenses: a member's focus in drafting (docs/decisions/098-what-a-council-gives.md). */
export const lenses = ['security', 'tests', 'simplicity', 'users'] as const;
/** One of them. */
export const Lens = z.enum(lenses);
