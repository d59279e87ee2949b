import { BeadsmithError } from '../domain/errors.ts';
import type { InboxBody } from '../domain/inbox.ts';
import type { BeadReview } from '../domain/receipts.ts';
import type { Ticket } from '../domain/ticket.ts';
import type { Ports } from './ports.ts';
import type { Change } from './storePort.ts';

/** The receipt of an accepted bead. Throws STALE_APPROVAL when the bead came to another diff than the one the person saw, or to none yet. */
export async function acceptance(ports: Pick<Ports, 'store' | 'clock'>, ticket: Ticket, body: InboxBody<'accept_bead'>): Promise<Change> {
  const { bead, sha256, reason } = body;
  const diff = await ports.store.artifact(ticket.id, `bead_diff:${bead}`);
  if (diff?.info.sha256 !== sha256) throw new BeadsmithError('STALE_APPROVAL', { artifact: `The diff of ${bead}` });
  const receipt: BeadReview = {
    schema_version: 1,
    bead_id: bead,
    verdict: 'accepted',
    diff_sha256: sha256,
    reason,
    reviewed_by: 'user',
    reviewed_at: new Date(ports.clock.now()).toISOString(),
  };
  // Filed with coding, which has no attempts: what a person accepted stays so when the work goes back.
  const content = `${JSON.stringify(receipt, null, 2)}\n`;
  return { type: 'artifact', artifact: `bead_review:${bead}`, content, status: 'CODING', attempt: 1 };
}
