import * as z from 'zod';
import { Interview } from '../domain/documents/interview.ts';
import { Prd } from '../domain/documents/prd.ts';
import { BeadsmithError } from '../domain/errors.ts';
import { inboxBodies, type InboxBody } from '../domain/inbox.ts';
import type { TicketSnapshot } from '../domain/ticket.ts';
import type { Run, RecordIo } from '../engine/run/run.ts';
import { approvedInterview, readInterviewEdit, saveInterview } from './interview/interviewDocument.ts';
import { approvedPrd, readPrdEdit, storePrd } from './prd/prdDocument.ts';
import { isoNow, storedDocument } from './shared/artifacts.ts';
import { saveApprovalReceipt, saveEditReceipt, sized } from './shared/receipts.ts';

/**
 * If a run was entered by an edit of an approved document, stores that edit as approved before anything else is done
 * (docs/decisions/014-edits-rewind.md). What was built on the previous version is already archived. Throws EDIT_CONFLICT or INVALID_ARTIFACT: the
 * previous version is kept, and Retry continues from it.
 */
export async function applyRewindEdit(run: Run, ticket: TicketSnapshot, artifact: 'interview' | 'prd'): Promise<void> {
  if (ticket.entry.by !== 'edit') return;
  await run.record('apply-edit', z.null(), async (io) => {
    const body = inboxBodies.edit.parse(ticket.entry.body);
    if (body.artifact !== artifact) {
      throw new BeadsmithError('INVALID_INPUT', {
        what: `An edit of ${body.artifact}`,
        reason: `this status follows from the ${artifact}`,
      });
    }
    await (artifact === 'interview' ? applyInterview(io, ticket, body) : applyPrd(io, ticket, body));
    return null;
  });
}

async function applyInterview(io: RecordIo, ticket: TicketSnapshot, body: InboxBody<'edit'>): Promise<void> {
  const stored = await storedDocument(io, 'interview', Interview);
  checkBase(body, stored.sha256, 'The interview');
  const at = isoNow(io);
  const edited = readInterviewEdit(body, stored.document, at);
  if (!edited.ok) throw new BeadsmithError('INVALID_ARTIFACT', { artifact: 'The interview', reason: edited.error });
  record(io, ticket, body, stored.content, saveInterview(io, approvedInterview(edited.value, at), stored).sha256);
}

async function applyPrd(io: RecordIo, ticket: TicketSnapshot, body: InboxBody<'edit'>): Promise<void> {
  const stored = await storedDocument(io, 'prd', Prd);
  checkBase(body, stored.sha256, 'The PRD');
  const edited = readPrdEdit(body.content, stored.document);
  if (!edited.ok) throw new BeadsmithError('INVALID_ARTIFACT', { artifact: 'The PRD', reason: edited.error });
  record(io, ticket, body, stored.content, storePrd(io, approvedPrd(edited.value, isoNow(io)), stored).sha256);
}

function checkBase(body: InboxBody<'edit'>, present: string, artifact: string): void {
  if (body.baseSha256 !== present) throw new BeadsmithError('EDIT_CONFLICT', { artifact });
}

function record(io: RecordIo, ticket: TicketSnapshot, body: InboxBody<'edit'>, former: string, storedSha256: string): void {
  const artifact = body.artifact === 'prd' ? 'prd' : 'interview';
  const after = sized(body.content);
  saveEditReceipt(io, ticket, {
    artifact,
    action: 'save_and_rewind',
    surface: body.surface,
    statusBefore: ticket.previousStatus ?? ticket.status,
    before: sized(former),
    after: { sha256: storedSha256, bytes: after.bytes },
    invalidated: artifact === 'prd' ? ['beads'] : ['prd', 'beads'],
  });
  saveApprovalReceipt(io, ticket, {
    artifact,
    content_sha256: after.sha256,
    stored_content_sha256: storedSha256,
    with_gaps: [],
    reason: 'Edited and approved in one.',
  });
}
