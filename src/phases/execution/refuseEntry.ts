import { type ErrorArgs, type ErrorCode, sentenceOf } from '../../domain/errors.ts';
import type { InboxEntry } from '../../domain/inbox.ts';
import type { RecordIo } from '../../engine/run.ts';

/** Stages that a person's decision could not be carried out, and why. The gate stays open for the next one. */
export function refuseEntry(io: RecordIo, entry: InboxEntry, code: ErrorCode, args: ErrorArgs): void {
  io.save({ type: 'inbox', id: entry.id, state: 'refused', outcome: { code, message: sentenceOf(code, args) } });
}
