import type { ContextKey } from '../domain/workflow/contextKeys.ts';
import { isDenied } from './denied.ts';
import type { SliceName } from './slices.ts';

/**
 * The slices that a model call may see, in their order (docs/decisions/039-context-slices-and-allowlists.md).
 */
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

/**
 * Slices that a list allows and the builder leaves out. The raw interview goes only into the full answers;
 * the PRD draft that follows works from those.
 */
export const heldBack: Readonly<Partial<Record<ContextKey, readonly SliceName[]>>> = {
  prd_draft: ['interview'],
};

/** The slices that a call for `key` really gets, in the order of its list. */
export function slicesOf(key: ContextKey): readonly SliceName[] {
  return allowlists[key].filter((name) => !heldBack[key]?.includes(name) && !isDenied(name, key));
}
