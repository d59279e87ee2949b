import * as z from 'zod';

/**
 * The contribution of one member to a document: its calls in drafting, voting and refining over all attempts,
 * their time in milliseconds, the tokens in (read from caches or not) and out, their price in US dollars; and
 * of its valid draft, how many `texts` it had, how many of them `survived`, and the first ones of those.
 * `isShared`: the provider counted the tokens together with those of another variant of the model, so that
 * they are divided by estimates.
 */
const LedgerMember = z.object({
  member: z.string(),
  calls: z.number().int(),
  ms: z.number(),
  input: z.number().int(),
  output: z.number().int(),
  cost: z.number(),
  isShared: z.boolean(),
  texts: z.number().int(),
  survived: z.number().int(),
  examples: z.array(z.string()),
});

/**
 * `*_ledger`: what a council cost and gave (docs/decisions/098-what-a-council-gives.md), in its order.
 * `soloWouldDo`: there were other drafts than the winner's, and nothing of them is in the result.
 */
export const CouncilLedger = z.object({
  schema_version: z.literal(1),
  winner: z.string(),
  members: z.array(LedgerMember),
  soloWouldDo: z.boolean(),
});
export type CouncilLedger = z.infer<typeof CouncilLedger>;

/** So many texts are kept as examples. */
export const mostExamples = 20;
/** In characters. */
export const longestExample = 300;
