import type * as z from 'zod';
import { isRecord } from '../../../base/json.ts';
import type { Settled } from '../../../base/result.ts';
import type { Item, Path } from './document.ts';

/** Checks a value by a schema. Answers what it is, or what is wrong with it. */
export function checked<T>(schema: z.ZodType<T>, value: unknown): Settled<T, string> {
  const parsed = schema.safeParse(value);
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, error: problemText(parsed.error) };
}

/** Returns the problems of a document, a line each, ten at most: a model reads them. */
export function problemText(error: z.ZodError): string {
  const lines = error.issues.slice(0, 10).map((issue) => `- ${pathText(issue.path)}: ${issue.message}`);
  if (error.issues.length > lines.length) lines.push(`- and ${error.issues.length - lines.length} more`);
  return lines.join('\n');
}

function pathText(path: readonly PropertyKey[]): string {
  if (path.length === 0) return '(whole document)';
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`,
    )
    .join('');
}

/** Returns the reason why a document isn't this ticket's; undefined if it is. */
export function wrongTicket(document: { readonly ticket_id: string }, ticket: string): string | undefined {
  return document.ticket_id === ticket ? undefined : `ticket_id must be ${ticket}.`;
}

/** The repeated ids, as the reason why a document can't be used; undefined if there are none. */
export function repeatedIds(where: string, ids: readonly string[]): string | undefined {
  const repeated = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
  return repeated.length === 0
    ? undefined
    : `${where}: the id ${repeated.join(', ')} is used more than once.`;
}

/** Keeps ids that have the right form and are used once; gives the others the next free number. */
export function uniqueIds(
  ids: readonly string[],
  form: RegExp,
  make: (number: number) => string,
  taken = new Set<string>(),
): readonly string[] {
  const given = new Set(ids.filter((id) => form.test(id)));
  return ids.map((id) => {
    if (form.test(id) && !taken.has(id)) {
      taken.add(id);
      return id;
    }
    let number = 1;
    while (taken.has(make(number)) || given.has(make(number))) number++;
    taken.add(make(number));
    return make(number);
  });
}

/** An entry of a list, and where it stands. */
export interface Listed {
  readonly value: unknown;
  readonly path: Path;
}

/** The entries of a list below a value, each with its path. `base` is the path of the value itself. */
export function listOf(value: unknown, keys: readonly string[], base: Path = []): readonly Listed[] {
  let list = value;
  for (const key of keys) list = isRecord(list) ? list[key] : undefined;
  return Array.isArray(list)
    ? list.map((entry: unknown, index) => ({ value: entry, path: [...base, ...keys, index] }))
    : [];
}

/** A text below a key; empty when there is none. */
export function textIn(value: unknown, key: string): string {
  const text = isRecord(value) ? value[key] : undefined;
  return typeof text === 'string' ? text : '';
}

/** An entry as an item, called by the text below the key `title`; nothing when it is no record. */
export function itemOf(
  kind: Item['kind'],
  { value, path }: Listed,
  title: string,
  children: readonly Item[] = [],
): readonly Item[] {
  return isRecord(value)
    ? [{ kind, id: textIn(value, 'id'), title: textIn(value, title), path, children }]
    : [];
}
