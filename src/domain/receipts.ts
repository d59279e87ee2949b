import { z } from 'zod';
import { Sha256 } from './ids.ts';

/** `approval_receipt`: proof that a person approved exactly these bytes (seed 001 section 3, LoopTroop 2.9). */
export const ApprovalReceipt = z.object({
  schema_version: z.literal(1),
  artifact: z.string(),
  content_sha256: Sha256,
  /** The hash after the approval stamp was written into the document; the same where there is none. */
  stored_content_sha256: Sha256,
  approved_by: z.literal('user'),
  approved_at: z.string(),
  with_gaps: z.array(z.string()),
  reason: z.string(),
});
export type ApprovalReceipt = z.infer<typeof ApprovalReceipt>;

/** `user_edit_receipt:{artifact}`. */
export const UserEditReceipt = z.object({
  schema_version: z.literal(1),
  target_artifact: z.string(),
  action: z.enum(['save', 'save_and_restart', 'save_and_rewind', 'regenerate', 'fix_gaps']),
  edit_surface: z.enum(['raw', 'structured', 'answers', 'jsonl', 'unknown']),
  edited_by: z.literal('user'),
  edited_at: z.string(),
  ticket_status_before: z.string(),
  ticket_status_after: z.string(),
  before: z.object({ sha256: Sha256, bytes: z.number().int() }).nullable(),
  after: z.object({ sha256: Sha256, bytes: z.number().int() }),
  /** What was thrown away because it was built on the former content. */
  invalidated: z.array(z.string()),
});
export type UserEditReceipt = z.infer<typeof UserEditReceipt>;

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
