import type { ContextKey } from '../domain/workflow/contextKeys.ts';
import type { SliceName } from './slices.ts';

/** Slices that a call may see, in order (docs/decisions/039-context-slices-and-allowlists.md). */
export const allowlists: Readonly<Record<ContextKey, readonly SliceName[]>> = {
  interview_draft: ['relevant_files', 'ticket_details'],
  interview_vote: ['relevant_files', 'ticket_details', 'drafts'],
  interview_refine: ['relevant_files', 'ticket_details', 'drafts'],
  interview_qa: ['ticket_details'],
  interview_coverage: ['ticket_details', 'user_answers', 'interview'],
  prd_draft: ['relevant_files', 'ticket_details', 'interview', 'full_answers'],
  prd_vote: ['relevant_files', 'ticket_details', 'interview', 'drafts'],
  prd_refine: ['relevant_files', 'ticket_details', 'full_answers', 'drafts'],
  prd_coverage: ['full_answers', 'prd'],
  beads_draft: ['relevant_files', 'ticket_details', 'prd'],
  beads_vote: ['relevant_files', 'ticket_details', 'prd', 'drafts'],
  beads_refine: ['relevant_files', 'ticket_details', 'prd', 'drafts'],
  beads_expand: ['relevant_files', 'ticket_details', 'prd', 'beads_draft'],
  beads_coverage: ['prd', 'beads'],
  execution_setup_plan: [
    'ticket_details',
    'relevant_files',
    'prd',
    'beads',
    'execution_setup_profile',
    'execution_setup_plan_notes',
  ],
  execution_setup_plan_regenerate: [
    'ticket_details',
    'relevant_files',
    'prd',
    'beads',
    'execution_setup_profile',
    'execution_setup_plan',
    'execution_setup_plan_notes',
  ],
  execution_setup: ['ticket_details', 'beads', 'execution_setup_plan', 'execution_setup_notes'],
  coding: ['bead_data', 'bead_notes'],
  context_wipe: ['bead_data', 'error_context'],
  final_test: ['ticket_details', 'prd', 'beads', 'final_test_notes'],
  pull_request: ['ticket_details', 'prd'],
  preflight: ['ticket_details'],

  relevant_files_scan: ['ticket_details'],
  relevant_files_refresh: ['relevant_files', 'ticket_details', 'interview'],
  quick_plan: ['relevant_files', 'ticket_details', 'interview'],
  full_answers_fill: ['relevant_files', 'ticket_details', 'interview'],
  execution_setup_note: ['ticket_details', 'error_context'],
  final_test_note: ['ticket_details', 'error_context'],
  qa_checklist: ['ticket_details', 'prd', 'beads'],
  qa_fix: ['ticket_details', 'prd', 'beads'],
  base_update: ['ticket_details', 'prd', 'beads'],
  capability_probe: [],
  review: ['bead_data'],
  fix: ['bead_data'],
  failure_analysis: ['bead_data'],
  kickoff: ['bead_data'],
  retrospective: ['ticket_details'],
};

/** The raw interview goes only into the full answers. */
export const heldBack: Readonly<Partial<Record<ContextKey, readonly SliceName[]>>> = {
  prd_draft: ['interview'],
};

/** The slices that a call for `key` gets, in order. */
export function slicesOf(key: ContextKey): readonly SliceName[] {
  return allowlists[key].filter((name) => !heldBack[key]?.includes(name) && !isDenied(name, key));
}

/** They get nothing about the making of the work (docs/decisions/132-cold-review.md). */
const judging: readonly ContextKey[] = ['review'];

/** Parts about attempts, which no judge gets. */
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

/** They get nothing from an attempt at any bead. */
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
