import type { SkipReceipt } from '../../domain/receipts.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { RecordIo } from '../../engine/run.ts';
import { artifactChange } from '../execution/artifactChange.ts';
import { isoNow } from '../execution/isoNow.ts';

/** Stages the proof that a person left something out on purpose. */
export function saveSkipReceipt(
  io: RecordIo,
  ticket: TicketSnapshot,
  skip: { readonly surface: SkipReceipt['surface']; readonly items?: readonly string[]; readonly reason: string },
): void {
  const receipt: SkipReceipt = {
    schema_version: 1,
    surface: skip.surface,
    item_ids: [...(skip.items ?? [])],
    skipped_by: 'user',
    skipped_at: isoNow(io),
    reason: skip.reason,
  };
  io.save(artifactChange(ticket, `skip_receipt:${skip.surface}`, receipt));
}
