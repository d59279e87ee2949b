import type { ErrorCode } from '../domain/errors.ts';

/** What the process ends with. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  gate: 3,
  blocked: 4,
  canceled: 5,
  undecided: 6,
  /** The ticket is over, and beads of its plan are missing (docs/decisions/138-failure-analysis.md). */
  incomplete: 7,
  interrupted: 130,
  terminated: 143,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Errors that speak of what was asked for rather than of what went wrong. */
const badInput: readonly ErrorCode[] = [
  'NOT_A_REPOSITORY',
  'BARE_REPOSITORY',
  'PATH_UNUSABLE',
  'NO_COMMITS',
  'BASE_BRANCH_MISSING',
  'BASE_BRANCH_OPEN',
  'BASE_BRANCH_BEHIND',
  'REVISION_UNKNOWN',
  'INVALID_INPUT',
  'TICKET_UNKNOWN',
  'NO_EVIDENCE',
  'ACTION_NOT_ALLOWED',
  'STALE_APPROVAL',
  'EDIT_CONFLICT',
  'INVALID_ARTIFACT',
  'NOTHING_TO_CONTINUE',
  'NO_OPEN_GAPS',
  'NO_FINISHED_BEAD',
  'ALREADY_PAUSED',
  'NOT_HELD',
  'REQUEST_GONE',
  'CONFIRMATION_NEEDED',
  'MODEL_UNKNOWN',
  'SANDBOX_NEEDED',
];

/** The exit code of a command that ended with this error. */
export function exitOf(code: string): ExitCode {
  if (code.startsWith('DECISION_')) return exitCodes.undecided;
  return badInput.some((known) => known === code) ? exitCodes.usage : exitCodes.failed;
}
