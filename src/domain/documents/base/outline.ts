import { isRecord } from '../../../base/json.ts';

/**
 * Comparable parts of a kind of item. Paths are keys joined by dots. `mixed`: the key whose lists count as
 * one.
 */
export interface Outline {
  readonly kind: 'document' | 'question' | 'epic' | 'user_story' | 'bead';
  readonly texts: readonly string[];
  readonly lists: readonly string[];
  readonly mixed?: string;
  readonly items?: { readonly key: string; readonly outline: Outline };
}

/** A document or item. `index`: its place in its parent's list. */
export interface OutlineItem {
  readonly outline: Outline;
  readonly id: string;
  readonly title: string;
  readonly value: Record<string, unknown>;
  readonly parent: OutlineItem | undefined;
  readonly index: number;
}

/** A document and its items, parents first. */
export function itemsOf(
  outline: Outline,
  value: unknown,
  parent?: OutlineItem,
  index = 0,
): readonly OutlineItem[] {
  if (!isRecord(value)) return [];
  const item = { outline, id: textAt(value, 'id'), title: titleOf(value), value, parent, index };
  const { items } = outline;
  if (!items) return [item];
  return [
    item,
    ...recordsAt(value, items.key).flatMap((child, place) => itemsOf(items.outline, child, item, place)),
  ];
}

/** The text at a path, else empty. */
export function textAt(value: Record<string, unknown>, path: string): string {
  const found = at(value, path);
  return typeof found === 'string' ? found : '';
}

/** The texts of the list at a path. */
export function linesAt(value: Record<string, unknown>, path: string): readonly string[] {
  const found = at(value, path);
  return Array.isArray(found) ? found.filter((line): line is string => typeof line === 'string') : [];
}

/** The records of the list below a key. */
export function recordsAt(value: Record<string, unknown>, key: string): readonly Record<string, unknown>[] {
  const found = value[key];
  return Array.isArray(found) ? found.filter(isRecord) : [];
}

/** Sets the value at a path, in place. */
export function setAt(value: Record<string, unknown>, path: string, content: unknown): void {
  const keys = path.split('.');
  const last = keys.pop() ?? path;
  let table = value;
  for (const key of keys) {
    const next = table[key];
    const below: Record<string, unknown> = isRecord(next) ? next : {};
    table[key] = below;
    table = below;
  }
  table[last] = content;
}

/** A text without spelling: spaces, kinds of quotes, a full stop. */
export function bareText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/["'`´“”„‟‘’‚‛«»‹›]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.;]$/, '');
}

function at(value: Record<string, unknown>, path: string): unknown {
  let found: unknown = value;
  for (const key of path.split('.')) found = isRecord(found) ? found[key] : undefined;
  return found;
}

function titleOf(value: Record<string, unknown>): string {
  return textAt(value, 'title') || textAt(value, 'question') || textAt(value, 'prompt');
}
