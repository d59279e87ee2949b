import * as z from 'zod';
import { BeadRecord, brokenAt } from '../records/records.ts';
import { errorAt } from './base/check.ts';
import type { Document } from './base/document.ts';

/** `bead-records.jsonl`, append-only, oldest first (docs/decisions/137-bead-records.md). */
export const BeadRecords = z.array(BeadRecord);
export type BeadRecords = z.infer<typeof BeadRecords>;

/** The read-only records of beads. */
export const beadRecordsDocument = {
  kind: 'bead_records',
  title: 'Bead records',
  subject: 'The list of bead records',
  file: 'bead-records.jsonl',
  format: 'jsonl',
  schema: BeadRecords,
  problems: (value) => {
    const at = brokenAt(BeadRecords.safeParse(value).data ?? []);
    if (at === undefined) return [];
    const reason = `Entry ${String(at)} isn’t as it was written: it, or one before it, was changed or removed.`;
    return [errorAt([at - 1], 'contradiction', { reason })];
  },
} as const satisfies Document<BeadRecords>;
