import type { LanguageKind } from '../protocol/language.ts';
import { allItems, type Item, itemsOf, type Reference, referencesOf } from './items.ts';
import { type LineCache, readJsonLines } from './jsonLines.ts';
import { readYaml } from './yamlText.ts';

/** A part of a text, as offsets; `end` is behind it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export type Path = readonly (string | number)[];

/** A document that was read, and where in its text each part stands. */
export interface Located {
  /** The document as a value; undefined when it can't be read. */
  readonly value: unknown;
  readonly errors: readonly { readonly message: string; readonly span: Span }[];
  /** What to mark for a part: a plain value itself, otherwise its key; for a part that is missing, the nearest one around it. */
  spanOf(path: Path): Span;
  /** The whole of a part, with everything below it; undefined when it is missing. */
  wholeOf(path: Path): Span | undefined;
  /** Everything that spans several lines and can be folded, from the line it is named on. */
  foldable(): readonly Span[];
  /** The path of the value whose key begins here. */
  pathOfKey(offset: number): Path | undefined;
}

/** Whether a place lies in a span or right behind it, as a cursor does. */
export function holds(span: Span, offset: number): boolean {
  return offset >= span.start && offset <= span.end;
}

/** What is known of a document's text: read once, asked often. */
export interface Model {
  readonly kind: LanguageKind;
  readonly text: string;
  readonly located: Located;
  readonly items: readonly Item[];
  readonly references: readonly Reference[];
}

export function readModel(kind: LanguageKind, text: string, cache?: LineCache): Model {
  const located = kind === 'beads' ? readJsonLines(text, cache) : readYaml(text);
  return { kind, text, located, items: itemsOf(kind, located), references: referencesOf(kind, located) };
}

/** The id that is named at a place, and where it stands there. */
export function idAt(model: Model, offset: number): { readonly id: string; readonly span: Span } | undefined {
  const reference = model.references.find(({ span }) => holds(span, offset));
  if (reference) return { id: reference.id, span: reference.span };
  for (const { id, path } of allItems(model.items)) {
    const span = model.located.spanOf([...path, 'id']);
    if (id !== '' && holds(span, offset)) return { id, span };
  }
  return undefined;
}

/** The part with an id, and where its id is written. */
export function definitionOf(model: Model, id: string): { readonly item: Item; readonly span: Span } | undefined {
  const item = allItems(model.items).find((candidate) => candidate.id === id);
  return item && { item, span: model.located.spanOf([...item.path, 'id']) };
}

/** Everywhere else an id is named. */
export function usesOf({ references }: Model, id: string): readonly Span[] {
  return references.filter((reference) => reference.id === id).map(({ span }) => span);
}
