import { isRecord } from '../../base/json.ts';
import type { ChangeRecord } from '../requirements/interview.ts';
import type { Comparison, Loss } from './compare.ts';
import { bareText, linesAt, type OutlineItem } from '../documents/base/outline.ts';

/** A revision's resolution of a gap, as far as it matters here. */
export interface ClaimedResolution {
  readonly gap: string;
  readonly action: 'updated_prd' | 'updated_beads' | 'already_covered' | 'left_unresolved';
  readonly rationale: string;
  readonly affected_items: readonly {
    readonly item_type: string;
    readonly id: string;
    readonly label: string;
  }[];
}

/** An answer's own account of its changes. */
export interface Declared {
  readonly changes: readonly ChangeRecord[];
  readonly resolutions?: readonly ClaimedResolution[];
}

/** One thing that was said to be changed. `names`: every text that says what. `after`: what it is now. */
interface Declaration {
  readonly removes: boolean;
  readonly names: readonly string[];
  readonly after: readonly string[];
}

/**
 * The losses that nobody declared. An item that is gone has to be named as removed or replaced, or its parent
 * has; a text in an item is declared with its item; a line of the document itself by its words, or by the
 * name of its list as often as the list got another line.
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

/** Returns true if a name is an item's id (and not its criterion's, `US-1-1.AC2`) or its title. */
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

/** Returns true if a name quotes a text: as it is, inside of more words, or shortened at its end. */
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

/** Returns true if a name is that of a list or text: its path, a part of it, or the singular. */
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

/** Returns the number of new lines of a list; for a text, one. */
function gained(item: OutlineItem, later: OutlineItem | undefined, field: string): number {
  if (!later) return 0;
  if (item.outline.texts.includes(field)) return 1;
  const before = new Set(linesAt(item.value, field).map(bareText));
  return linesAt(later.value, field).filter((line) => !before.has(bareText(line))).length;
}
