import { isRecord } from '../../base/json.ts';
import { listed } from '../requirements/criteria.ts';
import type { Document, Item, Path, Problem } from './base/document.ts';

/**
 * Returns the problems of a document that could be read, with their places. `ticket`: the document's, if it
 * is known. An entry of a list that is undefined could not be read, and is skipped.
 */
export function problemsOf(
  document: Document<unknown>,
  value: unknown,
  ticket: string | undefined,
): readonly Problem[] {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0))
    return [error('empty', [])];
  const items = document.items(value);
  const references = document.references?.of(value) ?? [];
  const named = isRecord(value) ? value['ticket_id'] : undefined;
  const wrong = ticket !== undefined && typeof named === 'string' && named !== ticket;
  return [
    ...schemaProblems(document, value),
    ...idProblems(document, items),
    ...unknownIds(document, items, references),
    ...(document.problems?.(value, items, references) ?? []),
    ...(wrong ? [error('wrongTicket', ['ticket_id'], { ticket })] : []),
  ];
}

/** All items, those below others too. */
export function allItems(items: readonly Item[]): readonly Item[] {
  return items.flatMap((item) => [item, ...allItems(item.children)]);
}

function schemaProblems({ schema }: Document<unknown>, value: unknown): readonly Problem[] {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return issues.flatMap((issue): Problem[] => {
    const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
    const [line] = path;
    if (Array.isArray(value) && typeof line === 'number' && value[line] === undefined) return [];
    const key = path.at(-1);
    if (typeof key === 'string' && !isThere(value, path)) return [error('missing', path, { key })];
    return [error('schema', path, { reason: issue.message })];
  });
}

function idProblems({ repeatedIds }: Document<unknown>, items: readonly Item[]): readonly Problem[] {
  const seen = new Set<string>();
  const repeated = allItems(items).filter(({ id }) => id !== '' && (seen.has(id) || !seen.add(id)));
  return repeated.map(({ id, path }) => ({
    code: 'duplicateId',
    args: { id },
    severity: repeatedIds,
    path: [...path, 'id'],
  }));
}

function unknownIds(
  { references }: Document<unknown>,
  items: readonly Item[],
  named: readonly { readonly id: string; readonly path: Path }[],
): readonly Problem[] {
  const known = new Set(allItems(items).flatMap(({ id }) => (id === '' ? [] : [id])));
  const unknown = references ? named.filter(({ id }) => !known.has(id)) : [];
  const all = unknown.length === 0 ? '' : listed([...known]);
  return unknown.map(({ id, path }) => error(references?.unknown ?? 'unknownBead', path, { id, known: all }));
}

function error(code: Problem['code'], path: Path, args: Problem['args'] = {}): Problem {
  return { code, args, severity: 'error', path };
}

function isThere(value: unknown, path: Path): boolean {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return false;
    at = Reflect.get(at, part);
  }
  return at !== undefined;
}
