import * as z from 'zod';
import { BeadRecord, chained, type NewRecord } from '../../../domain/records/records.ts';
import { beadRecordsDocument } from '../../../domain/documents/beadRecords.ts';
import { readText, writeText } from '../../../domain/documents/base/text.ts';
import type { RecordIo } from '../../../engine/run/run.ts';
import { artifactChange, isoNow, newestArtifact, type Place, toJson } from './artifacts.ts';

/** Undefined values are left out of the payload. */
export type Told = Omit<NewRecord, 'payload'> & { readonly payload: unknown };

/**
 * A step calls it once, no two at the same time (docs/decisions/137-bead-records.md). What is there stays
 * byte by byte, also a broken chain.
 */
export async function appendRecord(io: RecordIo, place: Place, ...entries: readonly Told[]): Promise<void> {
  const { kind, format } = beadRecordsDocument;
  const stored = (await newestArtifact(io, kind))?.content ?? '';
  const at = isoNow(io);
  let last = lastOf(stored);
  const added: BeadRecord[] = [];
  for (const entry of entries)
    added.push((last = chained(last, at, { ...entry, payload: z.json().parse(toJson(entry.payload)) })));
  const before = stored === '' || stored.endsWith('\n') ? stored : `${stored}\n`;
  io.save(artifactChange(place, kind, before + writeText(format, added)));
}

export async function readRecords(io: Pick<RecordIo, 'ports' | 'ticket'>): Promise<readonly BeadRecord[]> {
  const stored = (await newestArtifact(io, beadRecordsDocument.kind))?.content ?? '';
  return stored.split('\n').flatMap((line) => entryOf(line) ?? []);
}

function lastOf(stored: string): BeadRecord | undefined {
  for (const line of stored.split('\n').reverse()) {
    const entry = entryOf(line);
    if (entry) return entry;
  }
  return undefined;
}

function entryOf(line: string): BeadRecord | undefined {
  const read = line.trim() === '' ? undefined : readText('json', line);
  return read?.ok ? BeadRecord.safeParse(read.value).data : undefined;
}
