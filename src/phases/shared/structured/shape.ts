import * as z from 'zod';
import { smallest } from '../../../base/extremes.ts';
import { isEngineKey, keyFor, bareSchema } from './keys.ts';
import type { Repair } from './text/repair.ts';
import {
  bareKey,
  booleanOf,
  isElision,
  isNoContent,
  isNothing,
  numberOf,
  wordOf,
  isNone,
} from './text/spellings.ts';
import type { TextTree, Tree, ListTree, TableTree } from './text/tree.ts';

export interface Shaped {
  readonly value: unknown;
  readonly repairs: readonly Repair[];
  readonly lost: readonly string[];
  readonly elided: readonly string[];
  readonly unknown: readonly string[];
  readonly dropped: readonly Repair[];
}

/**
 * Never throws; what doesn't fit is left for the schema to name
 * (docs/decisions/090-answers-are-read-by-their-schema.md).
 */
export function shape(tree: Tree, schema: z.core.$ZodType): Shaped {
  const shaper = new Shaper();
  const value = shaper.read(tree, schema, '');
  const { repairs, lost, elided, unknown, dropped } = shaper;
  return { value, repairs, lost, elided, unknown, dropped };
}

/** Texts in which a word for nothing is none, bare. */
const mayBeEmpty = new Set([
  'needshuman',
  'unprovedreason',
  'retryhint',
  'suggestedfix',
  'finalfreeformanswer',
  'aicommentary',
]);

class Shaper {
  readonly repairs: Repair[] = [];
  readonly lost: string[] = [];
  readonly elided: string[] = [];
  readonly unknown: string[] = [];
  readonly dropped: Repair[] = [];

  read(tree: Tree, schema: z.core.$ZodType, path: string): unknown {
    const caught = schema instanceof z.ZodDefault ? schema.def.innerType : schema;
    if (caught instanceof z.ZodCatch && !(tree.kind === 'text' && isNothing(tree.text)))
      return this.#caught(tree, caught.def.innerType);
    const inner = bareSchema(schema);
    if (inner !== schema && tree.kind === 'text' && isAbsent(tree, inner))
      return schema instanceof z.ZodNullable ? null : undefined;
    if (inner instanceof z.ZodObject) return this.#object(tree, inner, path);
    if (inner instanceof z.ZodArray) return this.#array(tree, inner.def.element, path);
    if (inner instanceof z.ZodRecord) return this.#record(tree, inner.def.valueType, path);
    if (inner instanceof z.ZodUnion) return this.#union(tree, inner.def.options, path);
    if (inner instanceof z.ZodString) return this.#text(tree, path);
    if (tree.kind !== 'text') return guessed(tree);
    if (inner instanceof z.ZodNumber && /(?:^|\.)line$/.test(path)) return lineOf(tree.text) ?? tree.text;
    if (inner instanceof z.ZodNumber) return numberOf(tree.text, inner.maxValue) ?? tree.text;
    if (inner instanceof z.ZodBoolean) return booleanOf(tree.text) ?? tree.text;
    if (inner instanceof z.ZodEnum) return wordOf(tree.text, inner.options.map(String)) ?? tree.text;
    if (inner instanceof z.ZodLiteral)
      return [...inner.values].find((value) => String(value) === tree.text) ?? tree.text;
    return guessed(tree);
  }

  /** Nothing in what may be anything makes the document useless. */
  #caught(tree: Tree, schema: z.core.$ZodType): unknown {
    const { value, repairs, dropped } = shape(tree, schema);
    for (const repair of [...repairs, ...dropped]) this.repairs.push(repair);
    return value;
  }

  #text(tree: Tree, path: string): unknown {
    if (
      mayBeEmpty.has(bareKey(path.split('.').at(-1) ?? '')) &&
      (tree.kind === 'text' ? isNoContent(tree.text) : !hasContent(tree))
    )
      return '';
    if (tree.kind === 'table' && tree.source.includes('\n')) return guessed(tree);
    const text = tree.kind === 'list' ? dedented(tree.source) : tree.source;
    if (isElision(text)) this.elided.push(`- ${path}: "${text}" stands for something that was left out.`);
    return text;
  }

  #object(tree: Tree, schema: z.ZodObject, path: string): unknown {
    const table = tree.kind === 'list' ? merged(tree) : tree;
    if (table?.kind !== 'table') return tree.kind === 'text' && isNothing(tree.text) ? {} : guessed(tree);
    const names = Object.keys(schema.shape);
    const found = new Map<string, Tree[]>();
    for (const [key, value] of table.entries) {
      const name = keyFor(key, names);
      if (name === undefined) this.#unknown(key, value, path, names);
      else found.set(name, [...(found.get(name) ?? []), value]);
    }
    const result: Record<string, unknown> = {};
    for (const [name, values] of found) {
      const place = path === '' ? name : `${path}.${name}`;
      const type = schema.shape[name] as z.core.$ZodType;
      const [value, ...others] = this.#once(values, type, place);
      if (others.length > 0)
        this.lost.push(`- ${place}: it stands there ${values.length} times, with different contents.`);
      if (value !== undefined) result[name] = value;
    }
    return names.includes('file') && names.includes('line') ? withPlace(result) : result;
  }

  #once(values: readonly Tree[], schema: z.core.$ZodType, path: string): readonly unknown[] {
    const full = values.filter(hasContent);
    const different = [
      ...new Map((full.length > 0 ? full : values).map((value) => [value.source, value])).values(),
    ];
    if (values.length > 1)
      this.repairs.push({
        rule: 'repeated-key',
        before: path,
        after: different[0]?.source.slice(0, 300) ?? '',
      });
    return different.map((value) => this.read(value, schema, path));
  }

  #unknown(key: string, value: Tree, path: string, names: readonly string[]): void {
    if (!hasContent(value)) return;
    const place = path === '' ? key : `${path}.${key}`;
    const isSmall = value.kind === 'text' && !/\s/.test(value.text.trim()) && value.text.length <= 40;
    const dropped = { rule: 'unknown-key', before: `${place}: ${value.source.slice(0, 300)}`, after: '' };
    if (isEngineKey(key) || isSmall) this.repairs.push(dropped);
    else {
      this.dropped.push(dropped);
      this.unknown.push(
        `- ${place}: there is no such key. Put what it says where it belongs (${names.join(', ')}), or leave it out.`,
      );
    }
  }

  #array(tree: Tree, element: z.core.$ZodType, path: string): unknown {
    const items = itemsOf(tree, element, path);
    if (items === undefined) return guessed(tree);
    if (tree.kind !== 'list')
      this.repairs.push({
        rule: 'list',
        before: `${path}: ${tree.source.slice(0, 300)}`,
        after: `${items.length} items`,
      });
    return items.flatMap((item, index) => {
      const place = `${path}[${index}]`;
      if (item.kind === 'text' && isElision(item.text))
        this.elided.push(`- ${place}: "${item.text}" stands for something that was left out.`);
      else if (item.kind === 'text' && item.plain && item.source === '') return [];
      return [this.read(item, element, place)];
    });
  }

  #record(tree: Tree, type: z.core.$ZodType, path: string): unknown {
    const table = tree.kind === 'list' ? merged(tree) : tree;
    if (table?.kind !== 'table') return tree.kind === 'text' && isNothing(tree.text) ? {} : guessed(tree);
    const result: Record<string, unknown> = {};
    for (const [key, values] of Map.groupBy(table.entries, ([name]) => name)) {
      const [value, ...others] = this.#once(
        values.map(([, one]) => one),
        type,
        `${path}.${key}`,
      );
      if (others.length > 0)
        this.lost.push(`- ${path}.${key}: it stands there several times, with different contents.`);
      Object.defineProperty(result, key, { value, enumerable: true, writable: true, configurable: true });
    }
    return result;
  }

  #union(tree: Tree, options: readonly z.core.$ZodType[], path: string): unknown {
    if (
      tree.kind === 'text' &&
      tree.plain &&
      /^(?:0|[1-9]\d{0,8})$/.test(tree.text) &&
      options.some((option) => option instanceof z.ZodNumber)
    )
      return Number(tree.text);
    const fits = options.find((option) => z.safeParse(option, shape(tree, option).value).success);
    return this.read(tree, fits ?? options[0] ?? z.unknown(), path);
  }
}

/** A text says that it isn't there only without quotes. */
function isAbsent(tree: TextTree, schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodArray || schema instanceof z.ZodRecord) return false;
  if (schema instanceof z.ZodUnknown) return false;
  const isFree = schema instanceof z.ZodString || schema instanceof z.ZodUnion;
  return isFree ? tree.plain && /^(?:|~|null)$/i.test(tree.source) : isNothing(tree.text);
}

function hasContent(tree: Tree): boolean {
  if (tree.kind === 'text') return !isNothing(tree.text);
  return tree.kind === 'list'
    ? tree.items.some(hasContent)
    : tree.entries.some(([, value]) => hasContent(value));
}

/** Reads a tree as YAML's core schema does, where the schema wants nothing in particular. */
export function guessed(tree: Tree): unknown {
  if (tree.kind === 'list') return tree.items.map(guessed);
  if (tree.kind === 'table')
    return Object.fromEntries(tree.entries.map(([key, value]) => [key, guessed(value)]));
  if (!tree.plain) return tree.text;
  if (/^(?:|~|null|Null|NULL)$/.test(tree.source)) return null;
  if (/^(?:true|false)$/i.test(tree.source)) return tree.source.toLowerCase() === 'true';
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d*[1-9])?$/.test(tree.source) ? Number(tree.source) : tree.source;
}

function dedented(source: string): string {
  const lines = source.split('\n');
  const indents = lines
    .slice(1)
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length);
  const least = smallest(indents, 200);
  return [lines[0] ?? '', ...lines.slice(1).map((line) => line.slice(least))].join('\n').trimEnd();
}

/** `a.ts:18`, `a.ts:18-20`, `a.ts#L18`, `a.ts (line 18)`. */
const fileWithLine =
  /^(.*?[^\s:,(#])(?::L?(\d+)(?:[-–:]L?\d+)*|#L(\d+)(?:-L?\d+)?|,?\s*\(?lines? (\d+)(?:\s*[-–]\s*\d+)?\)?)$/;

function lineOf(text: string): number | undefined {
  const [, line] = /^(?:lines?\s*|L)?(\d{1,9})(?:\s*(?:-|–|to)\s*L?\d{1,9})?$/i.exec(text.trim()) ?? [];
  return line === undefined ? undefined : Number(line);
}

/** A line of its own counts. */
function withPlace(value: Record<string, unknown>): Record<string, unknown> {
  if (typeof value['file'] !== 'string') return value;
  const file = value['file'].trim().replace(/^`(.*)`$/, '$1');
  const [, path, ...lines] = fileWithLine.exec(file) ?? [];
  if (path === undefined) return file === value['file'] ? value : { ...value, file };
  return { ...value, file: path, line: value['line'] ?? Number(lines.join('')) };
}

function itemsOf(tree: Tree, outer: z.core.$ZodType, path = ''): readonly Tree[] | undefined {
  const element = bareSchema(outer);
  const saysNone = ({ text, plain }: TextTree): boolean =>
    (plain || tree.kind === 'text' ? isNothing(text) : isNone(text)) ||
    (!isOfNames(path) && isNoContent(text) && !isNothing(text));
  if (tree.kind === 'list')
    return tree.items.every((item) => item.kind === 'text' && saysNone(item)) ? [] : tree.items;
  if (tree.kind === 'table') {
    if (!(element instanceof z.ZodObject)) return undefined;
    const names = Object.keys(element.shape);
    if (tree.entries.some(([key]) => keyFor(key, names) !== undefined)) return [tree];
    const isKeyed = names.includes('id') && tree.entries.every(([, value]) => value.kind === 'table');
    return isKeyed ? tree.entries.map(([key, value]) => withId(key, value)) : undefined;
  }
  if (saysNone(tree)) return [];
  if (!(element instanceof z.ZodString)) return undefined;
  const parts = tree.text
    .trim()
    .split('\n')
    .map((line) => /^\s*(?:[-*•]|\d+[.)])\s+(.*)$/.exec(line)?.[1] ?? '');
  if (parts.length > 1 && parts.every((part) => part !== '')) return parts.map(textTree);
  const words = tree.text.split(/\s*,\s*/);
  return words.length > 1 && tree.plain && words.every((word) => /^[\w.:/@-]+$/.test(word))
    ? words.map(textTree)
    : [tree];
}

/** Among ids one may be called `no`, and among commands `false`. */
function isOfNames(path: string): boolean {
  return /(?:_ids|Ids|options|[cC]ommands)(?:\[\d+\])?$/.test(path);
}

function textTree(text: string): TextTree {
  return { kind: 'text', text, plain: false, source: text };
}

function withId(id: string, value: Tree): Tree {
  if (value.kind !== 'table' || value.entries.some(([key]) => key === 'id')) return value;
  return { ...value, entries: [['id', textTree(id)], ...value.entries] };
}

function merged({ items, source }: ListTree): TableTree | undefined {
  const entries = items.flatMap((item) => (item.kind === 'table' ? item.entries : []));
  const isSplit =
    items.length > 0 &&
    items.every(({ kind }) => kind === 'table') &&
    new Set(entries.map(([key]) => key)).size === entries.length;
  return isSplit ? { kind: 'table', entries, source } : undefined;
}
