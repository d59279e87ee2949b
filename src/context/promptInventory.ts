import type { ContextKey } from '../domain/workflow/contextKeys.ts';

/** A prompt's keys, and its place in a session. */
interface PromptUse {
  readonly keys: readonly ContextKey[] | 'any';
  readonly session: 'fresh' | 'same' | 'system' | 'part';
}

export const promptInventory = {
  'relevant-files-scan': { keys: ['relevant_files_scan', 'relevant_files_refresh'], session: 'fresh' },
  'quick-plan': { keys: ['quick_plan'], session: 'fresh' },
  'interview-draft': { keys: ['interview_draft'], session: 'fresh' },
  'interview-vote': { keys: ['interview_vote'], session: 'fresh' },
  'interview-refine': { keys: ['interview_refine'], session: 'fresh' },
  'interview-qa': { keys: ['interview_qa'], session: 'fresh' },
  'interview-answers': { keys: ['interview_qa'], session: 'same' },
  'interview-coverage': { keys: ['interview_coverage'], session: 'fresh' },
  'full-answers': { keys: ['full_answers_fill'], session: 'fresh' },
  'prd-draft': { keys: ['prd_draft'], session: 'fresh' },
  'prd-vote': { keys: ['prd_vote'], session: 'fresh' },
  'prd-refine': { keys: ['prd_refine'], session: 'fresh' },
  'prd-coverage': { keys: ['prd_coverage'], session: 'fresh' },
  'prd-revise': { keys: ['prd_coverage'], session: 'fresh' },
  'beads-draft': { keys: ['beads_draft'], session: 'fresh' },
  'beads-vote': { keys: ['beads_vote'], session: 'fresh' },
  'beads-refine': { keys: ['beads_refine'], session: 'fresh' },
  'beads-coverage': { keys: ['beads_coverage'], session: 'fresh' },
  'beads-revise': { keys: ['beads_coverage'], session: 'fresh' },
  'beads-expand': { keys: ['beads_expand'], session: 'fresh' },
  'capability-probe': { keys: ['capability_probe'], session: 'fresh' },
  'setup-plan': { keys: ['execution_setup_plan'], session: 'fresh' },
  'setup-plan-regenerate': { keys: ['execution_setup_plan_regenerate'], session: 'fresh' },
  setup: { keys: ['execution_setup'], session: 'fresh' },
  'setup-note': { keys: ['execution_setup_note'], session: 'same' },
  coding: { keys: ['coding'], session: 'fresh' },
  'coding-continue': { keys: ['coding'], session: 'same' },
  preamble: { keys: ['coding'], session: 'part' },
  review: { keys: ['review'], session: 'fresh' },
  'review-again': { keys: ['review'], session: 'fresh' },
  'review-note': { keys: ['review'], session: 'same' },
  'party-vote': { keys: ['review'], session: 'fresh' },
  kickoff: { keys: ['kickoff'], session: 'fresh' },
  fix: { keys: ['fix'], session: 'fresh' },
  pivot: { keys: ['coding'], session: 'same' },
  'failure-analysis': { keys: ['failure_analysis'], session: 'fresh' },
  'coding-note': { keys: ['context_wipe'], session: 'same' },
  'final-test': { keys: ['final_test'], session: 'fresh' },
  'final-test-note': { keys: ['final_test_note'], session: 'fresh' },
  'qa-checklist': { keys: ['qa_checklist'], session: 'fresh' },
  'plan-change': { keys: ['qa_fix'], session: 'fresh' },
  'qa-fix': { keys: ['qa_fix'], session: 'fresh' },
  'base-update': { keys: ['base_update'], session: 'fresh' },
  'pull-request': { keys: ['pull_request'], session: 'fresh' },
  retrospective: { keys: ['retrospective'], session: 'fresh' },
  'structured-repair': { keys: 'any', session: 'same' },
  'answer-rest': { keys: 'any', session: 'same' },
  'shorter-answer': { keys: 'any', session: 'same' },
  continue: { keys: 'any', session: 'same' },
  'agent-disabled': { keys: 'any', session: 'system' },
  'agent-read-only': { keys: 'any', session: 'system' },
  'agent-default': { keys: 'any', session: 'system' },
  'agent-execution-setup-online': { keys: 'any', session: 'system' },
} as const satisfies Record<string, PromptUse>;

export type PromptName = keyof typeof promptInventory;
export const promptNames = Object.keys(promptInventory) as readonly PromptName[];

/** An unknown prompt counts as one that opens a session. */
export function promptUse(name: string): PromptUse {
  return (
    Object.entries<PromptUse>(promptInventory).find(([known]) => known === name)?.[1] ?? {
      keys: 'any',
      session: 'fresh',
    }
  );
}
