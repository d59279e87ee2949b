import type { ChangeItem } from '../../domain/inbox.ts';
import type { BeadReview } from '../../domain/receipts.ts';
import type { RecordIo } from '../../engine/run.ts';
import { isoNow } from './isoNow.ts';

/** A receipt for each bead whose diff a person rejected by what they ask for. */
export function saveRejections(io: RecordIo, items: readonly ChangeItem[]): void {
  for (const { bead, rejects, text } of items) {
    if (bead === undefined || rejects === undefined) continue;
    const receipt: BeadReview = {
      schema_version: 1,
      bead_id: bead,
      verdict: 'rejected',
      diff_sha256: rejects,
      reason: text,
      reviewed_by: 'user',
      reviewed_at: isoNow(io),
    };
    // Filed with coding, which has no attempts, so that it stays when a gate's round is archived.
    const content = `${JSON.stringify(receipt, null, 2)}\n`;
    io.save({ type: 'artifact', artifact: `bead_review:${bead}`, content, status: 'CODING', attempt: 1 });
  }
}
