import { oneLine } from '../../base/oneLine.ts';
import {
  bareText,
  itemsOf,
  linesAt,
  type Outline,
  type OutlineItem,
  textAt,
} from '../documents/base/outline.ts';

/** A text that the other version lacks. `whole`: its item is gone, and `text` is the title. */
export interface Loss {
  readonly item: OutlineItem;
  /** In the item; empty if that is gone. */
  readonly field: string;
  readonly text: string;
  readonly whole: boolean;
  /** In its list, from 0. */
  readonly index: number;
}

/** Two versions of a document, item by item. */
export interface Comparison {
  readonly before: readonly OutlineItem[];
  readonly after: readonly OutlineItem[];
  readonly pairs: ReadonlyMap<OutlineItem, OutlineItem>;
  readonly losses: readonly Loss[];
}

/**
 * Compares versions. Items match by id and title, then by title, then by id. Moved and reworded texts are
 * lost; other spelling (spaces, quotes) isn't.
 */
export function compare(outline: Outline, before: unknown, after: unknown): Comparison {
  const [earlier, later] = [itemsOf(outline, before), itemsOf(outline, after)];
  const pairs = pairItems(earlier, later);
  return {
    before: earlier,
    after: later,
    pairs,
    losses: earlier.flatMap((item) => lossesOf(item, pairs.get(item))),
  };
}

/** A loss in words. */
export function lossText({ item, field, text, whole }: Loss): string {
  if (whole) return `${wordsOf(item.outline.kind)} ${nameOf(item)}`;
  const what = fieldNames[field] ?? wordsOf(field.slice(field.lastIndexOf('.') + 1));
  return `${item.parent ? `${nameOf(item)}, ` : ''}${what}: "${oneLine(text, 400)}"`;
}

/** An item's id and title. */
export function nameOf({ id, title }: OutlineItem): string {
  return id === '' ? `"${title}"` : title === '' ? id : `${id} "${title}"`;
}

const fieldNames: Readonly<Record<string, string>> = {
  acceptance_criteria: 'acceptance criterion',
  acceptanceCriteria: 'acceptance criterion',
  implementation_steps: 'implementation step',
  'verification.required_commands': 'required command',
  testCommands: 'test command',
  tests: 'test',
  risks: 'risk',
};

function wordsOf(key: string): string {
  return key
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
}

function pairItems(
  before: readonly OutlineItem[],
  after: readonly OutlineItem[],
): ReadonlyMap<OutlineItem, OutlineItem> {
  const pairs = new Map<OutlineItem, OutlineItem>();
  const taken = new Set<OutlineItem>();
  const pass = (keyOf: (item: OutlineItem) => string): void => {
    const free = Map.groupBy(
      after.filter((item) => !taken.has(item)),
      (item) => `${item.outline.kind} ${keyOf(item)}`,
    );
    for (const item of before) {
      const key = keyOf(item);
      const found =
        pairs.has(item) || key === '' ? undefined : free.get(`${item.outline.kind} ${key}`)?.shift();
      if (!found) continue;
      pairs.set(item, found);
      taken.add(found);
    }
  };
  pass(({ parent }) => (parent ? '' : 'document'));
  pass(({ id, title }) => (id === '' || title === '' ? '' : `${id} ${bareText(title)}`));
  pass(({ title }) => bareText(title));
  pass(({ id }) => id);
  return pairs;
}

function lossesOf(item: OutlineItem, later: OutlineItem | undefined): readonly Loss[] {
  const { outline, value } = item;
  if (!later) return [{ item, field: '', text: item.title || item.id, whole: true, index: item.index }];
  const texts = [...(item.id === '' ? [] : ['id']), ...outline.texts].flatMap((field): readonly Loss[] => {
    const text = textAt(value, field);
    const same = text.trim() === '' || bareText(text) === bareText(textAt(later.value, field));
    return same ? [] : [{ item, field, text, whole: false, index: 0 }];
  });
  const lists = outline.lists.flatMap((field) => {
    const there = new Set(
      sameLists(outline, field).flatMap((list) =>
        linesAt(later.value, list).map((line) => spelling(field, line)),
      ),
    );
    return linesAt(value, field).flatMap((text, index): readonly Loss[] =>
      text.trim() === '' || there.has(spelling(field, text))
        ? []
        : [{ item, field, text, whole: false, index }],
    );
  });
  return [...texts, ...lists];
}

/** In a command, quotes mean something. */
function spelling(field: string, text: string): string {
  return /command/i.test(field) ? oneLine(text) : bareText(text);
}

function sameLists({ lists, mixed }: Outline, field: string): readonly string[] {
  return mixed !== undefined && field.startsWith(`${mixed}.`)
    ? lists.filter((list) => list.startsWith(`${mixed}.`))
    : [field];
}
