import * as z from 'zod';

const lines = z.array(z.string()).default([]);

/** Omitted content. `put_back`: undeclared, or a person's; `dropped`: declared. */
export const LeftOut = z.object({ put_back: lines, dropped: lines });
export type LeftOut = z.infer<typeof LeftOut>;

/** `*_losses` of refining and revisions. `step`: the call's key. */
export const LossReport = z.object({
  schema_version: z.literal(1),
  steps: z.array(LeftOut.extend({ step: z.string() })),
});
export type LossReport = z.infer<typeof LossReport>;
