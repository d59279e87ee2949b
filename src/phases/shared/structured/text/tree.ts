import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  type ParsedNode,
  Scalar,
  visit,
  type YAMLParseError,
} from 'yaml';
import type { Settled } from '../../../../base/result.ts';
import { asWritten } from './repair.ts';

/** `source`: what the model wrote. */
export type Tree = TextTree | ListTree | TableTree;

export interface TextTree {
  readonly kind: 'text';
  readonly text: string;
  /** Without quotes: it may be a number, a word or nothing. */
  readonly plain: boolean;
  readonly source: string;
}

export interface ListTree {
  readonly kind: 'list';
  readonly items: readonly Tree[];
  readonly source: string;
}

export interface TableTree {
  readonly kind: 'table';
  /** A key may stand there twice. */
  readonly entries: readonly (readonly [string, Tree])[];
  readonly source: string;
}

/** A few lines of aliases could stand for millions. */
const mostAliases = 20;
/** No document is deeper than this, or has more entries and items, or so many characters in them. */
const deepest = 40;
const mostNodes = 20_000;
const mostSource = 8_000_000;

/** JSON is a part of YAML. */
export function treeOf(text: string): Settled<Tree, string> {
  const document = parseDocument(text, {
    schema: 'failsafe',
    uniqueKeys: false,
    merge: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const [error] = document.errors;
  if (error) return { ok: false, error: described(error, text).slice(0, 1_000) };
  try {
    return { ok: true, value: new TreeReader(document, text).read(document.contents, 0) };
  } catch (failure) {
    if (failure instanceof RangeError) return { ok: false, error: failure.message };
    throw failure;
  }
}

type DescribedError = Pick<YAMLParseError, 'message' | 'pos'>;

const mostShown = 80;

/** The library would copy an error's line into each: a line of quotes has thousands. */
function described({ message, pos: [at, to] }: DescribedError, text: string): string {
  if (at < 0) return message;
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  const length = (end < 0 ? text.length : end) - start;
  const line = text.slice(0, start).split('\n').length;
  const column = at - start;
  const place = `${message} at line ${line}, column ${column + 1}`;
  const hidden = column >= 60 && length > mostShown ? Math.min(column - 39, length - 79) : 0;
  const shown = cut(
    `${hidden > 0 ? '…' : ''}${text.slice(start + hidden, start + Math.min(length, hidden + 2 * mostShown))}`,
  );
  if (!/[^ ]/.test(shown)) return place;
  const pointed = hidden > 0 ? column - hidden + 1 : column;
  const before =
    start > 0 && /^ *$/.test(shown.slice(0, pointed))
      ? cut(text.slice(text.lastIndexOf('\n', start - 2) + 1, start), '\n')
      : '';
  const count = to <= start + length && to > at ? Math.max(1, Math.min(to - at, mostShown - pointed)) : 1;
  return `${place}:\n\n${before}${shown}\n${' '.repeat(pointed)}${'^'.repeat(count)}\n`;
}

function cut(line: string, ending = ''): string {
  return line.length > mostShown ? `${line.slice(0, mostShown - 1)}…${ending}` : line;
}

class TreeReader {
  readonly #document: Document.Parsed;
  readonly #text: string;
  #targets: ReadonlyMap<Alias, Node> | undefined;
  #aliases = 0;
  #nodes = 0;
  #source = 0;

  constructor(document: Document.Parsed, text: string) {
    this.#document = document;
    this.#text = text;
  }

  /** Throws a RangeError. */
  read(node: ParsedNode | null | undefined, depth: number): Tree {
    if (depth > deepest) throw new RangeError('It is nested too deeply.');
    if (++this.#nodes > mostNodes) throw new RangeError(`It has more than ${mostNodes} entries.`);
    if (!node) return { kind: 'text', text: '', plain: true, source: '' };
    if (isScalar(node)) return this.#textOf(node);
    if (isAlias(node)) return this.#target(node, depth);
    const comment = 'flow' in node && node.flow ? this.#commentAfter(node.range[1]) : '';
    const source = asWritten(`${this.#text.slice(node.range[0], node.range[1]).trimEnd()}${comment}`);
    if ((this.#source += source.length) > mostSource)
      throw new RangeError('It is nested too deeply for its length.');
    if (isSeq(node))
      return { kind: 'list', items: node.items.map((item) => this.read(item, depth + 1)), source };
    if (!isMap(node)) return { kind: 'text', text: source, plain: false, source };
    const entries = node.items.map(({ key, value }) => {
      const name = this.read(key, depth + 1);
      return [name.kind === 'text' ? name.text : name.source, this.read(value, depth + 1)] as const;
    });
    return { kind: 'table', entries, source };
  }

  #textOf(node: Scalar & { readonly range: readonly [number, number, number] }): TextTree {
    const written = typeof node.value === 'string' ? node.value : '';
    const text = asWritten(written);
    if (node.type !== Scalar.PLAIN) return { kind: 'text', text, plain: text !== written, source: text };
    const [start, end] = node.range;
    const before = this.#text.slice(this.#text.lastIndexOf('\n', start - 1) + 1, start);
    const props = /(?:[!&][^\s,[\]{}]*[ \t]+)+$/.exec(before)?.[0] ?? '';
    return {
      kind: 'text',
      text,
      plain: true,
      source: asWritten(`${props}${text}${this.#commentAfter(end)}`),
    };
  }

  #commentAfter(end: number): string {
    return /^[ \t]+#[^\n]*/.exec(this.#text.slice(end, end + 4_000))?.[0].trimEnd() ?? '';
  }

  /** The alias itself, as a text, where nothing is called so. */
  #target(node: Alias.Parsed, depth: number): Tree {
    const target = (this.#targets ??= targetsOf(this.#document)).get(node);
    if (!target) return { kind: 'text', text: `*${node.source}`, plain: true, source: `*${node.source}` };
    if (++this.#aliases > mostAliases) throw new RangeError('It has too many aliases.');
    return this.read(target as ParsedNode, depth + 1);
  }
}

/** The library would search again for each alias. */
function targetsOf(document: Document.Parsed): ReadonlyMap<Alias, Node> {
  const named = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Node: (_key, node) => {
      const target = isAlias(node) ? named.get(node.source) : undefined;
      if (isAlias(node) && target) targets.set(node, target);
      if (!isAlias(node) && node.anchor !== undefined) named.set(node.anchor, node);
    },
  });
  return targets;
}

export function textsOf(tree: Tree): readonly string[] {
  if (tree.kind === 'text') return [tree.text];
  if (tree.kind === 'list') return tree.items.flatMap(textsOf);
  return tree.entries.flatMap(([key, value]) => [key, ...textsOf(value)]);
}
