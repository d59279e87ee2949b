import { isRecord } from '../base/json.ts';
import type { LanguageKind } from '../protocol/language.ts';
import type { Located, Path, Span } from './located.ts';

/** A part of a document that has an id and can be referred to. */
export interface Item {
  readonly kind: 'epic' | 'story' | 'bead' | 'question' | 'step';
  readonly id: string;
  readonly title: string;
  readonly path: Path;
  readonly children: readonly Item[];
}

/** A place where an id is named that belongs to another part. `from`: the id of the part it stands in. */
export interface Reference {
  readonly id: string;
  readonly from: string;
  readonly field: string;
  readonly span: Span;
}

/** The parts of a document that have an id. A document that is still being written has those that can be read. */
export function itemsOf(kind: LanguageKind, { value }: Located): readonly Item[] {
  switch (kind) {
    case 'beads':
      return listOf(value, []).flatMap((one) => itemOf('bead', one, 'title'));
    case 'prd':
      return listOf(value, ['epics']).flatMap((epic) =>
        itemOf(
          'epic',
          epic,
          'title',
          listOf(epic.value, ['user_stories'], epic.path).flatMap((story) => itemOf('story', story, 'title')),
        ),
      );
    case 'interview':
      return listOf(value, ['questions']).flatMap((one) => itemOf('question', one, 'prompt'));
    case 'execution_setup_plan':
      return listOf(value, ['steps']).flatMap((one) => itemOf('step', one, 'title'));
    case 'relevant_files':
      return [];
  }
}

/** All items, those below others too. */
export function allItems(items: readonly Item[]): readonly Item[] {
  return items.flatMap((item) => [item, ...allItems(item.children)]);
}

/** Where ids of other parts are named. */
export function referencesOf(kind: LanguageKind, located: Located): readonly Reference[] {
  const { value } = located;
  const named = (one: Listed, from: string, field: string): Reference[] =>
    typeof one.value === 'string' ? [{ id: one.value, from, field, span: located.spanOf(one.path) }] : [];
  if (kind === 'beads')
    return listOf(value, []).flatMap(({ value: bead, path }) =>
      (['blocked_by', 'blocks'] as const).flatMap((field) =>
        listOf(bead, ['dependencies', field], path).flatMap((one) => named(one, textIn(bead, 'id'), field)),
      ),
    );
  if (kind !== 'interview') return [];
  return listOf(value, ['follow_up_rounds']).flatMap(({ value: round, path }) =>
    listOf(round, ['question_ids'], path).flatMap((one) => named(one, '', 'question_ids')),
  );
}

/** A text below a key; empty when there is none. */
export function textIn(value: unknown, key: string): string {
  const text = isRecord(value) ? value[key] : undefined;
  return typeof text === 'string' ? text : '';
}

export interface Listed {
  readonly value: unknown;
  readonly path: Path;
}

/** The entries of a list below a value, each with its path. `base` is the path of the value itself. */
export function listOf(value: unknown, keys: readonly string[], base: Path = []): readonly Listed[] {
  let list = value;
  for (const key of keys) list = isRecord(list) ? list[key] : undefined;
  return Array.isArray(list) ? list.map((entry: unknown, index) => ({ value: entry, path: [...base, ...keys, index] })) : [];
}

function itemOf(kind: Item['kind'], { value, path }: Listed, title: string, children: readonly Item[] = []): Item[] {
  if (!isRecord(value)) return [];
  return [{ kind, id: textIn(value, 'id'), title: textIn(value, title), path, children }];
}
