import * as z from 'zod';
import { Sha256 } from './ids.ts';

/** The five categories of a vote, each 0 to 20 (docs/decisions/019-council-voting.md). */
export const voteCategories = ['coverage', 'correctness', 'testability', 'decomposition', 'risks'] as const;
const Score = z.number().int().min(0).max(20);

/** What one voter gives one draft: 0 to 20 in each category, and one reason. */
export const DraftScore = z.object({
  coverage: Score,
  correctness: Score,
  testability: Score,
  decomposition: Score,
  risks: Score,
  reason: z.string().max(1_000).default(''),
});

/** All of a draft's categories together, 0 to 100. */
export function scoreSum(score: z.infer<typeof DraftScore>): number {
  return voteCategories.reduce((sum, category) => sum + score[category], 0);
}

/** What a voter answers: a score per label (`Draft 1` …). */
export const VoteBallot = z.object({ draft_scores: z.record(z.string(), DraftScore) });

/** How a member's draft or ballot ended. Only `completed` counts for the quorum. */
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

/** `*_votes`: every ballot, valid or not. Empty when there was only one valid draft. */
export const CouncilVotes = z.object({ schema_version: z.literal(1), votes: z.array(CouncilVote) });

/** `*_winner`: the member whose draft won. `totals`: the mean of a draft's sums (0 to 100) by member. `tie`: several drafts had the highest total. */
export const CouncilWinner = z.object({
  schema_version: z.literal(1),
  winner: z.string(),
  totals: z.record(z.string(), z.number()),
  tie: z.boolean(),
});
export type CouncilWinner = z.infer<typeof CouncilWinner>;

/**
 * A council member or implementer as people write it: `provider/model` or `provider/model@variant`.
 * Split at the first slash, so that a model's own name may hold slashes; the variant is what follows the last `@`.
 */
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
