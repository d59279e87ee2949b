import type * as z from 'zod';
import { isRecord } from '../../base/json.ts';
import type { ChangeRecord } from '../requirements/interview.ts';
import type { GapResolution } from '../requirements/prd.ts';
import type { Comparison, Loss } from './compare.ts';
import { bareText, linesAt, type OutlineItem } from '../documents/base/outline.ts';

/** A revision's resolution of a gap. */
export type ClaimedResolution = z.infer<typeof GapResolution>;

/** An answer's account of its changes. */
export interface Declared {
  readonly changes: readonly ChangeRecord[];
  readonly resolutions?: readonly ClaimedResolution[];
}

/** `after`: the new state. */
interface Declaration {
  readonly removes: boolean;
  readonly names: readonly string[];
  readonly after: readonly string[];
}

/**
 * Undeclared losses. A gone item, or its parent, is named as removed or replaced; a text is declared with its
 * item; a line by its words, or by its list's name as often as the list has new lines.
 */
export function undeclared(
  { before, after, pairs, losses }: Comparison,
  declared: Declared,
): readonly Loss[] {
  const declarations = declarationsOf(declared);
  const ids = new Set(after.map(({ id }) => id));
  const isNamed = (item: OutlineItem): boolean => {
    const { parent } = item;
    if (parent?.parent && !pairs.has(parent) && isNamed(parent)) return true;
    return declarations.some(({ removes, names, after: now }) => {
      const becameAnother = now.some((name) => ids.has(name.trim()) && name.trim() !== item.id);
      return (removes || becameAnother) && mentionsItem(names, item);
    });
  };
  const isDeclared = (item: OutlineItem): boolean => {
    const children = before.filter((child) => child.parent === item);
    return (
      isNamed(item) || (children.length > 0 && children.every((child) => !pairs.has(child) && isNamed(child)))
    );
  };
  const allowed = new Map<string, number>();
  return losses.filter((loss) => {
    const { item, field, text, whole, index } = loss;
    if (whole) return !isDeclared(item);
    if (declarations.some(({ names }) => names.some((name) => isSameText(name, text)))) return false;
    if (item.parent) return !declarations.some(({ names }) => mentionsItem(names, item, field, index));
    if (!declarations.some(({ names }) => names.some((name) => isSection(name, field)))) return true;
    const left = allowed.get(field) ?? gained(item, pairs.get(item), field);
    allowed.set(field, left - 1);
    return left <= 0;
  });
}

function declarationsOf({ changes, resolutions = [] }: Declared): readonly Declaration[] {
  const changed = changes
    .filter(({ type }) => type === 'modified' || type === 'removed' || type === 'replaced')
    .map(({ type, item_type, before, after }) => ({
      removes: type !== 'modified',
      names: [...textsIn(before), ...(item_type === undefined ? [] : [item_type])],
      after: textsIn(after),
    }));
  const resolved = resolutions
    .filter(({ action }) => action.startsWith('updated'))
    .flatMap(({ affected_items: items }) =>
      items.map(({ id, label, item_type }) => ({ removes: true, names: [id, label, item_type], after: [] })),
    );
  return [...changed, ...resolved];
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** True if a name is an item's id (not its criterion's, `US-1-1.AC2`) or title. */
export function mentionsItem(
  names: readonly string[],
  { id, title }: OutlineItem,
  field = '',
  index = 0,
): boolean {
  return names.some((name) => {
    const text = name.trim();
    const criterion = /^(.+)\.AC(\d+)$/i.exec(text);
    if (criterion && criterion[1] === id)
      return /^acceptance_?criteria$/i.test(field) && Number(criterion[2]) === index + 1;
    if (
      id !== '' &&
      (text === id || (text.startsWith(id) && /^[^\p{L}\p{N}_-]/u.test(text.slice(id.length))))
    )
      return true;
    return title !== '' && bareText(text) === bareText(title);
  });
}

/** True if a name quotes a text, within more words or shortened at its end. */
export function isSameText(name: string, text: string): boolean {
  const [named, whole] = [bareText(name), bareText(text)];
  if (named === '' || whole === '') return false;
  if (named === whole) return true;
  const start = named.replace(/(?:…|\.\.\.?)$/, '').trim();
  return (
    (whole.length >= 12 && named.includes(whole)) ||
    (start.length >= 20 && start !== named && whole.startsWith(start))
  );
}

/** True if a name is a list's or text's path, a part of it, or the singular. */
export function isSection(name: string, field: string): boolean {
  const named = singular(name);
  return named !== '' && [field, ...field.split('.')].some((part) => singular(part) === named);
}

function singular(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/s$/, '');
}

function gained(item: OutlineItem, later: OutlineItem | undefined, field: string): number {
  if (!later) return 0;
  if (item.outline.texts.includes(field)) return 1;
  const before = new Set(linesAt(item.value, field).map(bareText));
  return linesAt(later.value, field).filter((line) => !before.has(bareText(line))).length;
}
