import * as z from 'zod';
import { Sha256 } from '../core/ids.ts';

/** The five categories of a vote, each 0 to 20 (docs/decisions/019-council-voting.md). */
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
 * One voter's scores for one draft, with reasons. `reason`: for the whole draft, as in earlier ballots.
 * `unquoted`: the reasons that quote nothing of the draft; `overall` stands for `reason`.
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

/** All of a draft's categories together, 0 to 100. */
export function scoreSum(score: DraftScore): number {
  return voteCategories.reduce((sum, category) => sum + score[category], 0);
}

/** A score as voters write it: alone, or together with its reason. */
const WrittenScore = z.union([Score, z.object({ score: Score, reason: Reason.optional() })]);
/** A voter's answer: a score per label (`Draft 1` …). */
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

/** The outcome of a member's draft or ballot. Only `completed` counts for the quorum. */
export const MemberOutcome = z.enum(['completed', 'timed_out', 'invalid_output', 'failed']);

/** One member's draft as stored. `content` is the normalised document as YAML. */
export const CouncilDraft = z.object({
  member: z.string(),
  outcome: MemberOutcome,
  content: z.string(),
  sha256: Sha256.nullable(),
  error: z.string().nullable(),
  metrics: z.record(z.string(), z.number()),
});
export type CouncilDraft = z.infer<typeof CouncilDraft>;

/** One voter's ballot, with the order the drafts were shown in, so that the vote can be checked. */
export const CouncilVote = z.object({
  voter: z.string(),
  outcome: MemberOutcome,
  order: z.array(z.string()),
  scores: z.record(z.string(), DraftScore),
  error: z.string().nullable(),
});
export type CouncilVote = z.infer<typeof CouncilVote>;

/** `*_drafts`: every member's draft, valid or not, in the order of the council. */
export const CouncilDrafts = z.object({ schema_version: z.literal(1), drafts: z.array(CouncilDraft) });

/** Number of drafts or ballots that decided, and the number that the setting asks for. */
export const FewerThanWanted = z.object({ decided: z.number().int(), wanted: z.number().int() });

/**
 * `*_votes`: every ballot, valid or not; empty for a single valid draft. `checks`: by member, what was found
 * without a model. `fewer`: how many decided, where the setting asks for more (`wanted`).
 */
export const CouncilVotes = z.object({
  schema_version: z.literal(1),
  votes: z.array(CouncilVote),
  checks: z.record(z.string(), z.array(z.string())).optional(),
  fewer: FewerThanWanted.optional(),
});

/**
 * `*_winner`: the member whose draft won. `totals` by member: what a draft is worth without its voters'
 * harshness (0 to 100, to a tenth), by the fit of all sums; 0 for a draft that nobody scored. `tie`: several
 * drafts had the highest total.
 */
export const CouncilWinner = z.object({
  schema_version: z.literal(1),
  winner: z.string(),
  totals: z.record(z.string(), z.number()),
  tie: z.boolean(),
});
export type CouncilWinner = z.infer<typeof CouncilWinner>;

/** A council member or implementer. The model's name may hold slashes; the variant follows the last `@`. */
interface Member {
  readonly provider: string;
  readonly model: string;
  readonly variant?: string;
}

/** A member as people write it: `provider/model` or `provider/model@variant`. */
export const MemberText = z
  .string()
  .max(300)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]*\/[^\s@\p{Cc}]+(?:@[A-Za-z0-9._-]+)?$/u,
    'A model is written provider/model or provider/model@variant.',
  );

/** Parses a text that `MemberText` accepted. Throws a ZodError for any other. */
export function parseMember(text: string): Member {
  const checked = MemberText.parse(text);
  const slash = checked.indexOf('/');
  const at = checked.lastIndexOf('@');
  const provider = checked.slice(0, slash);
  if (at < 0) return { provider, model: checked.slice(slash + 1) };
  return { provider, model: checked.slice(slash + 1, at), variant: checked.slice(at + 1) };
}

/** The model of a member at its provider, without its variant: `provider/model`. */
export function modelOf(member: string): string {
  const { provider, model } = parseMember(member);
  return `${provider}/${model}`;
}

/** The lenses of a council: a member's focus in drafting (docs/decisions/098-what-a-council-gives.md). */
export const lenses = ['security', 'tests', 'simplicity', 'users'] as const;
/** One of them. */
export const Lens = z.enum(lenses);
