import { sha256 } from '../../../base/sha256.ts';
import type { ApprovedKind } from '../../../domain/documents/workDocuments.ts';
import { BeadsmithError, errorRecord, type ErrorArgs, type ErrorCode } from '../../../domain/core/errors.ts';
import type { InboxEntry, ChangeItem } from '../../../domain/ticket/inbox.ts';
import {
  ApprovalReceipt,
  type BeadReview,
  type GateRule,
  gateRuleTexts,
  type SkipReceipt,
  type UserEditReceipt,
} from '../../../domain/workflow/receipts.ts';
import type { ApprovalStamp } from '../../../domain/documents/base/document.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Status } from '../../../domain/workflow/workflow.ts';
import type { RecordIo } from '../../../engine/run/run.ts';
import { artifactChange, inCoding, isoNow, type Place, readJson, type StoreIo } from './artifacts.ts';

/** `bytes`: of UTF-8. */
export interface Sized {
  readonly sha256: string;
  readonly bytes: number;
}

export function sized(content: string): Sized {
  return { sha256: sha256(content), bytes: new TextEncoder().encode(content).length };
}

export function saveApprovalReceipt(
  io: RecordIo,
  place: Place,
  receipt: Pick<
    ApprovalReceipt,
    'artifact' | 'content_sha256' | 'stored_content_sha256' | 'with_gaps' | 'reason'
  >,
): void {
  const whole: ApprovalReceipt = { schema_version: 1, ...stampBy(io, 'user'), ...receipt };
  io.save(artifactChange(place, 'approval_receipt', whole));
}

/** Nobody decided: a rule passed exactly these bytes. */
export function savePolicyReceipt(
  io: RecordIo,
  place: Place,
  rule: GateRule,
  receipt: Pick<ApprovalReceipt, 'artifact' | 'content_sha256' | 'stored_content_sha256'>,
): void {
  const whole: ApprovalReceipt = {
    schema_version: 1,
    ...stampBy(io, 'policy'),
    rule,
    ...receipt,
    with_gaps: [],
    reason: gateRuleTexts[rule],
  };
  io.save(artifactChange(place, 'approval_receipt', whole));
}

export function stampBy(io: RecordIo, by: ApprovalReceipt['approved_by']): ApprovalStamp {
  return { approved_by: by, approved_at: isoNow(io) };
}

/** The newest receipt for a document; receipts of other documents may be newer. */
export async function approvalOf(io: StoreIo, kind: ApprovedKind): Promise<ApprovalReceipt | undefined> {
  const infos = await io.ports.store.artifacts(io.ticket, { type: 'approval_receipt', archived: false });
  for (const { id } of infos.toSorted((a, b) => b.version - a.version)) {
    const receipt = readJson(ApprovalReceipt, await io.ports.store.artifactContent(id));
    if (receipt?.artifact === kind) return receipt;
  }
  return undefined;
}

export function saveEditReceipt(
  io: RecordIo,
  ticket: TicketSnapshot,
  edit: {
    readonly artifact: ApprovedKind;
    readonly action: UserEditReceipt['action'];
    readonly surface: UserEditReceipt['edit_surface'];
    readonly statusBefore: Status;
    readonly before: Sized | null;
    readonly after: Sized;
    readonly invalidated: readonly string[];
  },
): void {
  const receipt: UserEditReceipt = {
    schema_version: 1,
    target_artifact: edit.artifact,
    action: edit.action,
    edit_surface: edit.surface,
    edited_by: 'user',
    edited_at: isoNow(io),
    ticket_status_before: edit.statusBefore,
    ticket_status_after: ticket.status,
    before: edit.before,
    after: edit.after,
    invalidated: [...edit.invalidated],
  };
  io.save(artifactChange(ticket, `user_edit_receipt:${edit.artifact}`, receipt));
}

export function saveSkipReceipt(
  io: RecordIo,
  ticket: TicketSnapshot,
  skip: Pick<SkipReceipt, 'surface' | 'item_ids' | 'reason'>,
): void {
  const receipt: SkipReceipt = { schema_version: 1, skipped_by: 'user', skipped_at: isoNow(io), ...skip };
  io.save(artifactChange(ticket, `skip_receipt:${skip.surface}`, receipt));
}

export function refuseEntry(
  io: RecordIo,
  entry: InboxEntry,
  code: ErrorCode,
  args: ErrorArgs,
  diagnostics: BeadsmithError['diagnostics'] = {},
): void {
  const error = new BeadsmithError(code, args, { diagnostics });
  io.save({
    type: 'inbox',
    id: entry.id,
    state: 'refused',
    outcome: { code, message: `${error.message} ${error.nextStep}`, error: errorRecord(error) },
  });
}

export function saveRejections(io: RecordIo, items: readonly ChangeItem[]): void {
  for (const { bead, rejects, text } of items) {
    if (bead === undefined || rejects === undefined) continue;
    const receipt: BeadReview = {
      schema_version: 1,
      bead_id: bead,
      verdict: 'rejected',
      diff_sha256: rejects,
      reason: text,
      reviewed_by: 'user',
      reviewed_at: isoNow(io),
    };
    io.save(artifactChange(inCoding, `bead_review:${bead}`, receipt));
  }
}
