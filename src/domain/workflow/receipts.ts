import * as z from 'zod';
import { BeadId, CommentThreadId, CommitSha, Sha256 } from '../core/ids.ts';
import { TicketLimits } from '../settings/limits.ts';
import { TicketModels } from '../settings/models.ts';
import { PassGates } from '../settings/rows/planning.ts';

/**
 * Rules that pass a gate that leaves nothing to decide, with what a receipt says
 * (docs/decisions/190-gates-by-policy.md).
 */
export const gateRuleTexts = {
  interview_skipped: 'Passed by policy: every question was skipped.',
  one_bead: 'Passed by policy: one small bead of an approved PRD, proved by approved commands.',
  setup_ready: 'Passed by policy: nothing to set up, and nothing that wasn’t approved before.',
  loop: 'Passed by policy: the prompt, tests and setup are those that the loop was started with.',
} as const;
/** A rule's name. */
export type GateRule = keyof typeof gateRuleTexts;

/**
 * `approval_receipt`: a person approved exactly these bytes (docs/decisions/013-approvals-by-hash.md), or a
 * rule passed them.
 */
export const ApprovalReceipt = z.object({
  schema_version: z.literal(1),
  artifact: z.string(),
  content_sha256: Sha256,
  /** With the approval stamp, if the document has one. */
  stored_content_sha256: Sha256,
  approved_by: z.enum(['user', 'policy']),
  /** Of `policy`. */
  rule: z.enum(Object.keys(gateRuleTexts) as [GateRule, ...GateRule[]]).optional(),
  approved_at: z.string(),
  with_gaps: z.array(z.string()),
  reason: z.string(),
});
export type ApprovalReceipt = z.infer<typeof ApprovalReceipt>;

/** Ways of editing. */
export const EditSurface = z.enum(['raw', 'structured', 'answers', 'jsonl', 'unknown']);
export type EditSurface = z.infer<typeof EditSurface>;

/** `user_edit_receipt:{artifact}`. */
export const UserEditReceipt = z.object({
  schema_version: z.literal(1),
  target_artifact: z.string(),
  action: z.enum(['save', 'save_and_restart', 'save_and_rewind', 'regenerate', 'fix_gaps']),
  edit_surface: EditSurface,
  edited_by: z.literal('user'),
  edited_at: z.string(),
  ticket_status_before: z.string(),
  ticket_status_after: z.string(),
  before: z.object({ sha256: Sha256, bytes: z.number().int() }).nullable(),
  after: z.object({ sha256: Sha256, bytes: z.number().int() }),
  /** Archived, as it was built on the previous content. */
  invalidated: z.array(z.string()),
});
export type UserEditReceipt = z.infer<typeof UserEditReceipt>;

/**
 * `prompt_secrets_receipt`: decisions about secrets in a ticket's prompts. A secret is known by a hash with
 * the ticket's salt.
 */
export const PromptSecretsReceipt = z.object({
  schema_version: z.literal(1),
  salt: z.string(),
  decisions: z.array(
    z.object({
      fingerprint: Sha256,
      rule: z.string(),
      place: z.string(),
      decision: z.enum(['left_out', 'allowed']),
      decided_by: z.literal('user'),
      decided_at: z.string(),
    }),
  ),
});
export type PromptSecretsReceipt = z.infer<typeof PromptSecretsReceipt>;

/** `prompt_preview_receipt`: parts that a person left out of previewed prompts, by step. */
export const PromptPreviewReceipt = z.object({
  schema_version: z.literal(1),
  decisions: z.array(
    z.object({
      step: z.string(),
      prompt: z.string(),
      left_out: z.array(z.string()),
      asked_for: z.string().optional(),
      decided_by: z.literal('user'),
      decided_at: z.string(),
    }),
  ),
});
export type PromptPreviewReceipt = z.infer<typeof PromptPreviewReceipt>;

/** `bead_review:{bead}`: a verdict on a bead's diff. The newest counts. */
export const BeadReview = z.object({
  schema_version: z.literal(1),
  bead_id: BeadId,
  verdict: z.enum(['accepted', 'rejected']),
  diff_sha256: Sha256,
  reason: z.string(),
  reviewed_by: z.literal('user'),
  reviewed_at: z.string(),
});
export type BeadReview = z.infer<typeof BeadReview>;

/** `limits_receipt`: limits changed after the start. Times in milliseconds. */
export const LimitsReceipt = z.object({
  schema_version: z.literal(1),
  before: TicketLimits,
  after: TicketLimits,
  reason: z.string(),
  changed_by: z.literal('user'),
  changed_at: z.string(),
});
export type LimitsReceipt = z.infer<typeof LimitsReceipt>;

/** `models_receipt`: models changed after the start. `replaced`: all that it had once, and no longer. */
export const ModelsReceipt = z.object({
  schema_version: z.literal(1),
  before: TicketModels,
  after: TicketModels,
  replaced: z.array(z.string()),
  changed_by: z.literal('user'),
  changed_at: z.string(),
});
export type ModelsReceipt = z.infer<typeof ModelsReceipt>;

/** `pass_gates_receipt`: a person changed after the start which gates wait for them. */
export const PassGatesReceipt = z.object({
  schema_version: z.literal(1),
  before: PassGates,
  after: PassGates,
  changed_by: z.literal('user'),
  changed_at: z.string(),
});
export type PassGatesReceipt = z.infer<typeof PassGatesReceipt>;

/** A comment thread that gets a reply once the change is pushed. `resolve`: it is resolved then. */
export const AnsweredThread = z.object({ thread: CommentThreadId, resolve: z.boolean() });

/** `suggested_edit:{entry}`: a person's edit, and its commit. */
export const SuggestedEdit = z.object({
  schema_version: z.literal(1),
  commit: CommitSha,
  file: z.string(),
  bead_id: BeadId.nullable(),
  before_sha256: Sha256,
  after_sha256: Sha256,
  reason: z.string(),
  suggested_by: z.literal('user'),
  answers: AnsweredThread.optional(),
  committed_at: z.string(),
});
export type SuggestedEdit = z.infer<typeof SuggestedEdit>;

/** `skip_receipt:{surface}`. */
export const SkipReceipt = z.object({
  schema_version: z.literal(1),
  surface: z.enum([
    'interview_question',
    'interview_all',
    'approval_with_gaps',
    'manual_qa',
    'manual_qa_item',
    'close_unmerged',
    'cancel_ticket',
  ]),
  item_ids: z.array(z.string()),
  skipped_by: z.literal('user'),
  skipped_at: z.string(),
  reason: z.string().max(20_000),
});
export type SkipReceipt = z.infer<typeof SkipReceipt>;
