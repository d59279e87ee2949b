import * as z from 'zod';

/**
 * A failed attempt in words, without a reason if nothing says why. `bead` is null for the setup and the final
 * test; `note` is what the next attempt was told; `ref` keeps what it left, and is empty if it left nothing.
 * It is apart from the stored attempt, whose schemas a page has no use for.
 */
export const ShownAttempt = z.object({
  of: z.enum(['setup', 'bead', 'final_test']),
  bead: z.string().nullable(),
  iteration: z.number().int(),
  interrupted: z.boolean(),
  reason: z.string(),
  advice: z.string(),
  tests: z.array(z.string()),
  output: z.string(),
  note: z.string(),
  ref: z.string(),
});
export type ShownAttempt = Readonly<z.infer<typeof ShownAttempt>>;
