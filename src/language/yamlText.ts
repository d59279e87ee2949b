import {
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  visit,
} from 'yaml';
import type { Path } from '../domain/documents/base/document.ts';

/** A part of a text, as offsets; `end` is behind it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A document that was read, and where in its text each part stands. */
export interface Located {
  /** The document as a value; undefined when it can't be read. */
  readonly value: unknown;
  readonly errors: readonly { readonly message: string; readonly span: Span }[];
  /**
   * The span to mark: of a plain value itself, else its key; for a missing part, the nearest one around it.
   */
  spanOf(path: Path): Span;
  /** The whole of a part, with everything below it; undefined when it is missing. */
  wholeOf(path: Path): Span | undefined;
  /** Everything that spans several lines and can be folded, from the line it is named on. */
  foldable(): readonly Span[];
  /** The path of the value whose key begins here. */
  pathOfKey(offset: number): Path | undefined;
}

/** Returns true if a place lies in a span or right behind it, as a cursor does. */
export function holds(span: Span, offset: number): boolean {
  return offset >= span.start && offset <= span.end;
}

/** Reads YAML (of which JSON is a part). Offsets count from `base`, for a text that is a part of another. */
export function readYaml(text: string, base = 0): Located {
  const document = parseDocument(text, { schema: 'core', prettyErrors: false, logLevel: 'silent' });
  const span = (start: number, end: number): Span => ({
    start: base + start,
    end: base + Math.max(end, start),
  });
  const errors = document.errors.map(({ message, pos: [start, end] }) => ({
    message,
    span: span(start, Math.max(end, start + 1)),
  }));
  const whole = valueOf(document);
  if (!whole.ok) errors.push({ message: whole.message, span: span(0, text.length) });
  return {
    value: whole.ok ? whole.value : undefined,
    errors,
    spanOf: (path) => {
      const [start, end] = markOf(document.contents, path);
      return span(start, end);
    },
    wholeOf: (path) => {
      const node = nodeAt(document.contents, path);
      return node?.range ? span(node.range[0], trimmedEnd(text, node.range[0], node.range[1])) : undefined;
    },
    foldable: () => foldableIn(document, text).map(([start, end]) => span(start, end)),
    pathOfKey: (offset) => pathOfKey(document, offset - base),
  };
}

type Range = readonly [start: number, end: number];

function valueOf(
  document: Document,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string } {
  try {
    // Few aliases, because a text of a few lines could otherwise stand for millions.
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

/** Returns the range to mark for a path: see `Located.spanOf`. */
function markOf(top: Node | null, path: Path): Range {
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

/** A plain value, or the first key of what holds several. */
function firstOf(node: Node | null): Range {
  if (isMap(node)) {
    const key = node.items[0]?.key;
    const range = isScalar(key) ? rangeOf(key) : undefined;
    if (range) return range;
  }
  const [start, end] = node?.range ?? [0, 0];
  return isScalar(node) ? [start, end] : [start, Math.min(start + 1, Math.max(end, start))];
}

function rangeOf(node: Node): Range | undefined {
  return node.range ? [node.range[0], node.range[1]] : undefined;
}

function foldableIn(document: Document, text: string): Range[] {
  const ranges: Range[] = [];
  const add = (start: number | undefined, node: unknown): void => {
    if (
      start === undefined ||
      !isNode(node) ||
      !node.range ||
      !(isMap(node) || isSeq(node) || isScalar(node))
    )
      return;
    const end = trimmedEnd(text, start, node.range[1]);
    if (text.slice(start, end).includes('\n')) ranges.push([start, end]);
  };
  visit(document, {
    Pair: (_key, { key, value }) => add(isScalar(key) ? key.range?.[0] : undefined, value),
    Seq: (_key, { items }) => items.forEach((item) => add(isNode(item) ? item.range?.[0] : undefined, item)),
  });
  return ranges;
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

function trimmedEnd(text: string, start: number, end: number): number {
  return start + text.slice(start, end).trimEnd().length;
}
