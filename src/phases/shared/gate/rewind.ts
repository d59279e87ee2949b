import * as z from 'zod';
import { approvedKinds, councilKinds, documentOf } from '../../../domain/documents/documents.ts';
import { editDocument } from '../../../domain/documents/text.ts';
import { BeadsmithError } from '../../../domain/errors.ts';
import { inboxBodies } from '../../../domain/inbox.ts';
import type { TicketSnapshot } from '../../../domain/ticket.ts';
import type { ActionChanges } from '../../../engine/drive/control.ts';
import type { Run, RecordIo } from '../../../engine/run/run.ts';
import { isoNow } from '../artifacts.ts';
import { saveEditDecision } from '../decisions.ts';
import { saveApprovalReceipt, saveEditReceipt, sized } from '../receipts.ts';
import { artifactDocument, type GateDocument, type GateDocuments } from './gateDocument.ts';

/**
 * If a run was entered by an edit of the approved document that leads here, stores that edit as approved before anything else is done
 * (docs/decisions/014-edits-rewind.md). What was built on the previous version is already archived. Throws EDIT_CONFLICT or INVALID_ARTIFACT: the
 * previous version is kept, and Retry continues from it.
 */
export async function applyRewindEdit(run: Run, ticket: TicketSnapshot): Promise<void> {
  if (ticket.entry.by !== 'edit') return;
  await run.record('apply-edit', z.null(), async (io) => {
    await apply(io, ticket);
    return null;
  });
}

async function apply(io: RecordIo, ticket: TicketSnapshot): Promise<void> {
  const body = inboxBodies.edit.parse(ticket.entry.body);
  const kind = approvedKinds.find((one) => documentOf(one).approval?.rewindsTo === ticket.status);
  if (!kind || body.artifact !== kind) {
    const reason = kind ? `this status follows from the ${kind}` : 'this status follows from no document';
    throw new BeadsmithError('INVALID_INPUT', { what: `An edit of ${body.artifact}`, reason });
  }
  const document = documentOf(kind);
  const gate: GateDocument<unknown> = artifactDocument(kind);
  const present = await gate.present(io);
  if (present?.sha256 !== body.baseSha256) throw new BeadsmithError('EDIT_CONFLICT', { artifact: document.subject });
  const at = isoNow(io);
  const edited = editDocument(document, body, present.document, { ticket: ticket.id, at });
  if (!edited.ok) throw new BeadsmithError('INVALID_ARTIFACT', { artifact: document.subject, reason: edited.error });
  const stored = gate.save(io, document.approval?.approved(edited.value, at) ?? edited.value, present);
  await saveEditDecision(io, ticket, { kind, before: present.document, after: edited.value, at });
  const written = sized(body.content);
  saveEditReceipt(io, ticket, {
    artifact: kind,
    action: 'save_and_rewind',
    surface: body.surface,
    statusBefore: ticket.previousStatus ?? ticket.status,
    before: { sha256: present.sha256, bytes: present.bytes },
    after: { sha256: stored.sha256, bytes: written.bytes },
    invalidated: councilKinds.slice(councilKinds.findIndex((one) => one === kind) + 1),
  });
  saveApprovalReceipt(io, ticket, {
    artifact: kind,
    content_sha256: written.sha256,
    stored_content_sha256: stored.sha256,
    with_gaps: [],
    reason: 'Edited and approved in one.',
  });
}

/**
 * What an edit of an approved document changes besides rewinding the ticket: the plan is made again (docs/decisions/014-edits-rewind.md). Checked
 * before anything that was built on the previous version is archived: throws EDIT_CONFLICT when the edit was made from another version,
 * INVALID_ARTIFACT when it can't be used.
 */
export function rewindChanges(gates: GateDocuments): ActionChanges['rewind'] {
  return async (ports, ticket, body) => {
    const kind = approvedKinds.find((one) => one === body.artifact);
    if (kind) {
      const document = documentOf(kind);
      const gate: GateDocument<unknown> = gates[kind];
      const present = await gate.present({ ports, ticket: ticket.id });
      if (present?.sha256 !== body.baseSha256) throw new BeadsmithError('EDIT_CONFLICT', { artifact: document.subject });
      const at = new Date(ports.clock.now()).toISOString();
      const edited = editDocument(document, body, present.document, { ticket: ticket.id, at });
      if (!edited.ok) throw new BeadsmithError('INVALID_ARTIFACT', { artifact: document.subject, reason: edited.error });
    }
    return [{ type: 'beads', beads: [] }];
  };
}
