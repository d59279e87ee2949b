import * as z from 'zod';
import { approvedKinds, councilKinds, documentOf } from '../../../domain/documents/documents.ts';
import { editDocument } from '../../../domain/documents/base/text.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { inboxBodies } from '../../../domain/ticket/inbox.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { ActionChanges } from '../../../engine/drive/control.ts';
import type { Run, RecordIo } from '../../../engine/run/run.ts';
import { isoNow } from '../ticket/artifacts.ts';
import { saveApprovalReceipt, saveEditReceipt, sized } from '../ticket/receipts.ts';
import { artifactDocument, type GateDocument, type GateDocuments } from '../coverage/gateDocument.ts';
import { saveEditDecision } from '../ticket/contextEntries.ts';

/**
 * Stores the edit of the approved document that entered this run as approved, before anything else
 * (docs/decisions/014-edits-rewind.md). Throws EDIT_CONFLICT or INVALID_ARTIFACT: the previous version is
 * kept, and Retry continues from it.
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
  const document = documentOf(kind);
  const gate: GateDocument<unknown> = stored ?? artifactDocument(kind);
  const present = await gate.present(io);
  if (present?.sha256 !== body.baseSha256)
    throw new BeadsmithError('EDIT_CONFLICT', { artifact: document.subject });
  const at = isoNow(io);
  const edited = editDocument(document, body, present.document, { ticket: ticket.id, at });
  if (!edited.ok)
    throw new BeadsmithError('INVALID_ARTIFACT', { artifact: document.subject, reason: edited.error });
  const written = gate.save(io, document.approval?.approved(edited.value, at) ?? edited.value, present);
  await saveEditDecision(io, ticket, { kind, before: present.document, after: edited.value, at });
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
    with_gaps: document.rows ? [...(document.approval?.gaps?.(edited.value) ?? [])] : [],
    reason: 'Edited and approved in one.',
  });
}

/**
 * The changes of an edit of an approved document besides rewinding: the plan is made again, unless it is what
 * was edited (docs/decisions/014-edits-rewind.md). Checked before anything is archived: throws EDIT_CONFLICT
 * if it was made from another version, INVALID_ARTIFACT if it can't be used.
 */
export function rewindChanges(gates: GateDocuments): ActionChanges['rewind'] {
  return async (ports, ticket, body) => {
    const kind = approvedKinds.find((one) => one === body.artifact);
    if (kind) {
      const document = documentOf(kind);
      const gate: GateDocument<unknown> = gates[kind];
      const io = { ports, ticket: ticket.id };
      const present = await gate.present(io);
      if (present?.sha256 !== body.baseSha256)
        throw new BeadsmithError('EDIT_CONFLICT', { artifact: document.subject });
      const at = new Date(ports.clock.now()).toISOString();
      const edited = editDocument(document, body, present.document, { ticket: ticket.id, at });
      const unfit = edited.ok && document.rows ? await gate.problem?.(io, edited.value) : undefined;
      const problem = edited.ok ? unfit : edited.error;
      if (problem !== undefined)
        throw new BeadsmithError('INVALID_ARTIFACT', { artifact: document.subject, reason: problem });
      if (document.rows) return [];
    }
    return [{ type: 'beads', beads: [] }];
  };
}
