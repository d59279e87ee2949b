import * as z from 'zod';
import { keyFor } from './keys.ts';
import { bareSchema } from './schemaKeys.ts';
import { isNoContent, isNone, isNothing } from './text/spellings.ts';
import type { ListTree, TableTree, TextTree, Tree } from './text/tree.ts';

/** The items of what should be a list; undefined if it is none. */
export function itemsOf(tree: Tree, outer: z.core.$ZodType, path = ''): readonly Tree[] | undefined {
  const element = bareSchema(outer);
  const saysNone = ({ text, plain }: TextTree): boolean =>
    (plain || tree.kind === 'text' ? isNothing(text) : isNone(text)) ||
    (!isOfNames(path) && isNoContent(text) && !isNothing(text));
  if (tree.kind === 'list')
    return tree.items.every((item) => item.kind === 'text' && saysNone(item)) ? [] : tree.items;
  if (tree.kind === 'table') {
    if (!(element instanceof z.ZodObject)) return undefined;
    const names = Object.keys(element.shape);
    if (tree.entries.some(([key]) => keyFor(key, names) !== undefined)) return [tree];
    const isKeyed = names.includes('id') && tree.entries.every(([, value]) => value.kind === 'table');
    return isKeyed ? tree.entries.map(([key, value]) => withId(key, value)) : undefined;
  }
  if (saysNone(tree)) return [];
  if (!(element instanceof z.ZodString)) return undefined;
  const parts = tree.text
    .trim()
    .split('\n')
    .map((line) => /^\s*(?:[-*•]|\d+[.)])\s+(.*)$/.exec(line)?.[1] ?? '');
  if (parts.length > 1 && parts.every((part) => part !== '')) return parts.map(textTree);
  const words = tree.text.split(/\s*,\s*/);
  return words.length > 1 && tree.plain && words.every((word) => /^[\w.:/@-]+$/.test(word))
    ? words.map(textTree)
    : [tree];
}

/**
 * Returns true if a list holds ids, of which one may be called `no`, or commands, of which one is `false`.
 */
function isOfNames(path: string): boolean {
  return /(?:_ids|Ids|options|[cC]ommands)(?:\[\d+\])?$/.test(path);
}

function textTree(text: string): TextTree {
  return { kind: 'text', text, plain: false, source: text };
}

function withId(id: string, value: Tree): Tree {
  if (value.kind !== 'table' || value.entries.some(([key]) => key === 'id')) return value;
  return { ...value, entries: [['id', textTree(id)], ...value.entries] };
}

/** A list of objects that share no key, as one object. */
export function merged({ items, source }: ListTree): TableTree | undefined {
  const entries = items.flatMap((item) => (item.kind === 'table' ? item.entries : []));
  const isSplit =
    items.length > 0 &&
    items.every(({ kind }) => kind === 'table') &&
    new Set(entries.map(([key]) => key)).size === entries.length;
  return isSplit ? { kind: 'table', entries, source } : undefined;
}
