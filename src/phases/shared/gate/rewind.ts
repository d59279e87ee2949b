import * as z from 'zod';
import { documentOf } from '../../../domain/documents/documents.ts';
import { type ApprovedKind, approvedKinds, councilKinds } from '../../../domain/documents/workDocuments.ts';
import { editDocument } from '../../../domain/documents/base/text.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { inboxBodies, type InboxBody } from '../../../domain/ticket/inbox.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { ActionChanges } from '../../../engine/drive/control.ts';
import type { Run, RecordIo } from '../../../engine/run/run.ts';
import { isoNow, type StoreIo } from '../ticket/artifacts.ts';
import { saveApprovalReceipt, saveEditReceipt, sized, stampBy } from '../ticket/receipts.ts';
import { artifactDocument, type GateDocument, type GateDocuments } from '../coverage/gateDocument.ts';
import { saveEditDecision } from '../ticket/contextEntries.ts';

/**
 * Stores the edit that entered this run, as approved (docs/decisions/014-edits-rewind.md). Throws
 * EDIT_CONFLICT or INVALID_ARTIFACT: the previous version is kept.
 */
export async function applyRewindEdit(
  run: Run,
  ticket: TicketSnapshot,
  stored?: GateDocument<unknown>,
): Promise<void> {
  if (ticket.entry.by !== 'edit') return;
  await run.record('apply-edit', z.null(), async (io) => {
    await apply(io, ticket, stored);
    return null;
  });
}

async function apply(io: RecordIo, ticket: TicketSnapshot, stored?: GateDocument<unknown>): Promise<void> {
  const body = inboxBodies.edit.parse(ticket.entry.body);
  const kind = approvedKinds.find((one) => documentOf(one).approval?.rewindsTo === ticket.status);
  if (!kind || body.artifact !== kind) {
    const reason = kind ? `this status follows from the ${kind}` : 'this status follows from no document';
    throw new BeadsmithError('INVALID_INPUT', { what: `An edit of ${body.artifact}`, reason });
  }
  const gate: GateDocument<unknown> = stored ?? artifactDocument(kind);
  const { document, present, edited, at } = await readEdit(io, { kind, gate, body });
  const written = gate.save(io, document.approval?.approved(edited, stampBy(io, 'user')) ?? edited, present);
  await saveEditDecision(io, ticket, { kind, before: present.document, after: edited, at });
  // A gate of rows hashes what it stores; of a text, the approval is about what the person wrote.
  const read = document.rows ? written : sized(body.content);
  saveEditReceipt(io, ticket, {
    artifact: kind,
    action: 'save_and_rewind',
    surface: body.surface,
    statusBefore: ticket.previousStatus ?? ticket.status,
    before: { sha256: present.sha256, bytes: present.bytes },
    after: { sha256: written.sha256, bytes: read.bytes },
    invalidated: [
      ...councilKinds.slice(councilKinds.findIndex((one) => one === kind) + 1),
      ...((await gate.invalidate?.(io)) ?? []),
    ],
  });
  // With the plan, so that a retry of the checks doesn't archive its approval.
  saveApprovalReceipt(io, document.rows ? present : ticket, {
    artifact: kind,
    content_sha256: read.sha256,
    stored_content_sha256: written.sha256,
    with_gaps: document.rows ? [...(document.approval?.gaps?.(edited) ?? [])] : [],
    reason: 'Edited and approved in one.',
  });
}

interface Edit {
  readonly kind: ApprovedKind;
  readonly gate: GateDocument<unknown>;
  readonly body: InboxBody<'edit'>;
}

/** Throws EDIT_CONFLICT or INVALID_ARTIFACT. */
async function readEdit(io: Parameters<typeof isoNow>[0] & StoreIo, { kind, gate, body }: Edit) {
  const document = documentOf(kind);
  const present = await gate.present(io);
  if (present?.sha256 !== body.baseSha256)
    throw new BeadsmithError('EDIT_CONFLICT', { artifact: document.subject });
  const at = isoNow(io);
  const edited = editDocument(document, body, present.document, { ticket: io.ticket, at });
  if (!edited.ok)
    throw new BeadsmithError('INVALID_ARTIFACT', { artifact: document.subject, reason: edited.error });
  return { document, present, edited: edited.value, at };
}

/** Checked before anything is archived: throws EDIT_CONFLICT or INVALID_ARTIFACT. */
export function rewindChanges(gates: GateDocuments): ActionChanges['rewind'] {
  return async (ports, ticket, body) => {
    const kind = approvedKinds.find((one) => one === body.artifact);
    if (kind) {
      const gate: GateDocument<unknown> = gates[kind];
      const io = { ports, ticket: ticket.id };
      const { document, edited } = await readEdit(io, { kind, gate, body });
      const unfit = document.rows ? await gate.problem?.(io, edited) : undefined;
      if (unfit !== undefined)
        throw new BeadsmithError('INVALID_ARTIFACT', { artifact: document.subject, reason: unfit });
      if (document.rows) return [];
    }
    return [{ type: 'beads', beads: [] }];
  };
}
