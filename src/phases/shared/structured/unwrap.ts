import * as z from 'zod';
import { decode } from './text/decode.ts';
import { withoutMark } from './endMarks.ts';
import { isEngineKey } from './keys.ts';
import { bareSchema, entriesOf, isRequired, keysOf } from './schemaKeys.ts';
import { bareKey } from './text/spellings.ts';
import type { Tree } from './text/tree.ts';

const wrappers = new Set([
  'output',
  'result',
  'data',
  'document',
  'artifact',
  'response',
  'answer',
  'content',
  'contents',
  'body',
  'text',
  'yaml',
  'json',
  'value',
]);
/** Keys that stand beside the content in a wrapper and say nothing of their own. */
const besides = new Set([
  'type',
  'format',
  'language',
  'lang',
  'kind',
  'mime',
  'mimetype',
  'contenttype',
  'name',
  'title',
  'filename',
  'role',
  'encoding',
]);

/**
 * Takes a document out of wrappers that models put around it: `output: {…}`, a list around it, or its tag's
 * or its own name as the only key; and puts a bare list under the one key that a document of lists has.
 */
export function unwrapped(tree: Tree, schema: z.core.$ZodType, isKey: (key: string) => boolean): Tree {
  const keys = keysOf(schema);
  let inner = tree;
  for (let depth = 0; depth < 4; depth++) {
    if (
      inner.kind === 'list' &&
      inner.items.length === 1 &&
      inner.items[0]?.kind === 'table' &&
      inner.items[0].entries.some(([key]) => isKey(key))
    ) {
      [inner] = inner.items;
      break;
    }
    if (inner.kind !== 'table' || inner.entries.some(([key]) => isKey(key))) break;
    const entries = inner.entries.filter(([key]) => !isEngineKey(key));
    const [only] = entries.length === 1 ? entries : entries.filter(([key]) => wrappers.has(bareKey(key)));
    if (!only || (entries.length > 1 && !entries.every((entry) => entry === only || isBeside(entry)))) break;
    const [, value] = only;
    const content = value.kind === 'text' ? inText(value.text, keys) : value;
    if (!content) break;
    inner = content;
  }
  return inner.kind === 'list' ? underItsKey(inner, schema) : inner;
}

function isBeside([key, value]: readonly [string, Tree]): boolean {
  return besides.has(bareKey(key)) && value.kind === 'text' && !value.text.includes('\n');
}

/** The document that stands in a wrapper as a text: `result: |`. */
function inText(text: string, keys: ReadonlySet<string>): Tree | undefined {
  if (!text.includes('\n') && !/^\s*[[{]/.test(text)) return undefined;
  const inner = withoutMark(text)
    .text.trim()
    .replace(/^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n\1\s*$/, '$2');
  const read = decode(inner, keys);
  return read.ok && read.value.tree.kind !== 'text' && read.value.rest.trim() === ''
    ? read.value.tree
    : undefined;
}

function underItsKey(list: Tree, schema: z.core.$ZodType): Tree {
  if (!(schema instanceof z.ZodObject)) return list;
  const lists = entriesOf(schema).filter(
    ([, type]) => bareSchema(type) instanceof z.ZodArray && isRequired(type),
  );
  const [only] = lists;
  return only && lists.length === 1
    ? { kind: 'table', entries: [[only[0], list]], source: list.source }
    : list;
}
