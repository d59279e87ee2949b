import * as z from 'zod';
import { canonicalJson } from '../../base/json.ts';
import { sha256 } from '../../base/sha256.ts';
import { BeadId, Sha256 } from '../core/ids.ts';

const RecordKind = z.enum([
  ...(['spec', 'kickoff', 'dev', 'gate', 'review', 'party_review', 'fix'] as const),
  ...(['failure_analysis', 'human_note', 'commit', 'skip'] as const),
]);
type RecordKind = z.infer<typeof RecordKind>;

/** A record (docs/decisions/137-bead-records.md). `at`: ISO text; `prevHash`: null for the first. */
export const BeadRecord = z.object({
  schemaVersion: z.literal(1),
  seq: z.number().int().positive(),
  at: z.string(),
  bead: BeadId,
  iteration: z.number().int().nonnegative(),
  session: z.string().optional(),
  kind: RecordKind,
  payload: z.json(),
  prevHash: Sha256.nullable(),
  hash: Sha256,
});
export type BeadRecord = z.infer<typeof BeadRecord>;

/** An unchained record. */
export type NewRecord = Pick<BeadRecord, 'bead' | 'iteration' | 'session' | 'kind' | 'payload'>;

/** A record behind the last one. */
export function chained(last: BeadRecord | undefined, at: string, entry: NewRecord): BeadRecord {
  const linked = {
    schemaVersion: 1,
    seq: (last?.seq ?? 0) + 1,
    at,
    ...entry,
    prevHash: last?.hash ?? null,
  } as const;
  return { ...linked, hash: hashOf(linked) };
}

/** The number of the first broken record, if any. */
export function brokenAt(records: readonly BeadRecord[]): number | undefined {
  const index = records.findIndex((record, place) => {
    const before = records[place - 1];
    return (
      record.seq !== place + 1 || record.prevHash !== (before?.hash ?? null) || record.hash !== hashOf(record)
    );
  });
  return index < 0 ? undefined : index + 1;
}

function hashOf(record: Omit<BeadRecord, 'hash'>): string {
  return sha256(canonicalJson({ ...record, hash: undefined }));
}
