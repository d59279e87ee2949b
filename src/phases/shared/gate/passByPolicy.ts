import { coverageOf } from '../../../domain/ticket/artifacts.ts';
import { councilKinds } from '../../../domain/documents/workDocuments.ts';
import { LossReport } from '../../../domain/loss/lossReport.ts';
import { CoverageReport } from '../../../domain/requirements/interview.ts';
import { passesGates } from '../../../domain/settings/settings.ts';
import type { InboxKind } from '../../../domain/ticket/inbox.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import { rowOf } from '../../../domain/workflow/workflow.ts';
import type { RecordIo } from '../../../engine/run/run.ts';
import { storedDocument } from '../ticket/artifacts.ts';
import { savePolicyReceipt, stampBy } from '../ticket/receipts.ts';
import type { Together, Waiting } from './waiting.ts';

/** True if the ticket's settings let a rule pass this gate: nobody went back to it. */
export function mayPass({ settings, attempt, previousStatus, entry }: TicketSnapshot): boolean {
  if (!settings || !passesGates(settings) || attempt > 1 || previousStatus === null) return false;
  return Object.hasOwn(rowOf(previousStatus).exits, entry.by);
}

/**
 * Passes the gate by its rule, with a receipt that says so (docs/decisions/190-gates-by-policy.md). False if
 * a person must decide: words of models are never a reason to pass, only a reason to wait.
 */
export async function passByPolicy(
  io: RecordIo,
  ticket: TicketSnapshot,
  { main, all }: Together,
  kinds: readonly InboxKind[],
): Promise<boolean> {
  const { kind, document, gate } = main;
  if (!gate.rule || all.length > 1 || (await wasTouched(io, main, kinds))) return false;
  const present = await gate.present(io);
  if (!present || (document.approval?.gaps?.(present.document) ?? []).length > 0) return false;
  if (!(await isClean(io, main))) return false;
  const rule = await gate.rule(io, present.document);
  if (rule === undefined) return false;
  const approved = document.approval?.approved(present.document, stampBy(io, 'policy')) ?? present.document;
  const stored = gate.save(io, approved, present).sha256;
  const hashes = { content_sha256: present.sha256, stored_content_sha256: stored };
  savePolicyReceipt(io, ticket, rule, { artifact: kind, ...hashes });
  return true;
}

/** A person edited it, or sent a decision that still waits. */
async function wasTouched(
  { ports: { store }, ticket }: RecordIo,
  { kind }: Waiting,
  kinds: readonly InboxKind[],
): Promise<boolean> {
  if (await store.artifact(ticket, `user_edit_receipt:${kind}`)) return true;
  return (await store.inbox(ticket, { pending: true })).some((entry) => kinds.includes(entry.kind));
}

/** A council's document was checked with nothing missing, and no model left anything out. */
async function isClean(io: RecordIo, { kind }: Waiting): Promise<boolean> {
  const domain = councilKinds.find((one) => one === kind);
  if (!domain) return true;
  const { store } = io.ports;
  if (!(await store.artifact(io.ticket, coverageOf(domain)))) return false;
  const { outcome, open_gaps } = (await storedDocument(io, coverageOf(domain), CoverageReport)).document;
  if (outcome !== 'clean' || open_gaps.length > 0) return false;
  if (!(await store.artifact(io.ticket, `${domain}_losses`))) return true;
  const { steps } = (await storedDocument(io, `${domain}_losses`, LossReport)).document;
  return steps.every(({ put_back, dropped }) => put_back.length + dropped.length === 0);
}
