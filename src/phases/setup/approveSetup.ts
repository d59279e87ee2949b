import { parse, stringify } from 'yaml';
import * as z from 'zod';
import { sha256 } from '../../base/sha256.ts';
import { SetupPlan, setupPlanProblem } from '../../domain/documents/setupPlan.ts';
import { inboxBodies, type InboxEntry } from '../../domain/inbox.ts';
import type { ApprovalReceipt, UserEditReceipt } from '../../domain/receipts.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { HandlerDefinition, RecordIo } from '../../engine/run/run.ts';
import { artifactChange, isoNow, newestArtifact, readNotes } from '../shared/artifacts.ts';
import { refuseEntry } from '../shared/receipts.ts';

type Decision = InboxEntry<'approve' | 'edit' | 'regenerate'>;
const Outcome = z.enum(['approve', 'regenerate', 'stay']);
type Outcome = z.infer<typeof Outcome>;

const shown = 'The setup plan';

/**
 * The gate of the setup plan: approval guarded by the hash of what the person saw (docs/decisions/013-approvals-by-hash.md), edits, and a new draft
 * with a note.
 */
export const approveSetup: HandlerDefinition<'approve' | 'regenerate'> = {
  version: 1,
  run: async (run, ticket) => {
    for (let turn = 1; ; turn += 1) {
      const entry = await run.wait(`decision:${turn}`, ['approve', 'edit', 'regenerate']);
      if (entry === 'expired') continue;
      const outcome = await run.step(`outcome:${turn}`, Outcome, (io) => decide(io, ticket, entry));
      if (outcome !== 'stay') return { exit: outcome };
    }
  },
};

function decide(io: RecordIo, ticket: TicketSnapshot, entry: Decision): Promise<Outcome> {
  switch (entry.kind) {
    case 'approve':
      return approve(io, ticket, entry);
    case 'edit':
      return edit(io, ticket, entry);
    case 'regenerate':
      return regenerate(io, ticket, entry);
  }
}

async function approve(io: RecordIo, ticket: TicketSnapshot, entry: Decision): Promise<Outcome> {
  const body = inboxBodies.approve.parse(entry.body);
  const current = await io.ports.store.artifact(ticket.id, 'execution_setup_plan');
  if (current?.info.sha256 !== body.sha256) return refuse(io, entry, 'STALE_APPROVAL', { artifact: shown });
  const plan = readPlan(ticket, current.content);
  if (!plan.ok) return refuse(io, entry, 'INVALID_ARTIFACT', { artifact: shown, reason: plan.reason });
  const approved = stringify({ ...plan.value, status: 'approved' });
  const receipt: ApprovalReceipt = {
    schema_version: 1,
    artifact: 'execution_setup_plan',
    content_sha256: body.sha256,
    stored_content_sha256: sha256(approved),
    approved_by: 'user',
    approved_at: isoNow(io),
    with_gaps: plan.value.readiness.gaps,
    reason: body.reason,
  };
  io.save(artifactChange(ticket, 'execution_setup_plan', approved));
  io.save(artifactChange(ticket, 'approval_receipt', receipt));
  return 'approve';
}

async function edit(io: RecordIo, ticket: TicketSnapshot, entry: Decision): Promise<Outcome> {
  const body = inboxBodies.edit.parse(entry.body);
  if (body.artifact !== 'execution_setup_plan') {
    return refuse(io, entry, 'INVALID_INPUT', { what: `An edit of ${body.artifact}`, reason: 'only the setup plan can be edited here' });
  }
  const current = await io.ports.store.artifact(ticket.id, 'execution_setup_plan');
  if ((current?.info.sha256 ?? null) !== body.baseSha256) return refuse(io, entry, 'EDIT_CONFLICT', { artifact: shown });
  const plan = readPlan(ticket, body.content);
  if (!plan.ok) return refuse(io, entry, 'INVALID_ARTIFACT', { artifact: shown, reason: plan.reason });
  const receipt: UserEditReceipt = {
    schema_version: 1,
    target_artifact: 'execution_setup_plan',
    action: 'save',
    edit_surface: body.surface,
    edited_by: 'user',
    edited_at: isoNow(io),
    ticket_status_before: ticket.status,
    ticket_status_after: ticket.status,
    before: current ? { sha256: current.info.sha256, bytes: current.info.bytes } : null,
    after: { sha256: sha256(body.content), bytes: new TextEncoder().encode(body.content).length },
    invalidated: [],
  };
  io.save(artifactChange(ticket, 'execution_setup_plan', body.content));
  io.save(artifactChange(ticket, 'user_edit_receipt:execution_setup_plan', receipt));
  return 'stay';
}

/** The note is filed now, because the next run is entered by an exit, which carries nothing. */
async function regenerate(io: RecordIo, ticket: TicketSnapshot, entry: Decision): Promise<Outcome> {
  const note = inboxBodies.regenerate.parse(entry.body).note.trim();
  const notes = readNotes((await newestArtifact(io, 'execution_setup_plan_notes'))?.content);
  if (note !== '') io.save(artifactChange(ticket, 'execution_setup_plan_notes', [...notes, note]));
  return 'regenerate';
}

function readPlan(
  ticket: TicketSnapshot,
  content: string,
): { readonly ok: true; readonly value: SetupPlan } | { readonly ok: false; readonly reason: string } {
  let document: unknown;
  try {
    document = parse(content);
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
  const plan = SetupPlan.safeParse(document);
  if (!plan.success) return { ok: false, reason: z.prettifyError(plan.error) };
  if (plan.data.ticket_id !== ticket.id) return { ok: false, reason: `ticket_id must be ${ticket.id}` };
  const problem = setupPlanProblem(plan.data);
  return problem === undefined ? { ok: true, value: plan.data } : { ok: false, reason: problem };
}

function refuse(
  io: RecordIo,
  entry: Decision,
  ...why: [code: Parameters<typeof refuseEntry>[2], args: Parameters<typeof refuseEntry>[3]]
): Outcome {
  refuseEntry(io, entry, ...why);
  return 'stay';
}
