import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';

/** Files by their paths. */
const Files = z.record(z.string(), z.string());
const Sample = z.object({
  repository: Files,
  written: Files,
  questions: z.array(z.object({ id: z.string(), phase: z.string(), question: z.string() })),
  forms: z.unknown(),
  prd: z.unknown(),
  beads: z.unknown(),
  expansion: z.record(
    z.string(),
    z.object({ blocked_by: z.array(z.string()), targetFiles: z.array(z.string()) }),
  ),
});

const inSources = '../../../media/demo/sample.yaml';
const inBundle = '../media/demo/sample.yaml';
const here = import.meta.url;

/**
 * The demo's data: `repository` is a small real JavaScript library with its own passing tests, `written` a
 * real implementation of the sample ticket, and the rest what the scripted models plan.
 */
export const sample = Sample.parse(
  parse(readFileSync(new URL(here.endsWith('.ts') ? inSources : inBundle, here), 'utf8')),
);

/** A file that the demo's coder writes. Throws for one that it doesn't. */
export function writtenFile(path: string): string {
  const text = sample.written[path];
  if (text === undefined) throw new Error(`The sample has no file ${path}.`);
  return text;
}
