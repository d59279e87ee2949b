import * as z from 'zod';
import { DevRecord, BeadStatusMarker } from './bead.ts';
import { Failure } from './failure.ts';
import { Evidence } from '../core/evidence.ts';
import { BeadId, CommitSha, Sha256, RelativePath } from '../core/ids.ts';

/** `preflight_report`: the checks before coding (docs/decisions/026-preflight.md). */
export const PreflightReport = z.object({
  schema_version: z.literal(1),
  checks: z.array(
    z.object({
      name: z.string(),
      category: z.string(),
      result: z.enum(['pass', 'warning', 'fail']),
      message: z.string(),
    }),
  ),
});
/** The category whose warnings go into the planning of the environment. */
export const repositoryCategory = 'repository';
export type PreflightReport = z.infer<typeof PreflightReport>;

/** `bead_execution:{bead}`: an iteration's result (docs/decisions/032-bead-finalization.md). */
export const BeadExecution = z.object({
  schema_version: z.literal(1),
  checkpoint: z.object({
    beadId: BeadId,
    iteration: z.number().int(),
    startedAt: z.string(),
    updatedAt: z.string(),
    beadStartCommit: CommitSha,
  }),
  outcome: z.enum(['accepted', 'rejected', 'timed_out']),
  marker: BeadStatusMarker.nullable(),
  devRecord: DevRecord.nullable(),
  evidence: z.array(Evidence),
  /** Null if nothing changes; absent in older records. */
  candidate: CommitSha.nullable().default(null),
  tree: CommitSha.nullable(),
  leftOut: z.array(z.string()).default([]),
  reason: z.string(),
});
export type BeadExecution = z.infer<typeof BeadExecution>;

/** `bead_commit:{bead}`: a done bead's commit, or a no-op. */
export const BeadCommit = z.object({
  schema_version: z.literal(1),
  beadId: BeadId,
  iteration: z.number().int(),
  commit: CommitSha.nullable(),
  noop: z.boolean(),
  leftOut: z.array(z.string()),
  /** Changed paths; absent in older records. */
  files: z.array(z.string()).optional(),
});
export type BeadCommit = z.infer<typeof BeadCommit>;

/**
 * `bead_failures:{bead}`, `setup_failures` and `final_test_failures`, oldest first. `note` is for the next
 * attempt; `ref` keeps leftovers, empty without any.
 */
export const Failures = z.object({
  schema_version: z.literal(1),
  failures: z.array(
    z.object({
      iteration: z.number().int(),
      interrupted: z.boolean(),
      failure: Failure.nullable(),
      note: z.string(),
      ref: z.string(),
    }),
  ),
});
export type Failures = z.infer<typeof Failures>;

/** A model's `<FINAL_TEST_COMMANDS>` (docs/decisions/033-final-test.md). */
export const FinalTestCommands = z.object({
  commands: z.array(z.string().min(1).max(4_000)).min(1),
  test_files: z.array(RelativePath).default([]),
  modified_files: z.array(RelativePath).default([]),
  summary: z.string().default(''),
});

/** `final_test_report`. */
export const FinalTestReport = z.object({
  schema_version: z.literal(1),
  attempts: z.array(
    z.object({
      number: z.number().int(),
      commands: z.array(z.string()),
      evidence: z.array(Evidence),
      passed: z.boolean(),
    }),
  ),
  passed: z.boolean(),
  commit: CommitSha.nullable(),
  /** The whole suite, which decides nothing. */
  regression: z.array(Evidence).default([]),
  summary: z.string(),
});
export type FinalTestReport = z.infer<typeof FinalTestReport>;

/** `integration_report`. */
export const IntegrationReport = z.object({
  schema_version: z.literal(1),
  strategy: z.enum(['keep', 'squash']),
  mergeBase: CommitSha,
  candidate: CommitSha,
  presquashRef: z.string(),
  commitCount: z.number().int(),
  files: z.array(z.string()),
});
export type IntegrationReport = z.infer<typeof IntegrationReport>;

/** `base_update`: the branch after its base moved (docs/decisions/076-update-from-base.md). */
export const BaseUpdateReport = z.object({
  schema_version: z.literal(1),
  how: z.enum(['none', 'rebase', 'merge']),
  baseBranch: z.string(),
  from: CommitSha,
  to: CommitSha,
  before: CommitSha,
  commit: CommitSha,
  conflicts: z.array(z.string()),
  resolvedBy: z.enum(['agent', 'person']).nullable(),
  evidence: z.array(Evidence),
  updatedAt: z.string(),
});
export type BaseUpdateReport = z.infer<typeof BaseUpdateReport>;

/** A model's pull request text (docs/decisions/043-pull-request-text.md). */
export const PullRequestDraft = z.object({
  title: z.string().min(1).max(200),
  summary: z.array(z.string()).default([]),
  why: z.array(z.string()).default([]),
  what_changed: z.array(z.string()).default([]),
  validation: z.array(z.string()).default([]),
  follow_ups: z.array(z.string()).default([]),
});
export type PullRequestDraft = z.infer<typeof PullRequestDraft>;

/** `pull_request_report`. `location`: a file path or a URL. */
export const PullRequestReport = z.object({
  schema_version: z.literal(1),
  forge: z.string(),
  title: z.string(),
  body: z.string(),
  bodySha256: Sha256,
  branch: z.string(),
  base: z.string(),
  candidate: CommitSha,
  location: z.string(),
});
export type PullRequestReport = z.infer<typeof PullRequestReport>;

/**
 * `forge_pull_request`: the pull request on a forge, kept over attempts. `repository`: the full name of the
 * one that has it, which a remote's new name doesn't change. `pushed`: the commits that may have been pushed,
 * filed before they are, so that they count as ours. `number` and `location`: once there is one. `request`:
 * the person's request that was carried out last. `labels` and `reviewers`: what was asked for last, and
 * `unset` what the forge doesn't have of it. `pushTo`: the full name of the repository that a person
 * confirmed for the branch.
 */
export const ForgePullRequestReport = z.object({
  schema_version: z.literal(1),
  forge: z.string(),
  repository: z.string(),
  repositoryId: z.number().int().positive().optional(),
  remote: z.string(),
  branch: z.string(),
  pushed: z.array(CommitSha),
  number: z.number().int().positive().nullable(),
  location: z.string().nullable(),
  base: z.string().optional(),
  request: z.string().nullable(),
  labels: z.array(z.string()).default([]),
  reviewers: z.array(z.string()).default([]),
  unset: z.array(z.object({ name: z.string(), reason: z.string() })).default([]),
  pushTo: z.string().nullable().default(null),
});
export type ForgePullRequestReport = z.infer<typeof ForgePullRequestReport>;

/**
 * `merge_report`: the end of the review. `before`: the base before Beadsmith's own merge. `forge`: the pull
 * request that was merged there, with the tip of its branch.
 */
export const MergeReport = z.object({
  schema_version: z.literal(1),
  disposition: z.enum(['merged', 'closed_unmerged']),
  mergeCommit: CommitSha.nullable(),
  before: CommitSha.optional(),
  forge: z
    .object({ repository: z.string(), number: z.number().int(), location: z.string(), head: CommitSha })
    .optional(),
  reason: z.string(),
});
export type MergeReport = z.infer<typeof MergeReport>;

/** `cleanup_report`. Warnings don't block. */
export const CleanupReport = z.object({
  schema_version: z.literal(1),
  status: z.enum(['clean', 'warning']),
  removed: z.array(z.string()),
  kept: z.array(z.string()),
  warnings: z.array(z.string()),
});
export type CleanupReport = z.infer<typeof CleanupReport>;
