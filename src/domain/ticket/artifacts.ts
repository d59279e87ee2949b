import * as z from 'zod';
import { documentKinds, documentOf, type documents } from '../documents/documents.ts';
import { councilKinds, type Domain } from '../documents/workDocuments.ts';
import { setupPlanDocument } from '../documents/setupPlan.ts';
import { Sha256 } from '../core/ids.ts';
import type { DocumentKind } from '../workflow/rows.ts';
import type { Status } from '../workflow/workflow.ts';

/** After `:`, the subject: `bead_diff:auth-token`. */
type ArtifactName =
  | DocumentKind
  | `${Domain}_${'drafts' | 'votes' | 'winner' | 'ledger' | 'coverage' | 'losses' | 'decisions'}`
  | Documents[Domain]['council']['refined']
  | 'interview_session'
  | 'quick_questions'
  | 'full_answers:'
  | 'beads_blueprint'
  | 'preflight_report'
  | 'commit_convention'
  | 'execution_setup_plan_notes'
  | 'execution_setup_notes'
  | 'execution_setup_profile'
  | 'execution_setup_report'
  | 'setup_basis'
  | 'setup_reuse'
  | 'loop_request'
  | 'scratch_environment'
  | 'baseline'
  | 'runs_without_work'
  | 'bead_execution:'
  | 'bead_commit:'
  | 'bead_kickoff:'
  | 'bead_failures:'
  | 'failure_analysis:'
  | 'bead_skip:'
  | 'plan_change:'
  | 'plan_change_receipt:'
  | 'setup_failures'
  | 'final_test_failures'
  | 'commit_evidence:'
  | 'bead_diff:'
  | 'bead_amendment:'
  | 'bead_review:'
  | 'suggested_edit:'
  | 'weakened_tests_receipt:'
  | 'guarded_changes_receipt:'
  | 'git_hooks:'
  | 'final_test_notes'
  | 'final_test_report'
  | 'manual_qa_results'
  | 'base_update'
  | 'kept_base_receipt'
  | 'integration_report'
  | 'pull_request_report'
  | 'forge_pull_request'
  | 'check_rounds'
  | 'forge_threads'
  | 'issue_comments'
  | 'merge_report'
  | 'worktree_leftovers'
  | 'branch_tip'
  | 'worktree_inventory'
  | 'cleanup_report'
  | 'approval_receipt'
  | 'user_edit_receipt:'
  | 'skip_receipt:'
  | 'limits_receipt'
  | 'models_receipt'
  | 'pass_gates_receipt'
  | 'prompt_secrets_receipt'
  | 'prompt_preview_receipt'
  | 'prompt_choices'
  | 'user_context'
  | 'user_context_once'
  | 'context_entries'
  | 'earlier_turns:'
  | 'unanswered_questions'
  | 'changes_requested';
type Documents = typeof documents;

/** A document's coverage report, and its context key. */
export function coverageOf<K extends string>(kind: K): `${K}_coverage` {
  return `${kind}_coverage`;
}
type Named<T extends string> = T extends `${infer Base}:` ? `${Base}:${string}` : T;

/** An artifact's type: `prd` or `bead_diff:auth-token`. */
export type ArtifactType = Named<ArtifactName>;

/** An artifact without content; `version`: from 1 per ticket and type. Receipts are only added. */
export const ArtifactInfo = z.object({
  id: z.number().int(),
  ticket: z.string(),
  type: z.string(),
  status: z.custom<Status>((value) => typeof value === 'string'),
  attempt: z.number().int(),
  version: z.number().int(),
  sha256: Sha256,
  bytes: z.number().int(),
  createdAt: z.number(),
  archived: z.boolean(),
});
export type ArtifactInfo = z.infer<typeof ArtifactInfo>;

/** An artifact's projected path, if any. `flow`: the base branch as a folder name. */
export function projectionOf(type: string, flow: string): string | undefined {
  if (type === 'execution_setup_profile') return '.ticket/runtime/execution-setup-profile.json';
  const kind = documentKinds.find((one) => one === type);
  const path = kind && documentOf(kind).projection;
  return path === undefined ? undefined : `.ticket/${path.replace('{flow}', flow)}`;
}

/** Artifacts that survive attempts: notes, people's words, and what is in the world. */
export const keptOverAttempts: readonly ArtifactType[] = [
  'execution_setup_notes',
  'final_test_notes',
  'execution_setup_plan_notes',
  setupPlanDocument.kind,
  'user_context',
  'context_entries',
  'unanswered_questions',
  'changes_requested',
  'forge_pull_request',
  'check_rounds',
  'forge_threads',
  'issue_comments',
  ...councilKinds.map((kind) => `${kind}_decisions` as const),
];
