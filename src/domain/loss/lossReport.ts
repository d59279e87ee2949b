import * as z from 'zod';

const lines = z.array(z.string()).default([]);

/** Content that was left out. `put_back`: nobody declared it, or a person wrote it; `dropped`: declared. */
export const LeftOut = z.object({ put_back: lines, dropped: lines });
export type LeftOut = z.infer<typeof LeftOut>;

/** `*_losses`: what refining and revisions left out. `step`: the key of the call. */
export const LossReport = z.object({
  schema_version: z.literal(1),
  steps: z.array(LeftOut.extend({ step: z.string() })),
});
export type LossReport = z.infer<typeof LossReport>;
