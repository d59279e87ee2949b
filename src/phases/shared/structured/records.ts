import type { Candidate } from './candidates.ts';
import { decode } from './text/decode.ts';
import type { ListTree, Tree } from './text/tree.ts';

/** `counted`: how many there are shows whether the answer is whole, because each of them ends by itself. */
export interface Records {
  readonly list: ListTree;
  readonly ended: boolean;
  readonly counted: boolean;
}

/**
 * The objects of a text; why they can't be read; or undefined when it holds none. Prose around the lines is
 * passed over.
 */
export function recordsOf(
  { text, ended }: Candidate,
  keys: ReadonlySet<string>,
  isKey: (key: string) => boolean,
): Records | string | undefined {
  const items: Tree[] = [];
  let rest = text;
  let isArray = false;
  for (let start = startOf(rest); start >= 0; start = startOf(rest)) {
    const decoded = decode(rest.slice(start), keys);
    if (!decoded.ok) return decoded.error;
    const { tree } = decoded.value;
    isArray ||= tree.kind === 'list';
    for (const item of listIn(tree, isKey) ?? []) items.push(item);
    rest = decoded.value.rest;
  }
  if (items.length > 0)
    return {
      list: { kind: 'list', items, source: text },
      ended: ended || isArray || rest.trim() !== '',
      counted: true,
    };
  const whole = decode(text, keys);
  const list = whole.ok ? listIn(whole.value.tree, isKey) : undefined;
  return list && { list: { kind: 'list', items: list, source: text }, ended, counted: false };
}

/** Returns the place where the next object or list starts, at the start of a line; -1 if there is none. */
function startOf(text: string): number {
  const match = /^[ \t]*(?:[-*][ \t]+|\d{1,4}[.)][ \t]+)?`?(?=[{[])/m.exec(text);
  return match ? match.index + match[0].length : -1;
}

function listIn(tree: Tree, isKey: (key: string) => boolean): readonly Tree[] | undefined {
  if (tree.kind === 'list')
    return tree.items.length > 0 && tree.items.every(({ kind }) => kind === 'table') ? tree.items : undefined;
  if (tree.kind === 'text') return undefined;
  if (tree.entries.some(([key]) => isKey(key))) return [tree];
  const lists = tree.entries.flatMap(([, value]) => listIn(value, isKey) ?? []);
  return lists.length > 0 ? lists : [tree];
}
