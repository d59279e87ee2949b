import * as z from 'zod';

/** The reasons for a difference (docs/decisions/153-replays.md). The first two apply to all of a prompt. */
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
 * The reason why a difference is unknown. `no-text`: nothing is kept. `secrets`: the kept text lacks sent
 * secrets. `other-text`: it isn't what its plan says.
 */
export const ReplayGap = z.enum(['no-text', 'secrets', 'other-text']);
export type ReplayGap = z.infer<typeof ReplayGap>;

/** The result of a replay: whether the same bytes would be sent today. */
export const ReplayVerdict = z.enum(['same', 'differs', 'unknown']);
export type ReplayVerdict = z.infer<typeof ReplayVerdict>;
