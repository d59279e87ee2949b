import * as z from 'zod';
import { CoverageReport } from '../../../domain/documents/interview.ts';
import { type ErrorArgs, type ErrorCode } from '../../../domain/errors.ts';
import type { InboxBody } from '../../../domain/inbox.ts';
import { inboxBodies, type InboxEntry } from '../../../domain/inbox.ts';
import type { TicketSnapshot } from '../../../domain/ticket.ts';
import type { RecordIo, HandlerDefinition, Run } from '../../../engine/run/run.ts';
import { isoNow, storedDocument } from '../artifacts.ts';
import type { Resolution } from '../coverage/coverageLoop.ts';
import type { Sized } from '../receipts.ts';
import { refuseEntry, saveApprovalReceipt, saveEditReceipt, saveSkipReceipt } from '../receipts.ts';

/** What a gate guards: how its document is hashed, stamped and edited. Everything happens inside a step. */
export interface GateDocument {
  readonly artifact: 'interview' | 'prd' | 'beads';
  /** Its name at the start of a sentence. */
  readonly shown: string;
  /** The hash a decision must carry, and the size. */
  readonly present: (io: RecordIo) => Promise<Sized>;
  /** Marks the document as approved, stores it. Answers the hash it has now. */
  readonly approve: (io: RecordIo, at: string) => Promise<string>;
  /** Checks an edited document and stores it as a draft. Nothing is stored when it is refused. */
  readonly edit: (io: RecordIo, edit: InboxBody<'edit'>) => Promise<EditOutcome>;
}

type EditOutcome =
  { readonly ok: true; readonly after: Sized; readonly invalidated: readonly string[] } | { readonly ok: false; readonly reason: string };

type Decision = InboxEntry<'approve' | 'edit' | 'regenerate' | 'fix_gaps'>;
const Outcome = z.discriminatedUnion('to', [
  z.object({ to: z.literal('approve') }),
  z.object({ to: z.literal('stay') }),
  z.object({ to: z.literal('regenerate'), note: z.string() }),
  z.object({ to: z.literal('fix'), gaps: z.array(z.string()) }),
]);
type Outcome = z.infer<typeof Outcome>;

/** One targeted revision and one fresh audit for the open gaps; stores both. Answers what was done about each gap. */
type FixGaps = (
  run: Run,
  ticket: TicketSnapshot,
  round: { readonly key: string; readonly gaps: readonly string[]; readonly history: readonly Resolution[] },
) => Promise<readonly Resolution[]>;

/**
 * The gate of a planning document: it waits for decisions until one leads to another status (docs/decisions/013-approvals-by-hash.md). A decision
 * that comes too late or can't be carried out is refused with a reason, and the gate stays open. Approving with open gaps is allowed and recorded.
 */
export function approvalGate(document: GateDocument, fixGaps?: FixGaps): HandlerDefinition<'approve' | 'regenerate'> {
  const kinds = ['approve', 'edit', 'regenerate', ...(fixGaps ? (['fix_gaps'] as const) : [])] as const;
  return {
    version: 1,
    run: async (run, ticket) => {
      const history: Resolution[] = [];
      for (let turn = 1; ; turn++) {
        const entry = await run.wait(`decision-${turn}`, kinds);
        if (entry === 'expired') continue;
        const outcome = await run.step(`outcome-${turn}`, Outcome, (io) => decide(io, ticket, document, entry));
        if (outcome.to === 'approve') return { exit: 'approve' };
        if (outcome.to === 'regenerate') return { exit: 'regenerate', body: { note: outcome.note } };
        if (outcome.to === 'fix' && fixGaps) {
          history.push(...(await fixGaps(run, ticket, { key: `fix-${turn}`, gaps: outcome.gaps, history })));
        }
      }
    },
  };
}

function decide(io: RecordIo, ticket: TicketSnapshot, document: GateDocument, entry: Decision): Promise<Outcome> {
  switch (entry.kind) {
    case 'approve':
      return approve(io, ticket, document, entry);
    case 'edit':
      return edit(io, ticket, document, entry);
    case 'fix_gaps':
      return fix(io, document, entry);
    case 'regenerate':
      return Promise.resolve({ to: 'regenerate', note: inboxBodies.regenerate.parse(entry.body).note });
  }
}

async function approve(io: RecordIo, ticket: TicketSnapshot, document: GateDocument, entry: Decision): Promise<Outcome> {
  const body = inboxBodies.approve.parse(entry.body);
  const present = await document.present(io);
  if (present.sha256 !== body.sha256) return refuse(io, entry, 'STALE_APPROVAL', { artifact: document.shown });
  const gaps = await openGaps(io, document.artifact);
  const stored = await document.approve(io, isoNow(io));
  saveApprovalReceipt(io, ticket, {
    artifact: document.artifact,
    content_sha256: body.sha256,
    stored_content_sha256: stored,
    with_gaps: [...gaps],
    reason: body.reason,
  });
  if (gaps.length > 0) saveSkipReceipt(io, ticket, { surface: 'approval_with_gaps', item_ids: [document.artifact], reason: body.reason });
  return { to: 'approve' };
}

async function edit(io: RecordIo, ticket: TicketSnapshot, document: GateDocument, entry: Decision): Promise<Outcome> {
  const body = inboxBodies.edit.parse(entry.body);
  if (body.artifact !== document.artifact) {
    return refuse(io, entry, 'INVALID_INPUT', {
      what: `An edit of ${body.artifact}`,
      reason: `only ${document.artifact} is edited at this gate`,
    });
  }
  const before = await document.present(io);
  if (body.baseSha256 !== before.sha256) return refuse(io, entry, 'EDIT_CONFLICT', { artifact: document.shown });
  const edited = await document.edit(io, body);
  if (!edited.ok) return refuse(io, entry, 'INVALID_ARTIFACT', { artifact: document.shown, reason: edited.reason });
  saveEditReceipt(io, ticket, {
    artifact: document.artifact,
    action: 'save',
    surface: body.surface,
    statusBefore: ticket.status,
    before,
    after: edited.after,
    invalidated: edited.invalidated,
  });
  return { to: 'stay' };
}

async function fix(io: RecordIo, document: GateDocument, entry: Decision): Promise<Outcome> {
  const gaps = await openGaps(io, document.artifact);
  if (gaps.length === 0) return refuse(io, entry, 'INVALID_INPUT', { what: 'Fixing gaps', reason: 'no gap is open' });
  return { to: 'fix', gaps: [...gaps] };
}

/** The gaps the newest audit left open; none when there was no audit. */
async function openGaps(io: RecordIo, artifact: GateDocument['artifact']): Promise<readonly string[]> {
  if ((await io.ports.store.artifact(io.ticket, `${artifact}_coverage`)) === undefined) return [];
  return (await storedDocument(io, `${artifact}_coverage`, CoverageReport)).document.open_gaps;
}

function refuse(io: RecordIo, entry: Decision, code: ErrorCode, args: ErrorArgs): Outcome {
  refuseEntry(io, entry, code, args);
  return { to: 'stay' };
}
