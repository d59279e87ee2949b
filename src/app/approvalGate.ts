import type { ArtifactType } from '../domain/artifacts.ts';
import { planHash } from '../domain/beads/beadPlan.ts';
import type { Ticket } from '../domain/ticket.ts';
import type { Status } from '../domain/workflow/workflow.ts';
import type { Store } from '../engine/ports/storePort.ts';

/** The artifact that each approval gate asks a person to approve. */
const artifacts = {
  WAITING_INTERVIEW_APPROVAL: 'interview',
  WAITING_PRD_APPROVAL: 'prd',
  WAITING_BEADS_APPROVAL: 'beads',
  WAITING_EXECUTION_SETUP_APPROVAL: 'execution_setup_plan',
} as const satisfies Partial<Record<Status, ArtifactType>>;

/**
 * What a ticket's gate asks to be approved, with the hash an approval must carry (docs/decisions/013-approvals-by-hash.md); null at other places. For
 * beads that is the plan's hash.
 */
export async function approvalGate(store: Store, ticket: Ticket): Promise<{ readonly artifact: string; readonly sha256: string } | null> {
  const artifact = artifactOf(ticket.status);
  if (!artifact) return null;
  if (artifact === 'beads') return { artifact, sha256: planHash(await store.beads(ticket.id)) };
  const current = await store.artifact(ticket.id, artifact);
  return current ? { artifact, sha256: current.info.sha256 } : null;
}

function artifactOf(status: Status): ArtifactType | undefined {
  return status in artifacts ? artifacts[status as keyof typeof artifacts] : undefined;
}
