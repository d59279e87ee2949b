import {
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  visit,
  type Document,
  type Node,
  type Pair,
} from 'yaml';
import type { Path } from '../domain/documents/base/document.ts';

/** Offsets; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A value and its spans. */
export interface Located {
  /** Undefined if unreadable. */
  readonly value: unknown;
  readonly errors: readonly { readonly message: string; readonly span: Span }[];
  /** A plain value, else its key; for a missing part, the nearest one around it. */
  spanOf(path: Path): Span;
  /** With everything below it. */
  wholeOf(path: Path): Span | undefined;
  /** Over several lines, from its name. */
  foldable(): readonly Span[];
  pathOfKey(offset: number): Path | undefined;
}

/** Also right behind it, as a cursor. */
export function holds(span: Span, offset: number): boolean {
  return offset >= span.start && offset <= span.end;
}

/** Reads YAML or JSON. */
export function readYaml(text: string): Located {
  const document = parseDocument(text, { schema: 'core', prettyErrors: false, logLevel: 'silent' });
  const errors = document.errors.map(({ message, pos: [start, end] }) => ({
    message,
    span: { start, end: Math.max(end, start + 1) },
  }));
  const whole = valueOf(document);
  if (!whole.ok) errors.push({ message: whole.message, span: { start: 0, end: text.length } });
  return {
    value: whole.ok ? whole.value : undefined,
    errors,
    spanOf: (path) => markOf(document.contents, path),
    wholeOf: (path) => {
      const node = nodeAt(document.contents, path);
      return node?.range ? trimmed(text, node.range[0], node.range[1]) : undefined;
    },
    foldable: () => foldableIn(document, text),
    pathOfKey: (offset) => pathOfKey(document, offset),
  };
}

function valueOf(
  document: Document,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string } {
  try {
    // Few aliases: a short text could expand to millions.
    return { ok: true, value: document.toJS({ maxAliasCount: 20 }) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

function pairAt(node: Node | null, key: string | number): Pair | undefined {
  return isMap(node) ? node.items.find((pair) => isScalar(pair.key) && pair.key.value === key) : undefined;
}

function childAt(node: Node | null, key: string | number): Node | null {
  const child = isSeq(node) && typeof key === 'number' ? node.items[key] : pairAt(node, key)?.value;
  return isNode(child) ? child : null;
}

function nodeAt(top: Node | null, path: Path): Node | null {
  return path.reduce<Node | null>(childAt, top);
}

function markOf(top: Node | null, path: Path): Span {
  let node = top;
  let mark = firstOf(top);
  for (const part of path) {
    const key = pairAt(node, part)?.key;
    node = childAt(node, part);
    if (isScalar(key)) mark = rangeOf(key) ?? mark;
    else if (node) mark = firstOf(node);
    if (!node) return mark;
  }
  return isScalar(node) && (node.source ?? '') !== '' ? (rangeOf(node) ?? mark) : mark;
}

/** A plain value, or a collection's first key. */
function firstOf(node: Node | null): Span {
  if (isMap(node)) {
    const key = node.items[0]?.key;
    const range = isScalar(key) ? rangeOf(key) : undefined;
    if (range) return range;
  }
  const [start, end] = node?.range ?? [0, 0];
  return { start, end: isScalar(node) ? end : Math.min(start + 1, Math.max(end, start)) };
}

function rangeOf(node: Node): Span | undefined {
  return node.range ? { start: node.range[0], end: node.range[1] } : undefined;
}

function foldableIn(document: Document, text: string): Span[] {
  const spans: Span[] = [];
  const add = (start: number | undefined, node: unknown): void => {
    if (
      start === undefined ||
      !isNode(node) ||
      !node.range ||
      !(isMap(node) || isSeq(node) || isScalar(node))
    )
      return;
    const span = trimmed(text, start, node.range[1]);
    if (text.slice(start, span.end).includes('\n')) spans.push(span);
  };
  visit(document, {
    Pair: (_key, { key, value }) => add(isScalar(key) ? key.range?.[0] : undefined, value),
    Seq: (_key, { items }) => items.forEach((item) => add(isNode(item) ? item.range?.[0] : undefined, item)),
  });
  return spans;
}

function pathOfKey(document: Document, offset: number): Path | undefined {
  let found: Path | undefined;
  visit(document, {
    Pair: (_key, pair, ancestors) => {
      if (!isScalar(pair.key) || pair.key.range?.[0] !== offset) return undefined;
      found = pathThrough([...ancestors, pair]);
      return visit.BREAK;
    },
  });
  return found;
}

function pathThrough(trail: readonly unknown[]): Path {
  return trail.flatMap((node, index): Path => {
    if (isPair(node) && isScalar(node.key)) return [String(node.key.value)];
    const next = trail[index + 1];
    return isSeq(node) ? [node.items.indexOf(next)] : [];
  });
}

function trimmed(text: string, start: number, end: number): Span {
  return { start, end: start + text.slice(start, end).trimEnd().length };
}

/** Lines by text: most of a plan stays while a person types. */
export type LineCache = Map<string, Located>;

interface Line {
  readonly start: number;
  readonly text: string;
}

/**
 * Reads JSON lines or a JSON array as an array of non-blank lines; a path begins with the index there.
 * Invalid lines are errors and `undefined`.
 */
export function readJsonLines(text: string, cache: LineCache = new Map()): Located {
  if (text.trimStart().startsWith('[')) return readArray(text);
  const lines = linesOf(text).map((line) => ({ ...line, ...readLine(line, cache) }));
  const forget = new Set(cache.keys());
  for (const line of lines) forget.delete(line.text);
  for (const gone of forget) cache.delete(gone);
  const lineOf = (path: Path): (typeof lines)[number] | undefined =>
    typeof path[0] === 'number' ? lines[path[0]] : lines[0];
  const start: Span = { start: 0, end: Math.min(1, text.length) };
  return {
    value: lines.map(({ located, error }) => (error ? undefined : located.value)),
    errors: lines.flatMap(({ error }) => error ?? []),
    spanOf: (path) => {
      const line = lineOf(path);
      return line ? moved(line.located.spanOf(path.slice(1)), line.start) : start;
    },
    wholeOf: (path) => {
      const line = lineOf(path);
      const whole = line?.located.wholeOf(path.slice(1));
      return line && whole ? moved(whole, line.start) : undefined;
    },
    foldable: () => [],
    pathOfKey: (offset) => {
      const index = lines.findIndex((line) => offset >= line.start && offset < line.start + line.text.length);
      const line = lines[index];
      const path = line?.located.pathOfKey(offset - line.start);
      return path && [index, ...path];
    },
  };
}

function readArray(text: string): Located {
  const located = readYaml(text);
  const error = jsonError({ start: 0, text });
  return error ? { ...located, value: [], errors: [error] } : located;
}

function readLine(
  line: Line,
  cache: LineCache,
): { readonly located: Located; readonly error: ReturnType<typeof jsonError> } {
  const located = cache.get(line.text) ?? readYaml(line.text);
  cache.set(line.text, located);
  return { located, error: jsonError(line) };
}

function jsonError({ start, text }: Line): { readonly message: string; readonly span: Span } | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const at = /at position (\d+)/.exec(message)?.[1];
    const from = at === undefined ? 0 : Math.min(Number(at), text.length - 1);
    return {
      message,
      span: { start: start + from, end: at === undefined ? start + text.length : start + from + 1 },
    };
  }
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const whole = line.trimEnd();
    if (whole.trim() !== '') lines.push({ start, text: whole });
    start += line.length + 1;
  }
  return lines;
}

function moved({ start, end }: Span, by: number): Span {
  return { start: start + by, end: end + by };
}
