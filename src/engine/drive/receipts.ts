import { BeadsmithError } from '../../domain/errors.ts';
import type { InboxBody } from '../../domain/inbox.ts';
import { limitsHash, limitsOf, withChange } from '../../domain/limits.ts';
import type { BeadReview, LimitsReceipt } from '../../domain/receipts.ts';
import type { Ticket } from '../../domain/ticket.ts';
import type { Ports } from '../ports/ports.ts';
import type { Change } from '../ports/storePort.ts';

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

/**
 * What a person's new limits change: the ticket, from which the next run takes them, and the receipt. A run that is open keeps its own, so that it
 * replays as it was. Throws EDIT_CONFLICT when the limits aren't those the person saw.
 */
export function limitsChanges(ports: Pick<Ports, 'clock'>, ticket: Ticket, body: InboxBody<'limits'>): readonly Change[] {
  const before = limitsOf(ticket);
  if (!before || !ticket.settings || limitsHash(before) !== body.baseSha256)
    throw new BeadsmithError('EDIT_CONFLICT', { artifact: `The limits of ${ticket.id}` });
  const after = withChange(before, body.limits);
  const { tokenBudget, ...limits } = after;
  const receipt: LimitsReceipt = {
    schema_version: 1,
    before,
    after,
    reason: body.reason,
    changed_by: 'user',
    changed_at: new Date(ports.clock.now()).toISOString(),
  };
  return [
    { type: 'ticket', set: { limits, settings: { ...ticket.settings, tokenBudget } } },
    // Filed with the start, which froze the former ones and is never archived.
    { type: 'artifact', artifact: 'limits_receipt', content: `${JSON.stringify(receipt, null, 2)}\n`, status: 'DRAFT', attempt: 1 },
  ];
}
