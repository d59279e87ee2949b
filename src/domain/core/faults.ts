import type { ErrorCode } from './errors.ts';

const faults: ReadonlySet<string> = new Set<ErrorCode>([
  'UNEXPECTED',
  'OUTSIDE_WORKTREE',
  'STEP_KEY_REUSED',
  'REPLAY_MISMATCH',
  'STAGE_RESULT_INVALID',
  'DRIVE_FAILED',
  'JOURNAL_BROKEN',
  'DATABASE_CORRUPT',
]);

/** True if an error is a fault of the product. */
export function isFault(code: string): boolean {
  return faults.has(code);
}
