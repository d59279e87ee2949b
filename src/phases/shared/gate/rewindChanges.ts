import { approvedKinds, documentOf } from '../../../domain/documents/documents.ts';
import { editDocument } from '../../../domain/documents/editDocument.ts';
import { BeadsmithError } from '../../../domain/errors.ts';
import type { ActionChanges } from '../../../engine/drive/control.ts';
import type { GateDocument, GateDocuments } from './gateDocument.ts';

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
