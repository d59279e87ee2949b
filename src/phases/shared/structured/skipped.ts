import type * as z from 'zod';
import { allOf, type AnswerPart, type CleanAnswer, fencesOf, fromStart } from './answerParts.ts';
import { decode } from './text/decode.ts';
import { keysIn } from './keys.ts';
import { shape } from './shape.ts';
import { bareKey } from './text/spellings.ts';
import type { TableTree, Tree } from './text/tree.ts';

/**
 * `piece`: keys of the document; `items`: what could be entries of its lists; `correction`: prose that takes
 * something back.
 */
export interface SkippedPart {
  readonly side: 'before' | 'after';
  readonly kind: 'piece' | 'items' | 'correction';
  readonly text: string;
  readonly tree?: TableTree;
  /** Prose after it says that what comes later takes its place. */
  readonly isReplaced?: true;
}

interface Known {
  readonly keys: ReadonlySet<string>;
  readonly isKey: (key: string) => boolean;
}

const mostSkipped = 100_000;
const mostParts = 12;

export function skippedBeside(answer: CleanAnswer, part: string, known: Known): readonly SkippedPart[] {
  const { text } = allOf(answer);
  const lines = text.split('\n');
  const place =
    part === '' ? { start: lines.length, end: lines.length } : placeIn(lines, withoutRest(part, known));
  if (!place) return [];
  const before = lines.slice(0, isFrame(lines[place.start - 1]) ? place.start - 1 : place.start).join('\n');
  const after = lines.slice(isFrame(lines[place.end]) ? place.end + 1 : place.end).join('\n');
  return [...partsIn(before, 'before', known), ...partsIn(after, 'after', known)].slice(0, mostParts);
}

function isFrame(line = ''): boolean {
  return /^[ \t]*(?:`{3,}|~{3,})/.test(line);
}

function withoutRest(part: string, { keys }: Known): string {
  if (!/^[[{]/.test(part)) return part;
  const read = decode(part, keys);
  return read.ok && read.value.rest.trim() !== ''
    ? part.slice(0, part.length - read.value.rest.length)
    : part;
}

/** The last place where these lines stand; lines that are only tags may stand between them. */
function placeIn(
  lines: readonly string[],
  part: string,
): { readonly start: number; readonly end: number } | undefined {
  const wanted = part.split('\n').map((line) => line.trim());
  const [first = ''] = wanted;
  let tries = 0;
  for (let start = lines.length - 1; start >= 0 && tries < 50; start--) {
    if (lines[start]?.trim() !== first) continue;
    tries++;
    let at = start;
    let found = 0;
    for (; at < lines.length && found < wanted.length; at++) {
      const line = lines[at]?.trim() ?? '';
      if (line === wanted[found]) found++;
      else if (!/^<\/?[A-Za-z][\w-]*>$/.test(line)) break;
    }
    if (found === wanted.length) return { start, end: at };
    // The last line of a JSON value may have something behind it.
    if (found === wanted.length - 1 && lines[at]?.trim().startsWith(wanted[found] ?? '') === true)
      return { start, end: at + 1 };
  }
  return undefined;
}

function partsIn(text: string, side: SkippedPart['side'], known: Known): readonly SkippedPart[] {
  if (text.trim() === '' || text.length > mostSkipped) return [];
  const { lines, fences } = fencesOf(text, true);
  const inFence = new Set(
    fences.flatMap(({ start, end }) => Array.from({ length: end - start + 2 }, (_, at) => start - 1 + at)),
  );
  const bare = lines.filter((_, at) => !inFence.has(at)).join('\n');
  const texts = [
    ...fences
      .toSorted((a, b) => a.start - b.start)
      .map(({ start, end }) => lines.slice(start, end).join('\n')),
    ...documents({ text: bare, ended: true }, known),
  ];
  const isReplaced = side === 'before' && replaces(bare);
  const found = texts
    .flatMap((one) => partOf(one.trim(), side, known))
    .map((part) => (isReplaced ? { ...part, isReplaced: true as const } : part));
  return side === 'after' && found.length === 0 && correction.test(bare)
    ? [{ side, kind: 'correction', text: bare.trim() }]
    : found;
}

const correction =
  /(?:^|[.!?\n]\s*)(?:\W{0,4}(?:correction|erratum|addendum|amendment|update)\b\s*[:—–-]|(?:oh,? )?wait\b|actually,|on second thought|I (?:also )?forgot|I made a mistake|I(?:'d| would) change|please (?:also )?(?:add|change|remove|replace|ignore)|one more (?:item|thing|question|bead|risk|story))/i;

const replacing =
  /\b(?:better|instead|correct(?:ed|ion)?|revised?|final (?:version|answer|document|one)|right one|ignore (?:the|that)|scrap|improved|fixed|updated version|mistakes?|wrong|redo|try again|second try)\b/i;
const continuing = /\b(?:part|piece|continued?|continuing|rest|half|more|also)\b/i;

/** Prose says that what follows is to be taken, and not that it is a further part. */
function replaces(text: string): boolean {
  const prose = text
    .split('\n')
    .filter((line) => /^[A-Z][^{}[\]]*$/.test(line) && !/^[\w-]+:[ \t]+\S/.test(line));
  return prose.some((line) => replacing.test(line)) && !prose.some((line) => continuing.test(line));
}

function documents(part: AnswerPart, { isKey, keys }: Known): readonly string[] {
  return part.text.split(/^---[ \t]*$/m).flatMap((text) => {
    const [start] = fromStart({ ...part, text }, isKey);
    if (start) return jsonIn(start.text, keys);
    const item = /^- [A-Za-z][\w-]*:[ \t]/m.exec(text);
    return item ? [text.slice(item.index)] : [];
  });
}

function jsonIn(text: string, keys: ReadonlySet<string>): readonly string[] {
  const found: string[] = [];
  let rest = text;
  while (/^[[{]/.test(rest) && found.length < mostParts) {
    const read = decode(rest, keys);
    if (!read.ok || read.value.rest.trim() === '') break;
    found.push(rest.slice(0, rest.length - read.value.rest.length));
    rest = read.value.rest.trim();
  }
  return [...found, rest];
}

function partOf(text: string, side: SkippedPart['side'], { keys, isKey }: Known): readonly SkippedPart[] {
  if (text === '') return [];
  const read = decode(text, keys);
  if (!read.ok) {
    const named = text
      .split('\n')
      .filter((line) => keys.has(bareKey(/^[ -]*([A-Za-z][\w-]*):/.exec(line)?.[1] ?? '')));
    return named.length > 1 ? [{ side, kind: 'items', text }] : [];
  }
  const { tree } = read.value;
  if (tree.kind === 'table' && tree.entries.some(([key]) => isKey(key)))
    return [{ side, kind: 'piece', text, tree }];
  return entriesIn(tree, keys) > 1 ? [{ side, kind: 'items', text }] : [];
}

function entriesIn(tree: Tree, keys: ReadonlySet<string>): number {
  if (tree.kind === 'text') return 0;
  if (tree.kind === 'list')
    return tree.items.reduce(
      (most, item) => Math.max(most, item.kind === 'table' ? entriesIn(item, keys) : 0),
      0,
    );
  return tree.entries.filter(([key]) => keys.has(bareKey(key))).length;
}

/** `same`: the document that was read says it, or takes its place. */
export function relationOf(
  { kind, side, tree, isReplaced }: SkippedPart,
  own: TableTree,
  schema: z.ZodType,
): 'same' | 'piece' | 'unclear' {
  if (isReplaced === true) return 'same';
  if (kind === 'correction' || !tree) return 'unclear';
  const [keys, ownKeys] = [keysIn(tree, schema), keysIn(own, schema)];
  if (keys.isDisjointFrom(ownKeys)) return 'piece';
  if (side === 'after') return 'unclear';
  const isCovered = keys.isSubsetOf(ownKeys) || schema.safeParse(shape(tree, schema).value).success;
  return isCovered && hasItemsOf(tree, own) ? 'same' : 'unclear';
}

/** A later document has all items of an earlier one, by ids, paths and words that stand alone. */
function hasItemsOf(earlier: Tree, later: Tree): boolean {
  const [before, after] = [itemsIn(earlier), itemsIn(later)];
  return new Set(before).isSubsetOf(new Set(after)) && before.length <= after.length;
}

function itemsIn(tree: Tree): readonly string[] {
  if (tree.kind === 'text') return [];
  if (tree.kind === 'table') return tree.entries.flatMap(([, value]) => itemsIn(value));
  return tree.items.flatMap((item) =>
    item.kind === 'table' ? [nameOf(item), ...itemsIn(item)] : itemsIn(item),
  );
}

function nameOf({ entries }: TableTree): string {
  const words = entries.flatMap(([, value]) =>
    value.kind === 'text' && /^\S{1,200}$/.test(value.text) ? [value.text] : [],
  );
  return words.join('\n');
}
