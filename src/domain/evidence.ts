import * as z from 'zod';

/** What the engine saw itself when it ran a command. `head` and `tail` hold the first and last 32 KiB of the output, both streams in order of arrival. */
export const Evidence = z.object({
  command: z.string(),
  cwd: z.string(),
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  timedOut: z.boolean(),
  durationMs: z.number().int().nonnegative(),
  outputBytes: z.number().int().nonnegative(),
  head: z.string(),
  tail: z.string(),
});
export type Evidence = z.infer<typeof Evidence>;

/** Whether a command succeeded. */
export function passed(evidence: Evidence): boolean {
  return evidence.exitCode === 0 && !evidence.timedOut;
}
