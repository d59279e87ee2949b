import { approvedAt, documentOf } from '../domain/documents/documents.ts';
import type { Ticket } from '../domain/ticket.ts';
import type { Store } from '../engine/ports/storePort.ts';

/**
 * What a ticket's gate asks to be approved, with the hash an approval must carry (docs/decisions/013-approvals-by-hash.md); null at other places.
 */
export async function approvalTarget(store: Store, ticket: Ticket): Promise<{ readonly artifact: string; readonly sha256: string } | null> {
  const artifact = approvedAt(ticket.status);
  if (!artifact) return null;
  const { rows } = documentOf(artifact);
  if (rows) return { artifact, sha256: rows.hash(await store.beads(ticket.id)) };
  const current = await store.artifact(ticket.id, artifact);
  return current ? { artifact, sha256: current.info.sha256 } : null;
}
