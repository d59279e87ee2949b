import type { ContextKey } from '../domain/workflow/contextKeys.ts';

/** Calls that judge work, and so are told nothing of how it was made (docs/decisions/132-cold-review.md). */
const judging: readonly ContextKey[] = ['review'];

/**
 * Slices and sections that tell of attempts, their failures, or what was said to one of them. Whatever
 * another table allows, no judge gets them.
 */
const told: readonly string[] = [
  'bead_notes',
  'error_context',
  'tests',
  'execution_setup_notes',
  'execution_setup_plan_notes',
  'final_test_notes',
  'failing_evidence',
  'handoff',
  'workspace',
  'counters',
  'extra_fix_history',
  'session_state',
  'user_note',
  'preamble',
  'pass_report',
  'iteration',
  'change_proposal',
  'added_context',
  'retry_hint',
  'attempts',
  'failed_check',
  'dev_record',
  'attempt_change',
  'ticket_handoff',
  'history',
  'last_turns',
];

/**
 * Calls about a bead before its first iteration: nothing in them may come from an attempt, at this bead or
 * another one.
 */
const beforehand: readonly ContextKey[] = ['kickoff'];
const ofAttempts: readonly string[] = [
  'bead_notes',
  'error_context',
  'tests',
  'failing_evidence',
  'findings',
  'change',
  'seen_evidence',
  'reviewer_notes',
  'execution_setup_notes',
  'execution_setup_plan_notes',
  'final_test_notes',
  'counters',
  'extra_fix_history',
  'session_state',
  'history',
  'last_turns',
];

/** Returns true if a call may never see a slice or section. */
export function isDenied(name: string, key: ContextKey): boolean {
  return (
    (judging.includes(key) && told.includes(name)) || (beforehand.includes(key) && ofAttempts.includes(name))
  );
}
