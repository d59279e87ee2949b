import type { BeadsmithError, ErrorCode } from '../../domain/core/errors.ts';
import type { StepIo } from '../../engine/run/run.ts';
import { attempted } from '../shared/worktree/worktree.ts';

/** Errors of a forge or a push, after which the person can choose again. */
const refusals: readonly ErrorCode[] = [
  'PUSH_REFUSED',
  'FORGE_UNKNOWN',
  'FORGE_SIGN_IN',
  'FORGE_REFUSED',
  'FORGE_UNREACHABLE',
  'FORGE_REPLACED',
  'FORGE_OTHER_BRANCH',
  'FORGE_MERGED_ELSEWHERE',
  'FORGE_MERGED_WITHOUT',
  'FORGE_CLOSED',
  'FORGE_BRANCH_DELETED',
  'FORGE_BASE_CHANGED',
  'FORGE_BRANCH_MOVED',
  'FORGE_BEHIND',
  'FORGE_CONFLICTS',
  'FORGE_UNQUEUED',
  'GIT_FAILED',
  'GIT_LOCKED',
  'GIT_SETTING_REFUSED',
];

/** Does something with a forge. `refused`, by these codes too, keeps the gate open; it throws what blocks. */
export async function forgeAttempt<T>(
  io: StepIo,
  work: () => Promise<T>,
  codes: readonly ErrorCode[] = [],
): Promise<
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refused: BeadsmithError }
> {
  const done = await attempted(io, work);
  if (done.ok) return done;
  if (![...refusals, ...codes].includes(done.error.code)) throw done.error;
  return { ok: false, refused: done.error };
}

/** Lets nothing leave of a cancelled step, which is left behind, but not ended, by what it waits for. */
export async function goesOn(io: StepIo): Promise<void> {
  await io.fence();
  io.signal.throwIfAborted();
}
