import type { Bead } from '../../domain/beads/bead.ts';
import { beadLines, planHash } from '../../domain/beads/beadPlan.ts';
import { BeadsmithError } from '../../domain/errors.ts';
import type { Status } from '../../domain/workflow/workflow.ts';
import type { RecordIo } from '../../engine/run/run.ts';
import type { GateDocument } from '../shared/gate/approvalGate.ts';
import { sized } from '../shared/receipts.ts';
import { readPlan } from './readPlan.ts';

/** Stages a plan in place of the current one: rows and the artifact `beads` (one bead per line). Returns the artifact's text. */
export function saveBeads(io: RecordIo, beads: readonly Bead[], place: { readonly status: Status; readonly attempt: number }): string {
  const content = beadLines(beads);
  io.save({ type: 'beads', beads });
  io.save({ type: 'artifact', artifact: 'beads', content, ...place });
  return content;
}

/** What is built on the plan and must be made again when it changes. */
const setupStatuses: readonly Status[] = ['GENERATING_EXECUTION_SETUP_PLAN', 'WAITING_EXECUTION_SETUP_APPROVAL', 'PREPARING_EXECUTION_ENV'];

/** The bead plan at its gate. Its hash covers the planning fields only (docs/decisions/013-approvals-by-hash.md). */
export const beadsDocument: GateDocument = {
  artifact: 'beads',
  shown: 'The bead plan',
  present: async (io) => {
    const beads = await io.ports.store.beads(io.ticket);
    return { sha256: planHash(beads), bytes: sized(beadLines(beads)).bytes };
  },
  approve: async (io, at) => {
    const beads = (await io.ports.store.beads(io.ticket)).map((bead) => ({ ...bead, createdAt: at, updatedAt: at }));
    saveBeads(io, beads, await placeOfBeads(io));
    return planHash(beads);
  },
  edit: async (io, edit) => {
    const plan = readPlan(edit.content, await io.ports.store.beads(io.ticket), io.ticket);
    if (!plan.ok) return { ok: false, reason: plan.error };
    const content = saveBeads(io, plan.value, await placeOfBeads(io));
    const invalidated = await currentTypes(io, setupStatuses);
    io.save({ type: 'artifacts.archive', statuses: setupStatuses });
    return { ok: true, after: { sha256: planHash(plan.value), bytes: sized(content).bytes }, invalidated };
  },
};

/** Where a new version of the plan is filed: with the version it replaces, so that both are archived together. */
export async function placeOfBeads(io: RecordIo): Promise<{ readonly status: Status; readonly attempt: number }> {
  const stored = await io.ports.store.artifact(io.ticket, 'beads');
  if (!stored) throw new BeadsmithError('UNEXPECTED', { reason: 'the document "beads" is missing' });
  const { status, attempt } = stored.info;
  return { status, attempt };
}

async function currentTypes(io: RecordIo, statuses: readonly Status[]): Promise<readonly string[]> {
  const current = await io.ports.store.artifacts(io.ticket, { archived: false });
  return [...new Set(current.filter((info) => statuses.includes(info.status)).map((info) => info.type))];
}
