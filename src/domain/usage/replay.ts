import * as z from 'zod';

/** Reasons for a difference (docs/decisions/153-replays.md). The first two are about all of a prompt. */
const replayReasonKinds = [
  'prompt-gone',
  'policy',
  'instructions',
  'not-allowed',
  'over-cap',
  'order',
] as const;

/** `part`: null for the whole prompt. */
export const ReplayReason = z.object({ kind: z.enum(replayReasonKinds), part: z.string().nullable() });
export type ReplayReason = z.infer<typeof ReplayReason>;

/** An unknown difference. `secrets`: sent secrets aren't kept. `other-text`: it isn't its plan's. */
export const ReplayGap = z.enum(['no-text', 'secrets', 'other-text']);
export type ReplayGap = z.infer<typeof ReplayGap>;

/** The result of a replay. */
export const ReplayVerdict = z.enum(['same', 'differs', 'unknown']);
export type ReplayVerdict = z.infer<typeof ReplayVerdict>;
