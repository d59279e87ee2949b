import type * as z from 'zod';
import { isRecord } from '../../../base/json.ts';
import type { Settled } from '../../../base/result.ts';
import type { Item, Path, Problem } from './document.ts';

/** Checks a value. Answers it, or what is wrong. */
export function checked<T>(schema: z.ZodType<T>, value: unknown): Settled<T, string> {
  const parsed = schema.safeParse(value);
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, error: problemText(parsed.error) };
}

/** A document's problems, a line each, ten at most: a model reads them. */
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

/** The reason why a document isn't this ticket's, if it isn't. */
export function wrongTicket(document: { readonly ticket_id: string }, ticket: string): string | undefined {
  return document.ticket_id === ticket ? undefined : `ticket_id must be ${ticket}.`;
}

/** The refusal of repeated ids; undefined without any. */
export function repeatedIds(where: string, ids: readonly string[]): string | undefined {
  const again = repeated(ids);
  return again.length === 0 ? undefined : `${where}: the id ${again.join(', ')} is used more than once.`;
}

/** Ids that occur more than once. */
export function repeated(ids: readonly string[]): readonly string[] {
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
}

/** A problem that keeps a document from being used. */
export function errorAt(path: Path, code: Problem['code'], args: Problem['args'] = {}): Problem {
  return { code, args, severity: 'error', path };
}

/** Keeps well-formed unique ids; gives others the next free number. */
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

/** A list entry with its path. */
export interface Listed {
  readonly value: unknown;
  readonly path: Path;
}

/** A value's list entries. `base`: the value's path. */
export function listOf(value: unknown, keys: readonly string[], base: Path = []): readonly Listed[] {
  let list = value;
  for (const key of keys) list = isRecord(list) ? list[key] : undefined;
  return Array.isArray(list)
    ? list.map((entry: unknown, index) => ({ value: entry, path: [...base, ...keys, index] }))
    : [];
}

/** A text below a key, else empty. */
export function textIn(value: unknown, key: string): string {
  const text = isRecord(value) ? value[key] : undefined;
  return typeof text === 'string' ? text : '';
}

/** A record as an item titled by `title`; nothing for others. */
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
