import * as z from 'zod';
import { coverageOf } from '../../../domain/ticket/artifacts.ts';
import { CoverageReport } from '../../../domain/requirements/interview.ts';
import { approvalHash, councilKinds } from '../../../domain/documents/workDocuments.ts';
import { missingField } from '../../../domain/workflow/forms.ts';
import { editDocument } from '../../../domain/documents/base/text.ts';
import type { ErrorArgs, ErrorCode } from '../../../domain/core/errors.ts';
import { inboxBodies, type InboxEntry } from '../../../domain/ticket/inbox.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { HandlerDefinition, RecordIo } from '../../../engine/run/run.ts';
import { isoNow, storedDocument } from '../ticket/artifacts.ts';
import type { Resolution } from '../coverage/coverageLoop.ts';
import {
  refuseEntry,
  saveApprovalReceipt,
  saveEditReceipt,
  saveSkipReceipt,
  stampBy,
} from '../ticket/receipts.ts';
import type { GateDocuments, Present } from '../coverage/gateDocument.ts';
import { saveDecisions, saveEditDecision } from '../ticket/contextEntries.ts';
import { mayPass, passByPolicy } from './passByPolicy.ts';
import { type Together, type Waiting, waitingAt } from './waiting.ts';

type Decision = InboxEntry<'approve' | 'edit' | 'regenerate' | 'fix_gaps' | 'check_again'>;
const Outcome = z.discriminatedUnion('to', [
  z.object({ to: z.literal('approve') }),
  z.object({ to: z.literal('stay') }),
  z.object({ to: z.literal('regenerate'), note: z.string() }),
  z.object({ to: z.literal('fix'), gaps: z.array(z.string()) }),
  z.object({ to: z.literal('check') }),
]);
type Outcome = z.infer<typeof Outcome>;

interface Seen extends Waiting {
  readonly present: Present<unknown>;
  readonly gaps: readonly string[];
}

/**
 * Waits for decisions until one leads to another status (docs/decisions/013-approvals-by-hash.md). One that
 * can't be carried out is refused, and the gate stays open. Where nothing is to be decided, a rule passes it.
 */
export function approvalGate(
  gates: GateDocuments,
): HandlerDefinition<'approve' | 'passed_by_policy' | 'regenerate'> {
  return {
    version: 2,
    run: async (run, ticket) => {
      const waiting = waitingAt(gates, ticket);
      const { gate } = waiting.main;
      const kinds = [
        ...(['approve', 'edit', 'regenerate'] as const),
        ...(gate.fixGaps ? (['fix_gaps'] as const) : []),
        ...(gate.checkAgain ? (['check_again'] as const) : []),
      ];
      const pass = (io: RecordIo): Promise<boolean> => passByPolicy(io, ticket, waiting, kinds);
      if (mayPass(ticket) && (await run.record('policy', z.boolean(), pass)))
        return { exit: 'passed_by_policy' };
      const history: Resolution[] = [];
      for (let turn = 1; ; turn++) {
        const entry = await run.wait(`decision-${turn}`, kinds);
        if (entry === 'expired') continue;
        const outcome = await run.step(`outcome-${turn}`, Outcome, (io) =>
          decide(io, ticket, waiting, entry),
        );
        if (outcome.to === 'approve') return { exit: 'approve' };
        if (outcome.to === 'regenerate') return { exit: 'regenerate', body: { note: outcome.note } };
        if (outcome.to === 'fix' && gate.fixGaps) {
          history.push(
            ...(await gate.fixGaps(run, ticket, { key: `fix-${turn}`, gaps: outcome.gaps, history })),
          );
        }
        if (outcome.to === 'check') await gate.checkAgain?.(run, ticket, `check-${turn}`);
      }
    },
  };
}

function decide(
  io: RecordIo,
  ticket: TicketSnapshot,
  { main, all }: Together,
  entry: Decision,
): Promise<Outcome> {
  switch (entry.kind) {
    case 'approve':
      return approve(io, ticket, { main, all }, entry);
    case 'edit':
      return edit(io, ticket, all, entry);
    case 'fix_gaps':
      return fix(io, main, entry);
    case 'check_again':
      return Promise.resolve({ to: 'check' });
    case 'regenerate':
      return regenerate(io, ticket, main, entry);
  }
}

async function approve(
  io: RecordIo,
  ticket: TicketSnapshot,
  { main, all }: Together,
  entry: Decision,
): Promise<Outcome> {
  const { sha256, reason } = inboxBodies.approve.parse(entry.body);
  const found = await Promise.all(
    all.map(async (waiting) => ({ ...waiting, present: await waiting.gate.present(io) })),
  );
  if (approvalHash(found.map(({ present }) => present?.sha256 ?? '')) !== sha256) {
    return refuse(io, entry, 'STALE_APPROVAL', {
      artifact: all.length > 1 ? 'The plan' : main.document.subject,
    });
  }
  const seen: Seen[] = [];
  for (const { present, ...waiting } of found) {
    if (!present) return refuse(io, entry, 'STALE_APPROVAL', { artifact: waiting.document.subject });
    seen.push({ ...waiting, present, gaps: await openGaps(io, waiting, present.document) });
  }
  const hasGaps = seen.some(({ gaps }) => gaps.length > 0);
  const missing = missingField('approve', { reason }, hasGaps ? ['gapsOpen'] : []);
  if (missing) return refuse(io, entry, missing.code, missing.args);
  for (const { kind, document, gate, present, gaps } of seen) {
    const approved = document.approval?.approved(present.document, stampBy(io, 'user')) ?? present.document;
    const stored = gate.save(io, approved, present).sha256;
    saveApprovalReceipt(io, ticket, {
      artifact: kind,
      content_sha256: present.sha256,
      stored_content_sha256: stored,
      with_gaps: [...gaps],
      reason,
    });
    if (gaps.length > 0)
      saveSkipReceipt(io, ticket, { surface: 'approval_with_gaps', item_ids: [kind], reason });
  }
  return { to: 'approve' };
}

async function edit(
  io: RecordIo,
  ticket: TicketSnapshot,
  all: readonly Waiting[],
  entry: Decision,
): Promise<Outcome> {
  const body = inboxBodies.edit.parse(entry.body);
  const waiting = all.find(({ kind }) => kind === body.artifact);
  if (!waiting) {
    const what = `An edit of ${body.artifact}`;
    const kinds = all.map(({ kind }) => kind).join(' and ');
    return refuse(io, entry, 'INVALID_INPUT', {
      what,
      reason: `only ${kinds} ${all.length > 1 ? 'are' : 'is'} edited at this gate`,
    });
  }
  const { kind, document, gate } = waiting;
  const present = await gate.present(io);
  if (body.baseSha256 !== (present?.sha256 ?? null))
    return refuse(io, entry, 'EDIT_CONFLICT', { artifact: document.subject });
  const edited = editDocument(document, body, present?.document, { ticket: ticket.id, at: isoNow(io) });
  const problem = edited.ok ? await gate.problem?.(io, edited.value) : edited.error;
  if (!edited.ok || problem !== undefined)
    return refuse(io, entry, 'INVALID_ARTIFACT', { artifact: document.subject, reason: problem ?? '' });
  const after = gate.save(io, edited.value, present ?? ticket);
  const at = isoNow(io);
  await saveEditDecision(io, ticket, { kind, before: present?.document, after: edited.value, at });
  saveEditReceipt(io, ticket, {
    artifact: kind,
    action: 'save',
    surface: body.surface,
    statusBefore: ticket.status,
    before: present ? { sha256: present.sha256, bytes: present.bytes } : null,
    after,
    invalidated: (await gate.invalidate?.(io)) ?? [],
  });
  return { to: 'stay' };
}

async function fix(io: RecordIo, waiting: Waiting, entry: Decision): Promise<Outcome> {
  const present = await waiting.gate.present(io);
  const gaps = present ? await openGaps(io, waiting, present.document) : [];
  if (gaps.length === 0)
    return refuse(io, entry, 'INVALID_INPUT', { what: 'Fixing gaps', reason: 'no gap is open' });
  return { to: 'fix', gaps: [...gaps] };
}

async function regenerate(
  io: RecordIo,
  ticket: TicketSnapshot,
  { kind, gate }: Waiting,
  entry: Decision,
): Promise<Outcome> {
  const { note } = inboxBodies.regenerate.parse(entry.body);
  await gate.keepNote?.(io, ticket, note);
  const domain = councilKinds.find((one) => one === kind);
  if (domain && note.trim() !== '')
    await saveDecisions(io, ticket, domain, [{ source: 'note', at: isoNow(io), text: note, wrote: [] }]);
  return { to: 'regenerate', note };
}

async function openGaps(
  io: RecordIo,
  { kind, document }: Waiting,
  present: unknown,
): Promise<readonly string[]> {
  const { approval } = document;
  const own = approval?.gaps?.(present) ?? [];
  const domain = councilKinds.find((one) => one === kind);
  if (!domain || (await io.ports.store.artifact(io.ticket, coverageOf(domain))) === undefined) return own;
  return [...(await storedDocument(io, coverageOf(domain), CoverageReport)).document.open_gaps, ...own];
}

function refuse(io: RecordIo, entry: Decision, code: ErrorCode, args: ErrorArgs): Outcome {
  refuseEntry(io, entry, code, args);
  return { to: 'stay' };
}
