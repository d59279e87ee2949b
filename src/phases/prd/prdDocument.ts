import type { Settled } from '../../base/result.ts';
import { Prd } from '../../domain/documents/prd.ts';
import type { RecordIo } from '../../engine/run/run.ts';
import { type Stored, storedDocument, yamlText, readEdit } from '../shared/artifacts.ts';
import type { GateDocument } from '../shared/gate/approvalGate.ts';
import { type Sized, sized } from '../shared/receipts.ts';
import { normalPrd } from './normalPrd.ts';

/** The PRD at its gate. */
export const prdDocument: GateDocument = {
  artifact: 'prd',
  shown: 'The PRD',
  present: async (io) => sized((await storedDocument(io, 'prd', Prd)).content),
  approve: async (io, at) => {
    const stored = await storedDocument(io, 'prd', Prd);
    return storePrd(io, approvedPrd(stored.document, at), stored).sha256;
  },
  edit: async (io, edit) => {
    const stored = await storedDocument(io, 'prd', Prd);
    const edited = readPrdEdit(edit.content, stored.document);
    if (!edited.ok) return { ok: false, reason: edited.error };
    return { ok: true, after: storePrd(io, edited.value, stored), invalidated: [] };
  },
};

/** The PRD, marked as approved. */
export function approvedPrd(prd: Prd, at: string): Prd {
  return { ...prd, status: 'approved', approval: { approved_by: 'user', approved_at: at } };
}

/** Reads an edited PRD. The result is a draft, with generated ids where the edit left them out, and with its source unchanged. */
export function readPrdEdit(content: string, present: Prd): Settled<Prd, string> {
  const read = readEdit(Prd, content);
  if (!read.ok) return read;
  if (read.value.ticket_id !== present.ticket_id) return { ok: false, error: `ticket_id: it has to be ${present.ticket_id}.` };
  return {
    ok: true,
    value: normalPrd(read.value, { ticketId: present.ticket_id, interviewSha256: present.source_interview.content_sha256 }),
  };
}

/** Stages a version of the PRD, filed where the version it replaces is. */
export function storePrd(io: RecordIo, prd: Prd, place: Pick<Stored<Prd>, 'status' | 'attempt'>): Sized {
  const content = yamlText(prd);
  io.save({ type: 'artifact', artifact: 'prd', content, status: place.status, attempt: place.attempt });
  return sized(content);
}
