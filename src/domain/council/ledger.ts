import * as z from 'zod';

/**
 * Over all attempts; `ms` in milliseconds, `cost` in US dollars. `isShared`: tokens were counted with another
 * variant's, and are divided by estimates.
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
 * `*_ledger`: a council's cost and contributions (docs/decisions/098-what-a-council-gives.md). `soloWouldDo`:
 * nothing of the other drafts is in the result.
 */
export const CouncilLedger = z.object({
  schema_version: z.literal(1),
  winner: z.string(),
  members: z.array(LedgerMember),
  soloWouldDo: z.boolean(),
});
export type CouncilLedger = z.infer<typeof CouncilLedger>;

/** The number of texts kept as examples. */
export const mostExamples = 20;
/** In characters. */
export const longestExample = 300;

/** The sentence about a council whose other drafts gave nothing. */
export const soloSentence =
  'Nothing from the other drafts is in the result: {0} alone would have been enough.';
