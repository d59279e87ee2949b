import { isRecord } from '../../base/json.ts';
import { listed } from '../requirements/criteria.ts';
import { errorAt } from './base/check.ts';
import type { Document, Item, Path, Problem } from './base/document.ts';

/** Problems of a readable document, with places. Undefined list entries are skipped. */
export function problemsOf(
  document: Document<unknown>,
  value: unknown,
  ticket: string | undefined,
): readonly Problem[] {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0))
    return [errorAt([], 'empty')];
  const items = document.items?.(value) ?? [];
  const references = document.references?.of(value) ?? [];
  const named = isRecord(value) ? value['ticket_id'] : undefined;
  const wrong = ticket !== undefined && typeof named === 'string' && named !== ticket;
  return [
    ...schemaProblems(document, value),
    ...idProblems(document, items),
    ...unknownIds(document, items, references),
    ...(document.problems?.(value, items, references) ?? []),
    ...(wrong ? [errorAt(['ticket_id'], 'wrongTicket', { ticket })] : []),
  ];
}

/** All items, nested ones too. */
export function allItems(items: readonly Item[]): readonly Item[] {
  return items.flatMap((item) => [item, ...allItems(item.children)]);
}

function schemaProblems({ schema }: Document<unknown>, value: unknown): readonly Problem[] {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return issues.flatMap((issue): Problem[] => {
    const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => errorAt([...path, key], 'schema', { reason: issue.message }));
    const [line] = path;
    if (Array.isArray(value) && typeof line === 'number' && value[line] === undefined) return [];
    const key = path.at(-1);
    if (typeof key === 'string' && !isThere(value, path)) return [errorAt(path, 'missing', { key })];
    return [errorAt(path, 'schema', { reason: issue.message })];
  });
}

function idProblems({ repeatedIds }: Document<unknown>, items: readonly Item[]): readonly Problem[] {
  const seen = new Set<string>();
  const repeated = allItems(items).filter(({ id }) => id !== '' && (seen.has(id) || !seen.add(id)));
  return repeated.map(({ id, path }) => ({
    code: 'duplicateId',
    args: { id },
    severity: repeatedIds ?? 'error',
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
  return unknown.map(({ id, path }) =>
    errorAt(path, references?.unknown ?? 'unknownBead', { id, known: all }),
  );
}

function isThere(value: unknown, path: Path): boolean {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return false;
    at = Reflect.get(at, part);
  }
  return at !== undefined;
}
