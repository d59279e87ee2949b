import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';
import { ModelScript } from '../script/modelScript.ts';

/** Files by their paths. */
const Files = z.record(z.string(), z.string());
const Sample = z.object({ repository: Files, written: Files, script: ModelScript });

const inSources = '../../../media/demo/sample.yaml';
const inBundle = '../media/demo/sample.yaml';
const here = import.meta.url;

const text = readFileSync(new URL(here.endsWith('.ts') ? inSources : inBundle, here), 'utf8');

/**
 * The demo's data: `repository` is a small real JavaScript library with its own passing tests, `written` a
 * real implementation of the sample ticket, and `script` what the scripted models say.
 */
const sample = Sample.parse(parse(text, { merge: true, maxAliasCount: -1 }));

export const sampleFiles = sample.repository;

/** One malformed answer, one gap in the PRD, one bead whose first iteration fails; the rest is generic. */
export const demoScript = sample.script;

/** A file that the demo's coder writes. Throws for one that it doesn't. */
export function writtenFile(path: string): string {
  const text = sample.written[path];
  if (text === undefined) throw new Error(`The sample has no file ${path}.`);
  return text;
}
