import type { LanguageKind } from '../protocol/language.ts';
import { allItems, type Item, itemsOf, type Reference, referencesOf } from './items.ts';
import { type LineCache, readJsonLines } from './jsonLines.ts';
import { holds, type Located, type Span } from './located.ts';
import { readYaml } from './yamlText.ts';

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
