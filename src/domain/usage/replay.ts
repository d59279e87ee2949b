import * as z from 'zod';

/**
 * The reasons why a prompt would differ today (docs/decisions/153-replays.md). The first two apply to all of
 * it.
 */
export const replayReasonKinds = [
  'prompt-gone',
  'policy',
  'instructions',
  'not-allowed',
  'over-cap',
  'order',
] as const;

/** `part`: the one that it is about; null where it is about the whole prompt. */
export const ReplayReason = z.object({ kind: z.enum(replayReasonKinds), part: z.string().nullable() });
export type ReplayReason = z.infer<typeof ReplayReason>;

/**
 * The reason why it is unknown whether a prompt would differ. `no-text`: what was sent isn't kept. `secrets`:
 * what is kept lacks secrets that were sent. `other-text`: what is kept isn't what its plan says.
 */
export const ReplayGap = z.enum(['no-text', 'secrets', 'other-text']);
export type ReplayGap = z.infer<typeof ReplayGap>;

/** The result of a replay: whether the same bytes would be sent today. */
export const ReplayVerdict = z.enum(['same', 'differs', 'unknown']);
export type ReplayVerdict = z.infer<typeof ReplayVerdict>;
