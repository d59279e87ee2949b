import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { isRecord } from '../../../src/base/json.ts';
import type { Said } from './messyModel.ts';

/** The talk around questions is no part of the interview. */
const notKept = /^ai_commentary$/;

/**
 * Free texts of whole answers that are in no exported document, with task and style. An answer that was sent
 * back isn't lost.
 */
export function lostTexts(said: readonly Said[], exported: string): readonly string[] {
  const kept = filesOf(exported).map((file) => bare(readFileSync(file, 'utf8')));
  const leaves = filesOf(exported).flatMap(leavesOf).map(bare);
  const known = new Set(leaves);
  const sentBack = rejectedAnswers(exported);
  const lost = said.flatMap(({ task, style, value, text: answer }) =>
    textsOf(sentBack.has(bare(answer)) ? undefined : value)
      .filter((text) => text.split(' ').length >= 4)
      .filter((text) => !known.has(bare(text)) && kept.every((file) => !file.includes(bare(text))))
      .filter(
        (text) =>
          task !== 'pull-request' || leaves.every((leaf) => !unescaped(leaf).includes(unescaped(bare(text)))),
      )
      .map((text) => `${task} (${style}): ${text}`),
  );
  return [...new Set(lost)];
}

/** Marks of what was left out, in a stored document. */
export function takenForContent(exported: string): readonly string[] {
  return filesOf(exported).flatMap((file) =>
    leavesOf(file)
      .filter((text) => /^\.\.\.$|^\.\.\. remaining items unchanged$|^Something nobody asked for$/.test(text))
      .map((text) => `${file}: ${text}`),
  );
}

function rejectedAnswers(exported: string): ReadonlySet<string> {
  const calls = join(exported, 'calls');
  const rejected = readdirSync(calls)
    .filter(
      (name) =>
        name.endsWith('.json') && /"outcome": *"rejected"/.test(readFileSync(join(calls, name), 'utf8')),
    )
    .map((name) => bare(readFileSync(join(calls, name.replace(/json$/, 'output.md')), 'utf8')));
  return new Set(rejected);
}

/** Without what was said and done on the way, which is no proof that it was kept. */
function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !/^calls\b|\.ndjson$/.test(path))
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile());
}

function leavesOf(file: string): readonly string[] {
  if (!/\.(?:ya?ml|json|jsonl)$/.test(file)) return [];
  const text = readFileSync(file, 'utf8');
  if (file.endsWith('.jsonl'))
    return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : textsOf(JSON.parse(line))));
  return documentTexts(text).flatMap((leaf) =>
    leaf.includes('\n') ? [leaf, ...documentTexts(leaf)] : [leaf],
  );
}

/** Drafts are kept as one text each. */
function documentTexts(text: string): readonly string[] {
  return parseAllDocuments(text, { logLevel: 'silent' }).flatMap((document) =>
    'toJS' in document && document.errors.length === 0 ? textsOf(document.toJS()) : [],
  );
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isRecord(value)
    ? Object.entries(value).flatMap(([key, item]) => (notKept.test(key) ? [] : textsOf(item)))
    : [];
}

/** In Markdown a backslash may stand before any sign. */
function unescaped(text: string): string {
  return text.replaceAll('\\', '');
}

/** Without line ends, indentation and final newlines. */
function bare(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
