import type { ActionName } from './actions.ts';
import { auto, backToCoding, backToSetup, cancel, delivering, gate, here, queued, rewinding, running, terminal } from './rows.ts';
import type { ActionRow, Row } from './rows.ts';
import { Sequence } from './sequence.ts';

/**
 * The workflow: one row per status (docs/decisions/008-workflow-is-a-table.md). To add a status is to add a row, and a handler if the behavior is
 * new. The order of the rows means nothing: what follows what is derived from the exits.
 */
export const workflow = defineWorkflow({
  DRAFT: {
    ...gate,
    label: 'Draft',
    role: 'draft',
    band: 'todo',
    column: 'To Do',
    handler: 'draft',
    contexts: [],
    exits: { start: 'SCANNING_RELEVANT_FILES' },
    actions: { start: { to: 'SCANNING_RELEVANT_FILES' }, edit: here, cancel },
  },

  SCANNING_RELEVANT_FILES: {
    ...auto,
    label: 'Scanning relevant files',
    band: 'discovery',
    handler: 'scanRelevantFiles',
    document: 'relevant_files',
    contexts: ['relevant_files_scan'],
    exits: { ready: 'COUNCIL_DELIBERATING' },
    actions: running,
  },

  COUNCIL_DELIBERATING: {
    ...auto,
    label: 'Drafting questions',
    band: 'interview',
    handler: 'draftInterview',
    document: 'interview',
    contexts: ['interview_draft'],
    exits: { ready: 'COUNCIL_VOTING_INTERVIEW' },
    actions: running,
  },
  COUNCIL_VOTING_INTERVIEW: {
    ...auto,
    label: 'Voting on questions',
    band: 'interview',
    handler: 'voteCouncil',
    document: 'interview',
    contexts: ['interview_vote'],
    exits: { winner: 'COMPILING_INTERVIEW' },
    actions: running,
  },
  COMPILING_INTERVIEW: {
    ...auto,
    label: 'Compiling the interview',
    band: 'interview',
    handler: 'compileInterview',
    document: 'interview',
    contexts: ['interview_refine'],
    exits: { ready: 'WAITING_INTERVIEW_ANSWERS' },
    actions: running,
  },
  WAITING_INTERVIEW_ANSWERS: {
    ...gate,
    label: 'Interview',
    band: 'interview',
    handler: 'interview',
    document: 'interview',
    contexts: ['interview_qa'],
    exits: { complete: 'VERIFYING_INTERVIEW_COVERAGE', skip_all: 'WAITING_INTERVIEW_APPROVAL' },
    actions: { ...running, answer: here, skip: here },
  },
  VERIFYING_INTERVIEW_COVERAGE: {
    ...auto,
    label: 'Checking interview coverage',
    band: 'interview',
    handler: 'interviewCoverage',
    document: 'interview',
    contexts: ['interview_coverage'],
    exits: { clean: 'WAITING_INTERVIEW_APPROVAL', gaps: 'WAITING_INTERVIEW_ANSWERS', limit: 'WAITING_INTERVIEW_APPROVAL' },
    actions: running,
  },
  WAITING_INTERVIEW_APPROVAL: {
    ...gate,
    label: 'Approve the interview',
    band: 'interview',
    handler: 'approve',
    document: 'interview',
    contexts: [],
    exits: { approve: 'DRAFTING_PRD', regenerate: 'COUNCIL_DELIBERATING' },
    actions: {
      ...running,
      approve: { to: 'DRAFTING_PRD' },
      edit: here,
      regenerate: { to: 'COUNCIL_DELIBERATING', archives: 'onward' },
    },
  },

  DRAFTING_PRD: {
    ...auto,
    label: 'Drafting the PRD',
    band: 'prd',
    handler: 'draftPrd',
    document: 'prd',
    contexts: ['full_answers_fill', 'prd_draft'],
    exits: { ready: 'COUNCIL_VOTING_PRD' },
    actions: { ...running, edit: rewinding },
  },
  COUNCIL_VOTING_PRD: {
    ...auto,
    label: 'Voting on the PRD',
    band: 'prd',
    handler: 'voteCouncil',
    document: 'prd',
    contexts: ['prd_vote'],
    exits: { winner: 'REFINING_PRD' },
    actions: { ...running, edit: rewinding },
  },
  REFINING_PRD: {
    ...auto,
    label: 'Refining the PRD',
    band: 'prd',
    handler: 'refinePrd',
    document: 'prd',
    contexts: ['prd_refine'],
    exits: { refined: 'VERIFYING_PRD_COVERAGE' },
    actions: { ...running, edit: rewinding },
  },
  VERIFYING_PRD_COVERAGE: {
    ...auto,
    label: 'Checking PRD coverage',
    band: 'prd',
    handler: 'prdCoverage',
    document: 'prd',
    contexts: ['prd_coverage'],
    exits: { clean: 'WAITING_PRD_APPROVAL', limit: 'WAITING_PRD_APPROVAL' },
    actions: { ...running, edit: rewinding },
  },
  WAITING_PRD_APPROVAL: {
    ...gate,
    label: 'Approve the PRD',
    band: 'prd',
    handler: 'approve',
    document: 'prd',
    contexts: ['prd_coverage'],
    exits: { approve: 'DRAFTING_BEADS', regenerate: 'DRAFTING_PRD' },
    actions: {
      ...running,
      approve: { to: 'DRAFTING_BEADS' },
      edit: rewinding,
      fix_gaps: here,
      regenerate: { to: 'DRAFTING_PRD', archives: 'onward' },
    },
  },

  DRAFTING_BEADS: {
    ...auto,
    label: 'Drafting beads',
    band: 'beads',
    handler: 'draftBeads',
    document: 'beads',
    contexts: ['beads_draft'],
    exits: { ready: 'COUNCIL_VOTING_BEADS' },
    actions: { ...running, edit: rewinding },
  },
  COUNCIL_VOTING_BEADS: {
    ...auto,
    label: 'Voting on beads',
    band: 'beads',
    handler: 'voteCouncil',
    document: 'beads',
    contexts: ['beads_vote'],
    exits: { winner: 'REFINING_BEADS' },
    actions: { ...running, edit: rewinding },
  },
  REFINING_BEADS: {
    ...auto,
    label: 'Refining beads',
    band: 'beads',
    handler: 'refineBeads',
    document: 'beads',
    contexts: ['beads_refine'],
    exits: { refined: 'VERIFYING_BEADS_COVERAGE' },
    actions: { ...running, edit: rewinding },
  },
  VERIFYING_BEADS_COVERAGE: {
    ...auto,
    label: 'Checking bead coverage',
    band: 'beads',
    handler: 'beadsCoverage',
    document: 'beads',
    contexts: ['beads_coverage'],
    exits: { clean: 'EXPANDING_BEADS', limit: 'EXPANDING_BEADS' },
    actions: { ...running, edit: rewinding },
  },
  EXPANDING_BEADS: {
    ...auto,
    label: 'Expanding beads',
    band: 'beads',
    handler: 'expandBeads',
    document: 'beads',
    contexts: ['beads_expand'],
    exits: { expanded: 'WAITING_BEADS_APPROVAL' },
    actions: { ...running, edit: rewinding },
  },
  WAITING_BEADS_APPROVAL: {
    ...gate,
    label: 'Approve the beads',
    band: 'beads',
    handler: 'approve',
    document: 'beads',
    contexts: ['beads_coverage', 'beads_expand'],
    exits: { approve: 'PRE_FLIGHT_CHECK', regenerate: 'DRAFTING_BEADS' },
    actions: {
      ...running,
      approve: { to: 'PRE_FLIGHT_CHECK' },
      edit: rewinding,
      fix_gaps: here,
      regenerate: { to: 'DRAFTING_BEADS', archives: 'onward' },
    },
  },

  PRE_FLIGHT_CHECK: {
    ...auto,
    label: 'Checking readiness',
    band: 'pre_implementation',
    handler: 'preflight',
    contexts: ['capability_probe', 'preflight'],
    exits: { passed: 'GENERATING_EXECUTION_SETUP_PLAN' },
    actions: running,
  },
  GENERATING_EXECUTION_SETUP_PLAN: {
    ...auto,
    label: 'Drafting the setup plan',
    band: 'pre_implementation',
    handler: 'setupPlan',
    document: 'execution_setup_plan',
    contexts: ['execution_setup_plan', 'execution_setup_plan_regenerate'],
    exits: { ready: 'WAITING_EXECUTION_SETUP_APPROVAL' },
    actions: running,
  },
  WAITING_EXECUTION_SETUP_APPROVAL: {
    ...gate,
    label: 'Approve the setup',
    band: 'pre_implementation',
    handler: 'approve',
    document: 'execution_setup_plan',
    contexts: [],
    exits: { approve: 'PREPARING_EXECUTION_ENV', regenerate: 'GENERATING_EXECUTION_SETUP_PLAN' },
    actions: {
      ...running,
      approve: { to: 'PREPARING_EXECUTION_ENV' },
      edit: here,
      regenerate: { to: 'GENERATING_EXECUTION_SETUP_PLAN', archives: 'onward' },
    },
  },
  PREPARING_EXECUTION_ENV: {
    ...auto,
    label: 'Preparing the environment',
    band: 'pre_implementation',
    handler: 'prepareEnvironment',
    contexts: ['execution_setup', 'execution_setup_note'],
    exits: { ready: 'CODING' },
    actions: { ...running, rewind_setup: backToSetup },
  },

  CODING: {
    ...auto,
    label: 'Coding',
    // Its beads have iterations (docs/decisions/003-retry-continue-and-cancel.md).
    attempts: false,
    band: 'implementation',
    handler: 'coding',
    contexts: ['coding', 'context_wipe', 'qa_fix'],
    exits: { complete: 'RUNNING_FINAL_TEST' },
    actions: { ...delivering, changes: queued, suggest_edit: queued },
  },
  RUNNING_FINAL_TEST: {
    ...auto,
    label: 'Running the final test',
    band: 'post_implementation',
    handler: 'finalTest',
    contexts: ['final_test', 'final_test_note'],
    exits: { passed: 'INTEGRATING_CHANGES', passed_qa: 'GENERATING_QA_CHECKLIST' },
    actions: delivering,
  },
  GENERATING_QA_CHECKLIST: {
    ...auto,
    label: 'Preparing manual QA',
    band: 'post_implementation',
    handler: 'qaChecklist',
    document: 'manual_qa_checklist',
    contexts: ['qa_checklist'],
    exits: { ready: 'WAITING_MANUAL_QA' },
    actions: delivering,
  },
  WAITING_MANUAL_QA: {
    ...gate,
    label: 'Manual QA',
    band: 'post_implementation',
    handler: 'manualQa',
    document: 'manual_qa_checklist',
    contexts: ['qa_fix'],
    exits: { passed: 'INTEGRATING_CHANGES', changes: 'CODING' },
    actions: { ...delivering, qa: here, skip: { to: 'INTEGRATING_CHANGES' }, changes: backToCoding, suggest_edit: backToCoding },
  },
  INTEGRATING_CHANGES: {
    ...auto,
    label: 'Integrating changes',
    band: 'post_implementation',
    handler: 'integrate',
    contexts: [],
    exits: { integrated: 'CREATING_PULL_REQUEST' },
    actions: delivering,
  },
  CREATING_PULL_REQUEST: {
    ...auto,
    label: 'Creating the pull request',
    band: 'post_implementation',
    handler: 'pullRequest',
    contexts: ['pull_request'],
    exits: { ready: 'WAITING_PR_REVIEW' },
    actions: delivering,
  },
  WAITING_PR_REVIEW: {
    ...gate,
    label: 'Review the pull request',
    band: 'post_implementation',
    handler: 'review',
    contexts: ['qa_fix'],
    exits: { merge: 'CLEANING_ENV', close: 'CLEANING_ENV', changes: 'CODING' },
    actions: {
      ...delivering,
      merge: { to: 'CLEANING_ENV' },
      close: { to: 'CLEANING_ENV' },
      changes: backToCoding,
      suggest_edit: backToCoding,
    },
  },
  CLEANING_ENV: {
    ...auto,
    label: 'Cleaning up',
    band: 'post_implementation',
    handler: 'cleanup',
    contexts: [],
    exits: { cleaned: 'COMPLETED' },
    actions: running,
  },

  COMPLETED: { ...terminal, role: 'completed', label: 'Completed', band: 'done' },
  CANCELED: { ...terminal, role: 'canceled', label: 'Canceled', band: 'done' },
  BLOCKED_ERROR: {
    ...gate,
    label: 'Blocked',
    role: 'blocked',
    band: 'errors',
    handler: 'rest',
    contexts: [],
    exits: {},
    actions: {
      ...running,
      accept_bead: { ...here, when: ['previousAllows'] },
      changes: { ...queued, when: ['previousAllows'] },
      suggest_edit: { ...queued, when: ['previousAllows'] },
      retry: { to: 'previous', archives: 'attempt' },
      continue: { to: 'previous' },
      rewind_setup: { ...backToSetup, when: ['previousAllows'] },
    },
  },
});

/** The name of a status. */
export type Status = keyof typeof workflow;

/** A row read as data: every exit and action by name. */
export interface StatusRow extends Omit<Row<Status>, 'exits' | 'actions'> {
  readonly exits: Readonly<Record<string, Status | undefined>>;
  readonly actions: Readonly<Partial<Record<ActionName, ActionRow<Status>>>>;
}

/** The row of a status. */
export function rowOf(status: Status): StatusRow {
  return workflow[status];
}

/** The order of the statuses, and what follows each. */
export const sequence = new Sequence<Status>(workflow, 'DRAFT');

/** Every status, in the order in which a ticket passes them. */
export const statuses = sequence.all;

/** Whether a ticket in this status is over. */
export function isTerminal(status: Status): boolean {
  return rowOf(status).kind === 'terminal';
}

function defineWorkflow<const T extends { readonly [K in keyof T]: Row<Extract<keyof T, string>> }>(rows: T): T {
  return rows;
}
