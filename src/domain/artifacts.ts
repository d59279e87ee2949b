import * as z from 'zod';
import { Sha256 } from './ids.ts';
import type { Status } from './workflow/workflow.ts';

/** The kinds of artifacts. One with `:` is followed by what it is about, for example `bead_diff:auth-token`. */
type ArtifactName =
  | 'relevant_files'
  | 'interview_drafts'
  | 'interview_votes'
  | 'interview_winner'
  | 'interview_compiled'
  | 'interview_session'
  | 'interview_coverage'
  | 'interview'
  | 'full_answers:'
  | 'prd_drafts'
  | 'prd_votes'
  | 'prd_winner'
  | 'prd_refined'
  | 'prd_coverage'
  | 'prd'
  | 'beads_drafts'
  | 'beads_votes'
  | 'beads_winner'
  | 'beads_refined'
  | 'beads_blueprint'
  | 'beads_coverage'
  | 'beads'
  | 'preflight_report'
  | 'execution_setup_plan'
  | 'execution_setup_plan_notes'
  | 'execution_setup_notes'
  | 'execution_setup_profile'
  | 'execution_setup_report'
  | 'bead_execution:'
  | 'bead_commit:'
  | 'bead_diff:'
  | 'bead_amendment:'
  | 'bead_review:'
  | 'suggested_edit:'
  | 'final_test_notes'
  | 'final_test_report'
  | 'manual_qa_checklist'
  | 'manual_qa_results'
  | 'integration_report'
  | 'pull_request_report'
  | 'merge_report'
  | 'cleanup_report'
  | 'approval_receipt'
  | 'user_edit_receipt:'
  | 'skip_receipt:'
  | 'limits_receipt'
  | 'user_context'
  | 'changes_requested';
type Named<T extends string> = T extends `${infer Base}:` ? `${Base}:${string}` : T;

/** The type under which an artifact is filed, for example `prd` or `bead_diff:auth-token`. */
export type ArtifactType = Named<ArtifactName>;

/** A version of an artifact, without its content. `version` counts per ticket and type from 1; receipts are never replaced, only added. */
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

/** Where an artifact is projected in the worktree, if it is. */
export const projections: Readonly<Partial<Record<string, string>>> = {
  relevant_files: '.ticket/relevant-files.yaml',
  interview: '.ticket/interview.yaml',
  prd: '.ticket/prd.yaml',
  execution_setup_profile: '.ticket/runtime/execution-setup-profile.json',
};
