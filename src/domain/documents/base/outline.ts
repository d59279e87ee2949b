import { isRecord } from '../../../base/json.ts';

/**
 * The parts of a kind of item, for comparing two versions. Paths are keys joined by dots. `mixed`: the key
 * below which the lists are one, because it doesn't matter in which a line stands.
 */
export interface Outline {
  readonly kind: 'document' | 'question' | 'epic' | 'user_story' | 'bead';
  readonly texts: readonly string[];
  readonly lists: readonly string[];
  readonly mixed?: string;
  readonly items?: { readonly key: string; readonly outline: Outline };
}

/** A document, or an item of it, where it stands. `index`: its place in the list of its parent. */
export interface OutlineItem {
  readonly outline: Outline;
  readonly id: string;
  readonly title: string;
  readonly value: Record<string, unknown>;
  readonly parent: OutlineItem | undefined;
  readonly index: number;
}

/** A document and all its items, parents first. */
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

/** The text at a path; empty if there is none. */
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

/** Sets what stands at a path. Changes `value`. */
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

/** A text without what is only spelling: spaces, kinds of quotes, a full stop at the end. */
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
