import { auto, backToCoding, cancel, delivering, gate, here, rewindToBeads, rewindToPrd, running, terminal } from './rows.ts';
import type { ActionName, ActionRow, Row } from './rows.ts';

/**
 * The workflow: one row per status (docs/decisions/008-workflow-is-a-table.md). To add a status is to add a row, and a handler if the behavior is
 * new. An `edit` with `archivesFrom` concerns the artifact before that status; an `edit` to `self` concerns the gate's own artifact.
 */
export const workflow = defineWorkflow({
  DRAFT: {
    ...gate,
    label: 'Draft',
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
    contexts: ['relevant_files_scan'],
    exits: { ready: 'COUNCIL_DELIBERATING' },
    actions: running,
  },

  COUNCIL_DELIBERATING: {
    ...auto,
    label: 'Drafting questions',
    band: 'interview',
    handler: 'draftInterview',
    domain: 'interview',
    contexts: ['interview_draft'],
    exits: { ready: 'COUNCIL_VOTING_INTERVIEW' },
    actions: running,
  },
  COUNCIL_VOTING_INTERVIEW: {
    ...auto,
    label: 'Voting on questions',
    band: 'interview',
    handler: 'voteCouncil',
    domain: 'interview',
    contexts: ['interview_vote'],
    exits: { winner: 'COMPILING_INTERVIEW' },
    actions: running,
  },
  COMPILING_INTERVIEW: {
    ...auto,
    label: 'Compiling the interview',
    band: 'interview',
    handler: 'compileInterview',
    domain: 'interview',
    contexts: ['interview_refine'],
    exits: { ready: 'WAITING_INTERVIEW_ANSWERS' },
    actions: running,
  },
  WAITING_INTERVIEW_ANSWERS: {
    ...gate,
    label: 'Interview',
    band: 'interview',
    handler: 'interview',
    domain: 'interview',
    contexts: ['interview_qa'],
    exits: { complete: 'VERIFYING_INTERVIEW_COVERAGE', skip_all: 'WAITING_INTERVIEW_APPROVAL' },
    actions: { ...running, answer: here, skip: here },
  },
  VERIFYING_INTERVIEW_COVERAGE: {
    ...auto,
    label: 'Checking interview coverage',
    band: 'interview',
    handler: 'interviewCoverage',
    domain: 'interview',
    contexts: ['interview_coverage'],
    exits: { clean: 'WAITING_INTERVIEW_APPROVAL', gaps: 'WAITING_INTERVIEW_ANSWERS', limit: 'WAITING_INTERVIEW_APPROVAL' },
    actions: running,
  },
  WAITING_INTERVIEW_APPROVAL: {
    ...gate,
    label: 'Approve the interview',
    band: 'interview',
    handler: 'approveInterview',
    domain: 'interview',
    contexts: [],
    exits: { approve: 'DRAFTING_PRD', regenerate: 'COUNCIL_DELIBERATING' },
    actions: {
      ...running,
      approve: { to: 'DRAFTING_PRD' },
      edit: here,
      regenerate: { to: 'COUNCIL_DELIBERATING', archivesFrom: 'COUNCIL_DELIBERATING' },
    },
  },

  DRAFTING_PRD: {
    ...auto,
    label: 'Drafting the PRD',
    band: 'prd',
    handler: 'draftPrd',
    domain: 'prd',
    contexts: ['full_answers_fill', 'prd_draft'],
    exits: { ready: 'COUNCIL_VOTING_PRD' },
    actions: { ...running, edit: rewindToPrd },
  },
  COUNCIL_VOTING_PRD: {
    ...auto,
    label: 'Voting on the PRD',
    band: 'prd',
    handler: 'voteCouncil',
    domain: 'prd',
    contexts: ['prd_vote'],
    exits: { winner: 'REFINING_PRD' },
    actions: { ...running, edit: rewindToPrd },
  },
  REFINING_PRD: {
    ...auto,
    label: 'Refining the PRD',
    band: 'prd',
    handler: 'refinePrd',
    domain: 'prd',
    contexts: ['prd_refine'],
    exits: { refined: 'VERIFYING_PRD_COVERAGE' },
    actions: { ...running, edit: rewindToPrd },
  },
  VERIFYING_PRD_COVERAGE: {
    ...auto,
    label: 'Checking PRD coverage',
    band: 'prd',
    handler: 'prdCoverage',
    domain: 'prd',
    contexts: ['prd_coverage'],
    exits: { clean: 'WAITING_PRD_APPROVAL', limit: 'WAITING_PRD_APPROVAL' },
    actions: { ...running, edit: rewindToPrd },
  },
  WAITING_PRD_APPROVAL: {
    ...gate,
    label: 'Approve the PRD',
    band: 'prd',
    handler: 'approvePrd',
    domain: 'prd',
    contexts: ['prd_coverage'],
    exits: { approve: 'DRAFTING_BEADS', regenerate: 'DRAFTING_PRD' },
    actions: {
      ...running,
      approve: { to: 'DRAFTING_BEADS' },
      edit: here,
      fix_gaps: here,
      regenerate: { to: 'DRAFTING_PRD', archivesFrom: 'DRAFTING_PRD' },
    },
  },

  DRAFTING_BEADS: {
    ...auto,
    label: 'Drafting beads',
    band: 'beads',
    handler: 'draftBeads',
    domain: 'beads',
    contexts: ['beads_draft'],
    exits: { ready: 'COUNCIL_VOTING_BEADS' },
    actions: { ...running, edit: rewindToBeads },
  },
  COUNCIL_VOTING_BEADS: {
    ...auto,
    label: 'Voting on beads',
    band: 'beads',
    handler: 'voteCouncil',
    domain: 'beads',
    contexts: ['beads_vote'],
    exits: { winner: 'REFINING_BEADS' },
    actions: { ...running, edit: rewindToBeads },
  },
  REFINING_BEADS: {
    ...auto,
    label: 'Refining beads',
    band: 'beads',
    handler: 'refineBeads',
    domain: 'beads',
    contexts: ['beads_refine'],
    exits: { refined: 'VERIFYING_BEADS_COVERAGE' },
    actions: { ...running, edit: rewindToBeads },
  },
  VERIFYING_BEADS_COVERAGE: {
    ...auto,
    label: 'Checking bead coverage',
    band: 'beads',
    handler: 'beadsCoverage',
    domain: 'beads',
    contexts: ['beads_coverage'],
    exits: { clean: 'EXPANDING_BEADS', limit: 'EXPANDING_BEADS' },
    actions: { ...running, edit: rewindToBeads },
  },
  EXPANDING_BEADS: {
    ...auto,
    label: 'Expanding beads',
    band: 'beads',
    handler: 'expandBeads',
    domain: 'beads',
    contexts: ['beads_expand'],
    exits: { expanded: 'WAITING_BEADS_APPROVAL' },
    actions: { ...running, edit: rewindToBeads },
  },
  WAITING_BEADS_APPROVAL: {
    ...gate,
    label: 'Approve the beads',
    band: 'beads',
    handler: 'approveBeads',
    domain: 'beads',
    contexts: ['beads_coverage', 'beads_expand'],
    exits: { approve: 'PRE_FLIGHT_CHECK', regenerate: 'DRAFTING_BEADS' },
    actions: {
      ...running,
      approve: { to: 'PRE_FLIGHT_CHECK' },
      edit: here,
      fix_gaps: here,
      regenerate: { to: 'DRAFTING_BEADS', archivesFrom: 'DRAFTING_BEADS' },
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
    contexts: ['execution_setup_plan', 'execution_setup_plan_regenerate'],
    exits: { ready: 'WAITING_EXECUTION_SETUP_APPROVAL' },
    actions: running,
  },
  WAITING_EXECUTION_SETUP_APPROVAL: {
    ...gate,
    label: 'Approve the setup',
    band: 'pre_implementation',
    handler: 'approveSetup',
    contexts: [],
    exits: { approve: 'PREPARING_EXECUTION_ENV', regenerate: 'GENERATING_EXECUTION_SETUP_PLAN' },
    actions: {
      ...running,
      approve: { to: 'PREPARING_EXECUTION_ENV' },
      edit: here,
      regenerate: { to: 'GENERATING_EXECUTION_SETUP_PLAN', archivesFrom: 'GENERATING_EXECUTION_SETUP_PLAN' },
    },
  },
  PREPARING_EXECUTION_ENV: {
    ...auto,
    label: 'Preparing the environment',
    band: 'pre_implementation',
    handler: 'prepareEnvironment',
    contexts: ['execution_setup', 'execution_setup_note'],
    exits: { ready: 'CODING' },
    actions: { ...running, rewind_setup: { to: 'WAITING_EXECUTION_SETUP_APPROVAL', archivesFrom: 'WAITING_EXECUTION_SETUP_APPROVAL' } },
  },

  CODING: {
    ...auto,
    label: 'Coding',
    band: 'implementation',
    handler: 'coding',
    contexts: ['coding', 'context_wipe', 'qa_fix'],
    exits: { complete: 'RUNNING_FINAL_TEST' },
    actions: { ...delivering, changes: here, suggest_edit: here },
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
    contexts: ['qa_checklist'],
    exits: { ready: 'WAITING_MANUAL_QA' },
    actions: delivering,
  },
  WAITING_MANUAL_QA: {
    ...gate,
    label: 'Manual QA',
    band: 'post_implementation',
    handler: 'manualQa',
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

  COMPLETED: { ...terminal, label: 'Completed', band: 'done' },
  CANCELED: { ...terminal, label: 'Canceled', band: 'done' },
  BLOCKED_ERROR: {
    ...gate,
    label: 'Blocked',
    band: 'errors',
    handler: 'rest',
    contexts: [],
    exits: {},
    actions: {
      ...delivering,
      changes: here,
      suggest_edit: here,
      retry: { to: 'previous', archivesFrom: 'previous' },
      continue: { to: 'previous' },
      rewind_setup: { to: 'WAITING_EXECUTION_SETUP_APPROVAL', archivesFrom: 'WAITING_EXECUTION_SETUP_APPROVAL' },
    },
    blockable: false,
  },
});

/** The name of a status. */
export type Status = keyof typeof workflow;

/** Every status, in the order of the table. */
export const statuses = Object.keys(workflow) as readonly Status[];

/** A row with every exit and action by name, for code that doesn't know the status. */
export interface StatusRow extends Omit<Row<Status>, 'exits' | 'actions'> {
  readonly exits: Readonly<Record<string, Status | undefined>>;
  readonly actions: Readonly<Partial<Record<ActionName, ActionRow<Status>>>>;
}

/** The row of a status. */
export function rowOf(status: Status): StatusRow {
  return workflow[status];
}

/** Whether a ticket in this status is over. */
export function isTerminal(status: Status): boolean {
  return rowOf(status).kind === 'terminal';
}

function defineWorkflow<const T extends { readonly [K in keyof T]: Row<Extract<keyof T, string>> }>(rows: T): T {
  return rows;
}
