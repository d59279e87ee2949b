import { parse, stringify } from 'yaml';
import type { Settled } from '../../../base/result.ts';
import type { EditSurface } from '../../workflow/receipts.ts';
import type { DocumentFormat, Document } from './document.ts';

/** A few lines could otherwise stand for millions. */
const mostAliases = 20;

/** Reads a document and repairs nothing. Answers its value, or why it is unreadable. */
export function readText(format: DocumentFormat, text: string): Settled<unknown, string> {
  const isLines = format === 'jsonl' && !text.trimStart().startsWith('[');
  if (isLines) return readLines(text);
  return settled(() => (format === 'jsonl' ? JSON.parse(text) : readYaml(text)));
}

/** A document as stored, always the same bytes: keys in order, no folded lines, no aliases. */
export function writeText(format: DocumentFormat, value: unknown): string {
  switch (format) {
    case 'yaml':
      return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, schema: 'core' });
    case 'json':
      return `${JSON.stringify(value, null, 2)}\n`;
    case 'jsonl':
      return (Array.isArray(value) ? value : [value]).map((line) => `${JSON.stringify(line)}\n`).join('');
  }
}

/** JSON is a part of YAML. Throws what the parser throws. */
function readYaml(text: string): unknown {
  return parse(text, { schema: 'core', maxAliasCount: mostAliases, logLevel: 'error' });
}

/** Unreadable lines are named by number. */
function readLines(text: string): Settled<unknown, string> {
  const values: unknown[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const value = settled(() => JSON.parse(line));
    if (!value.ok) return { ok: false, error: `Line ${index + 1}: ${value.error}` };
    values.push(value.value);
  }
  return { ok: true, value: values };
}

function settled(read: () => unknown): Settled<unknown, string> {
  try {
    return { ok: true, value: read() };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
}

interface WrittenEdit {
  readonly content: string;
  readonly surface: EditSurface;
}

/**
 * Checks an edit against the current version. Answers a new draft, or where and why it can't be used. `at`:
 * ISO text.
 */
export function editDocument(
  { subject, format, approval }: Document<unknown>,
  { content, surface }: WrittenEdit,
  present: unknown,
  about: { readonly ticket: string; readonly at: string },
): Settled<unknown, string> {
  if (!approval) return { ok: false, error: `${subject} can only be read.` };
  const read = readText(format, content);
  return read.ok ? approval.edited({ value: read.value, surface, ...about }, present) : read;
}
