import * as z from 'zod';

const lines = z.array(z.string()).default([]);

/**
 * Content that an answer left out of the version that it started from, in words. `put_back`: nobody declared
 * it, or a person wrote it; `dropped`: declared.
 */
export const LeftOut = z.object({ put_back: lines, dropped: lines });
export type LeftOut = z.infer<typeof LeftOut>;

/**
 * `*_losses`: what refining and revisions of a document left out, in their order. `step`: the key of the
 * call.
 */
export const LossReport = z.object({
  schema_version: z.literal(1),
  steps: z.array(LeftOut.extend({ step: z.string() })),
});
export type LossReport = z.infer<typeof LossReport>;
