import { parse } from 'yaml';
import { SetupPlan, SetupProfile, setupPlanDocument } from '../../domain/documents/setupPlan.ts';
import { SetupBasis } from '../../domain/documents/setupReuse.ts';
import { ApprovalReceipt } from '../../domain/workflow/receipts.ts';
import type { Ticket } from '../../domain/ticket/ticket.ts';
import type { Store } from '../../engine/ports/storePort.ts';
import { readJson } from './ticket/artifacts.ts';

type SetupReads = Pick<Store, 'tickets' | 'artifact' | 'artifacts' | 'artifactContent'>;

/** An earlier ticket's approved and proved setup. */
export interface ApprovedSetup {
  readonly ticket: string;
  readonly plan: SetupPlan;
  readonly planHash: string;
  readonly profile: SetupProfile;
  readonly basis: SetupBasis | undefined;
  readonly receipt: ApprovalReceipt;
}

/** `besides`: a ticket not counted. */
export async function lastApprovedSetup(
  store: SetupReads,
  besides?: string,
): Promise<ApprovedSetup | undefined> {
  let last: ApprovedSetup | undefined;
  for (const other of (await store.tickets()).filter((one) => one.id !== besides && one.settings !== null)) {
    const found = await approvedBy(store, other);
    if (found && (!last || found.receipt.approved_at > last.receipt.approved_at)) last = found;
  }
  return last;
}

export async function approvedChecks(store: SetupReads, besides?: string): Promise<readonly string[]> {
  const { test_full, build_full, typecheck_full, lint_full } =
    (await lastApprovedSetup(store, besides))?.plan.project_commands ?? none;
  return [...new Set([...test_full, ...build_full, ...typecheck_full, ...lint_full])];
}

const none = { test_full: [], build_full: [], typecheck_full: [], lint_full: [] };

async function approvedBy(store: SetupReads, { id }: Ticket): Promise<ApprovedSetup | undefined> {
  const profile = readJson(SetupProfile, (await store.artifact(id, 'execution_setup_profile'))?.content);
  const stored = profile && (await store.artifact(id, setupPlanDocument.kind));
  const plan = stored && SetupPlan.safeParse(parse(stored.content)).data;
  if (!profile || !stored || !plan) return undefined;
  for (const { id: receiptId, archived } of (
    await store.artifacts(id, { type: 'approval_receipt' })
  ).toReversed()) {
    const receipt = archived ? undefined : readJson(ApprovalReceipt, await store.artifactContent(receiptId));
    if (receipt?.artifact !== setupPlanDocument.kind || receipt.stored_content_sha256 !== stored.info.sha256)
      continue;
    if (receipt.approved_by !== 'user') return undefined;
    const basis = readJson(SetupBasis, (await store.artifact(id, 'setup_basis'))?.content);
    return { ticket: id, plan, planHash: stored.info.sha256, profile, basis, receipt };
  }
  return undefined;
}
