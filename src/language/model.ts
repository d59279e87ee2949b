import type { Item, Reference, Path } from '../domain/documents/base/document.ts';
import { documentOf } from '../domain/documents/documents.ts';
import { allItems } from '../domain/documents/problems.ts';
import type { DocumentKind } from '../domain/workflow/rows.ts';
import { readJsonLines, holds, readYaml, type LineCache, type Located, type Span } from './located.ts';
import * as z from 'zod';

interface LocatedReference extends Reference {
  readonly span: Span;
}

/** A parsed document. */
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
  return { kind, text, located, items: items?.(value) ?? [], references: named };
}

/** The id at a place, and its span. */
export function idAt(model: Model, offset: number): { readonly id: string; readonly span: Span } | undefined {
  const reference = model.references.find(({ span }) => holds(span, offset));
  if (reference) return { id: reference.id, span: reference.span };
  for (const { id, path } of allItems(model.items)) {
    const span = model.located.spanOf([...path, 'id']);
    if (id !== '' && holds(span, offset)) return { id, span };
  }
  return undefined;
}

export function definitionOf(
  model: Model,
  id: string,
): { readonly item: Item; readonly span: Span } | undefined {
  const item = allItems(model.items).find((candidate) => candidate.id === id);
  return item && { item, span: model.located.spanOf([...item.path, 'id']) };
}

/** Other uses of an id. */
export function usesOf({ references }: Model, id: string): readonly Span[] {
  return references.filter((reference) => reference.id === id).map(({ span }) => span);
}

/** The listable values of a schema at a path. */
function choicesAt(schema: z.ZodType, path: Path): readonly string[] {
  let at: unknown = schema;
  for (const part of path) {
    at = bare(at);
    if (at instanceof z.ZodObject)
      at = Object.hasOwn(at.shape, part) ? Reflect.get(at.shape, part) : undefined;
    else if (at instanceof z.ZodArray && typeof part === 'number') at = at.element;
    else return [];
  }
  const found = bare(at);
  if (found instanceof z.ZodEnum) return found.options.map(String);
  if (found instanceof z.ZodLiteral) return [...found.values].map(String);
  return found instanceof z.ZodBoolean ? ['true', 'false'] : [];
}

/** Without optional wrappers. */
function bare(schema: unknown): unknown {
  let at = schema;
  while (at instanceof z.ZodDefault || at instanceof z.ZodOptional || at instanceof z.ZodNullable)
    at = at.unwrap();
  return at;
}

interface Completion {
  readonly text: string;
  readonly about: string;
  /** To replace. */
  readonly span: Span;
}

/** Bead ids in a dependency, or a field's values. */
export function completionsAt(model: Model, offset: number): readonly Completion[] {
  const lineStart = model.text.lastIndexOf('\n', offset - 1) + 1;
  const before = model.text.slice(lineStart, offset);
  return documentOf(model.kind).format === 'jsonl'
    ? beadIds(model, before, lineStart, offset)
    : values(model, before, offset);
}

/** As text, because a list being typed isn't valid JSON. */
function beadIds(model: Model, before: string, lineStart: number, offset: number): Completion[] {
  const [, listed = '', typed] = /"(?:blocked_by|blocks)"\s*:\s*\[([^\]]*)"([^",\]]*)$/.exec(before) ?? [];
  if (typed === undefined) return [];
  const own = /"id"\s*:\s*"([^"]*)"/.exec(model.text.slice(lineStart))?.[1];
  const taken = new Set([own, ...[...listed.matchAll(/"([^"]*)"/g)].map(([, id]) => id)]);
  const span = { start: offset - typed.length, end: offset };
  return model.items
    .filter(({ id }) => id !== '' && !taken.has(id))
    .map(({ id, title }) => ({ text: id, about: title, span }));
}

function values(model: Model, before: string, offset: number): Completion[] {
  const [, indent = '', key = '', typed = ''] =
    /^(\s*(?:- +)*)([A-Za-z_]\w*):[ \t]*([^\s#'"]*)$/.exec(before) ?? [];
  if (key === '') return idsIn(model, offset);
  const path = model.located.pathOfKey(offset - before.length + indent.length);
  const span = { start: offset - typed.length, end: offset };
  return path
    ? choicesAt(documentOf(model.kind).schema, path).map((text) => ({ text, about: '', span }))
    : [];
}

/** Rounds of an interview name questions. */
function idsIn(model: Model, offset: number): Completion[] {
  const reference = model.references.find(({ span }) => holds(span, offset));
  if (!reference) return [];
  return allItems(model.items).map(({ id, title }) => ({ text: id, about: title, span: reference.span }));
}
