/** Purposes of model calls that a fixture pins (docs/decisions/039-context-slices-and-allowlists.md). */
export const pinnedContextKeys = [
  'interview_draft',
  'interview_vote',
  'interview_refine',
  'interview_qa',
  'interview_coverage',
  'prd_draft',
  'prd_vote',
  'prd_refine',
  'prd_coverage',
  'beads_draft',
  'beads_vote',
  'beads_refine',
  'beads_expand',
  'beads_coverage',
  'execution_setup_plan',
  'execution_setup_plan_regenerate',
  'execution_setup',
  'coding',
  'context_wipe',
  'final_test',
  'pull_request',
  'preflight',
] as const;

/** Further purposes, free to grow. */
export const ownContextKeys = [
  'relevant_files_scan',
  'relevant_files_refresh',
  'quick_plan',
  'full_answers_fill',
  'execution_setup_note',
  'final_test_note',
  'qa_checklist',
  'qa_fix',
  'base_update',
  'capability_probe',
  'review',
  'fix',
  'failure_analysis',
  'kickoff',
  'retrospective',
] as const;

/** A model call's purpose, which selects slices and sections. */
export type ContextKey = (typeof pinnedContextKeys)[number] | (typeof ownContextKeys)[number];

/** Every context key. */
export const contextKeys: readonly ContextKey[] = [...pinnedContextKeys, ...ownContextKeys];
