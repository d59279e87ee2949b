import { LoopEnd, loopEnds } from '../../domain/beads/passes.ts';
import type { ErrorCode, ErrorRecord } from '../../domain/core/errors.ts';

const endOfError: { readonly [C in ErrorCode]?: LoopEnd } = {
  BUDGET_EXHAUSTED: 'token_cap',
  COST_CAP_REACHED: 'cost_cap',
  TIME_CAP_REACHED: 'time_cap',
};

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  gate: 3,
  blocked: 4,
  canceled: loopEnds.user_stop.exit,
  undecided: 6,
  maxPasses: loopEnds.max_passes.exit,
  tokenCap: loopEnds.token_cap.exit,
  costCap: loopEnds.cost_cap.exit,
  timeCap: loopEnds.time_cap.exit,
  stuck: loopEnds.stuck.exit,
  aborted: loopEnds.aborted.exit,
  timedOut: loopEnds.timed_out.exit,
  /** The ticket is over, and some of its beads are missing (docs/decisions/138-failure-analysis.md). */
  incomplete: 7,
  interrupted: 130,
  terminated: 143,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Each end of a loop has a code of its own (docs/decisions/140-passes.md). */
export function exitOfBlocked(error: Pick<ErrorRecord, 'code' | 'diagnostics'> | null): ExitCode {
  const end = error
    ? (endOfError[error.code] ?? LoopEnd.safeParse(error.diagnostics['end']).data)
    : undefined;
  return (end && loopEnds[end].exit) ?? exitCodes.blocked;
}

/** Errors in what was asked for. */
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
  'MERGE_ON_FORGE',
  'STALE_APPROVAL',
  'REASON_MISSING',
  'EDIT_CONFLICT',
  'INVALID_ARTIFACT',
  'NOTHING_TO_CONTINUE',
  'NO_OPEN_GAPS',
  'NO_FINISHED_BEAD',
  'FINDING_UNKNOWN',
  'NO_REVIEW',
  'DISMISSAL_UNKNOWN',
  'ALREADY_PAUSED',
  'NOT_HELD',
  'REQUEST_GONE',
  'CONTEXT_UNKNOWN',
  'CONTEXT_DELIVERED',
  'CONFIRMATION_NEEDED',
  'MODEL_UNKNOWN',
  'SANDBOX_NEEDED',
];

export function exitOf(code: string): ExitCode {
  if (code.startsWith('DECISION_')) return exitCodes.undecided;
  return badInput.some((known) => known === code) ? exitCodes.usage : exitCodes.failed;
}

export function exitOfSignal({ reason }: AbortSignal): ExitCode {
  return reason === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated;
}
