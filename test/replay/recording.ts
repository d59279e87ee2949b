import { gunzipSync, gzipSync } from 'node:zlib';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { canonicalJson, isRecord } from '../../src/base/json.ts';
import { InboxRow } from '../../src/adapters/store/sql/rows.ts';

const folder = join(import.meta.dirname, 'journals');

/**
 * A journal entry as it was written then: today's schemas have to be able to read it, so none of them is
 * applied here.
 */
const RecordedRow = z.object({
  seq: z.number().int(),
  prevHash: z.string(),
  hash: z.string(),
  at: z.number(),
  epoch: z.number().int(),
  entry: z.custom<Readonly<Record<string, unknown>>>(isRecord),
});

/**
 * A finished ticket as a release left it: its whole journal, of which runs and steps are projections, and
 * what people sent to it.
 */
export const Recording = z.object({
  schema_version: z.literal(1),
  /** The release that wrote the journal. */
  release: z.string(),
  ticket: z.object({ id: z.string(), title: z.string(), description: z.string(), priority: z.number().int() }),
  journal: z.array(RecordedRow),
  inbox: z.array(InboxRow),
});
export type Recording = z.infer<typeof Recording>;

/** The names of all recordings. */
export function recordings(): readonly string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json.gz'))
    .map((file) => file.slice(0, -'.json.gz'.length))
    .sort();
}

export function readRecording(name: string): Recording {
  return Recording.parse(JSON.parse(gunzipSync(readFileSync(fileOf(name))).toString('utf8')));
}

/** Answers where it was written and how many bytes it has. */
export function writeRecording(name: string, recording: Recording): { readonly file: string; readonly bytes: number } {
  const packed = gzipSync(canonicalJson(recording), { level: 9 });
  writeFileSync(fileOf(name), packed);
  return { file: fileOf(name), bytes: packed.length };
}

function fileOf(name: string): string {
  return join(folder, `${name}.json.gz`);
}
