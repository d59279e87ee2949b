import * as z from 'zod';
import { problemText } from '../../../domain/documents/check.ts';
import type { Parsed } from '../ask/askTypes.ts';
import { type Candidate, candidatesOf, cleanAnswer, isPromptEcho } from './candidates.ts';
import { decode } from './decode.ts';
import { keyFor } from './keys.ts';
import { lostIn } from './whole.ts';
import { unended } from './parseStructured.ts';
import { keysOf } from './schemaKeys.ts';
import { shape } from './shape.ts';
import type { ListTree, Tree } from './tree.ts';

/**
 * Reads JSON lines: one object a line, in a fence or bare. A JSON array, or a document whose only list holds the objects, is accepted too. `check` is
 * as in `parseStructured`; one that knows how many lines there have to be makes an end mark unnecessary.
 */
export function parseLines<T>(structure: {
  readonly tag?: string;
  readonly schema: z.ZodType<T>;
  readonly check?: (values: readonly T[]) => string | undefined;
}): (text: string) => Parsed<readonly T[]> {
  const schema = z.array(structure.schema).min(1);
  const keys = keysOf(structure.schema);
  const names = structure.schema instanceof z.ZodObject ? Object.keys(structure.schema.shape) : [];
  const isKey = (key: string): boolean => keyFor(key, names) !== undefined;
  return (text) => {
    if (isPromptEcho(text)) return { ok: false, problem: 'The answer repeats the prompt instead of answering it.' };
    const answer = cleanAnswer(text);
    const candidates = candidatesOf(answer, { ...(structure.tag === undefined ? {} : { tag: structure.tag }), isKey });
    for (const candidate of [...candidates, { text: answer.text, ended: answer.marked }]) {
      const found = recordsOf(candidate, keys, isKey);
      if (found === undefined) continue;
      if (typeof found === 'string') return { ok: false, problem: found };
      const shaped = shape(found.list, schema);
      const lost = lostIn(candidate.text, shaped);
      const parsed = schema.safeParse(shaped.value);
      const problem = parsed.success ? structure.check?.(parsed.data) : problemText(parsed.error);
      if (lost !== undefined || problem !== undefined) return { ok: false, problem: lost ?? problem ?? '' };
      if (!found.ended && !(found.counted && structure.check)) return { ok: false, problem: unended };
      if (parsed.success) return { ok: true, value: parsed.data, ...(shaped.repairs.length === 0 ? {} : { repairs: shaped.repairs }) };
    }
    return { ok: false, problem: 'The answer holds no JSON lines.' };
  };
}

/** `counted`: how many there are shows whether the answer is whole, because each of them ends by itself. */
interface Records {
  readonly list: ListTree;
  readonly ended: boolean;
  readonly counted: boolean;
}

/** The objects of a text; why they can't be read; or undefined when it holds none. Prose around the lines is passed over. */
function recordsOf({ text, ended }: Candidate, keys: ReadonlySet<string>, isKey: (key: string) => boolean): Records | string | undefined {
  const items: Tree[] = [];
  let rest = text;
  let isArray = false;
  for (let start = startOf(rest); start >= 0; start = startOf(rest)) {
    const decoded = decode(rest.slice(start), keys);
    if (!decoded.ok) return decoded.error;
    const { tree } = decoded.value;
    isArray ||= tree.kind === 'list';
    items.push(...(listIn(tree, isKey) ?? []));
    rest = decoded.value.rest;
  }
  if (items.length > 0)
    return { list: { kind: 'list', items, source: text }, ended: ended || isArray || rest.trim() !== '', counted: true };
  const whole = decode(text, keys);
  const list = whole.ok ? listIn(whole.value.tree, isKey) : undefined;
  return list && { list: { kind: 'list', items: list, source: text }, ended, counted: false };
}

/** Where the next object or list starts: at the start of a line. */
function startOf(text: string): number {
  const match = /^[ \t]*(?:[-*][ \t]+|\d{1,4}[.)][ \t]+)?`?(?=[{[])/m.exec(text);
  return match ? match.index + match[0].length : -1;
}

function listIn(tree: Tree, isKey: (key: string) => boolean): readonly Tree[] | undefined {
  if (tree.kind === 'list') return tree.items.length > 0 && tree.items.every(({ kind }) => kind === 'table') ? tree.items : undefined;
  if (tree.kind === 'text') return undefined;
  if (tree.entries.some(([key]) => isKey(key))) return [tree];
  const lists = tree.entries.flatMap(([, value]) => listIn(value, isKey) ?? []);
  return lists.length > 0 ? lists : [tree];
}
