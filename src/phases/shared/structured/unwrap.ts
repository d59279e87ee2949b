import * as z from 'zod';
import { isEngineKey } from './keys.ts';
import { bareSchema, entriesOf, isRequired } from './schemaKeys.ts';
import { bareKey } from './spellings.ts';
import type { Tree } from './tree.ts';

const wrappers = new Set(['output', 'result', 'data', 'document', 'artifact', 'response', 'answer']);

/**
 * Takes a document out of wrappers that models put around it: `output: {…}`, a list around it, or its tag's or its own name as the only key; and puts
 * a bare list under the one key that a document of lists has.
 */
export function unwrapped(tree: Tree, schema: z.core.$ZodType, isKey: (key: string) => boolean): Tree {
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
    if (!only || only[1].kind === 'text') break;
    [, inner] = only;
  }
  return inner.kind === 'list' ? underItsKey(inner, schema) : inner;
}

function underItsKey(list: Tree, schema: z.core.$ZodType): Tree {
  if (!(schema instanceof z.ZodObject)) return list;
  const lists = entriesOf(schema).filter(([, type]) => bareSchema(type) instanceof z.ZodArray && isRequired(type));
  const [only] = lists;
  return only && lists.length === 1 ? { kind: 'table', entries: [[only[0], list]], source: list.source } : list;
}
