import type { Item, Reference } from '../domain/documents/base/document.ts';
import { documentOf } from '../domain/documents/documents.ts';
import { allItems } from '../domain/documents/problems.ts';
import type { DocumentKind } from '../domain/workflow/rows.ts';
import { type LineCache, readJsonLines } from './jsonLines.ts';
import { holds, type Located, type Span } from './located.ts';
import { readYaml } from './yamlText.ts';

/** A place where another part's id is named, and where it stands in the text. */
interface LocatedReference extends Reference {
  readonly span: Span;
}

/** The parsed text of a document: read once, asked often. */
export interface Model {
  readonly kind: DocumentKind;
  readonly text: string;
  readonly located: Located;
  readonly items: readonly Item[];
  readonly references: readonly LocatedReference[];
}

export function readModel(kind: DocumentKind, text: string, cache?: LineCache): Model {
  const { format, items, references } = documentOf(kind);
  const located = format === 'jsonl' ? readJsonLines(text, cache) : readYaml(text);
  const { value } = located;
  const named =
    references?.of(value).map((reference) => ({ ...reference, span: located.spanOf(reference.path) })) ?? [];
  return { kind, text, located, items: items(value), references: named };
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
export function definitionOf(
  model: Model,
  id: string,
): { readonly item: Item; readonly span: Span } | undefined {
  const item = allItems(model.items).find((candidate) => candidate.id === id);
  return item && { item, span: model.located.spanOf([...item.path, 'id']) };
}

/** Everywhere else an id is named. */
export function usesOf({ references }: Model, id: string): readonly Span[] {
  return references.filter((reference) => reference.id === id).map(({ span }) => span);
}
