import * as z from 'zod';
import { BeadRecord, brokenAt } from '../records/records.ts';
import { errorAt } from './base/check.ts';
import type { Document } from './base/document.ts';

/** `bead-records.jsonl`, append-only, oldest first (docs/decisions/137-bead-records.md). */
export const BeadRecords = z.array(BeadRecord);
export type BeadRecords = z.infer<typeof BeadRecords>;

const listed = 'Entries: {0}';
const broken = 'Entries: {0}. Entry {1} isn’t valid: it or an earlier entry was changed or removed.';

/** The read-only records of beads. */
export const beadRecordsDocument = {
  kind: 'bead_records',
  title: 'Bead records',
  subject: 'The list of bead records',
  file: 'bead-records.jsonl',
  format: 'jsonl',
  schema: BeadRecords,
  repeatedIds: 'error',
  items: () => [],
  problems: (value) => {
    const at = brokenAt(BeadRecords.safeParse(value).data ?? []);
    if (at === undefined) return [];
    const reason = `Entry ${String(at)} isn’t as it was written: it, or one before it, was changed or removed.`;
    return [errorAt([at - 1], 'contradiction', { reason })];
  },
  summaries: [listed, broken],
  summary: (value) => {
    const { data } = BeadRecords.safeParse(value);
    if (!data) return undefined;
    const at = brokenAt(data);
    return at === undefined
      ? { text: listed, args: [data.length] }
      : { text: broken, args: [data.length, at] };
  },
} as const satisfies Document<BeadRecords>;
