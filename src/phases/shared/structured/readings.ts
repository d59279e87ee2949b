import type { Settled } from '../../../base/result.ts';
import { type Candidate, candidatesOf, cleanAnswer, isKeyLine } from './candidates.ts';
import { decode, type Decoded } from './text/decode.ts';
import { keyFor } from './keys.ts';
import { skippedBeside, type SkippedPart } from './skipped.ts';
import { elisionsIn, endsInValue, endsOpen } from './whole.ts';
import type { ListTree, Tree } from './text/tree.ts';

/**
 * A request to read an answer without its schema: the `place`th part of it that may be its document, or its
 * lines; or what stands beside that part, all there is for place -1. It is plain data.
 */
export interface ReadingRequest {
  readonly form: 'document' | 'lines' | 'skipped';
  readonly text: string;
  readonly tag?: string | undefined;
  /** The keys that a document has at its top. */
  readonly names: readonly string[];
  /** The keys that exist at any depth, bare. */
  readonly keys: readonly string[];
  readonly place: number;
}

/** A part of an answer, read without its schema. */
export interface Reading {
  readonly isJson: boolean;
  readonly ended: boolean;
  /** The model ended it by itself, and its last line isn't open. */
  readonly stopped: boolean;
  readonly decoded: Settled<Decoded, string>;
  /** True if it was meant to be the document, even if it can't be decoded. */
  readonly isMeant: boolean;
  /** Its last value ends with a bracket or quote of its own. */
  readonly closes: boolean;
  readonly elisions: readonly string[];
}

/** The objects of a part of an answer, read without their schema. */
export interface LinesReading {
  /** The objects, or the reason why they can't be read; undefined where there are none. */
  readonly records: Records | string | undefined;
  readonly elisions: readonly string[];
}

let last: { readonly request: ReadingRequest; readonly parts: readonly Candidate[] } | undefined;

/** Reads one part of an answer; undefined if it has no more. */
export function readingAt(
  request: ReadingRequest,
): Reading | LinesReading | readonly SkippedPart[] | undefined {
  const isKey = (key: string): boolean => keyFor(key, request.names) !== undefined;
  const part = partsOf(request, isKey)[request.place];
  const keys = new Set(request.keys);
  if (request.form === 'skipped')
    return skippedBeside(cleanAnswer(request.text), part?.text ?? '', { keys, isKey });
  if (!part) return undefined;
  const elisions = elisionsIn(part.text);
  if (request.form === 'lines') return { records: recordsOf(part, keys, isKey), elisions };
  const { text, ended } = part;
  const isJson = /^[[{]/.test(text);
  return {
    isJson,
    ended,
    stopped: part.stopped === true && !endsOpen(text),
    decoded: decode(text, keys),
    isMeant: isJson || text.split('\n').some((line) => isKeyLine(line, isKey)),
    closes: endsInValue(text),
    elisions,
  };
}

/** The parts are kept for the next question about the same answer. */
function partsOf(request: ReadingRequest, isKey: (key: string) => boolean): readonly Candidate[] {
  const { form, text, tag, names } = request;
  if (
    (last?.request.form === 'lines') === (form === 'lines') &&
    last?.request.text.length === text.length &&
    last.request.tag === tag &&
    last.request.names.join() === names.join() &&
    last.request.text === text
  )
    return last.parts;
  const answer = cleanAnswer(text);
  const found = candidatesOf(answer, { ...(tag === undefined ? {} : { tag }), isKey });
  const parts = form === 'lines' ? [...found, { text: answer.text, ended: answer.marked }] : found;
  last = { request, parts };
  return parts;
}

/** `counted`: how many there are shows whether the answer is whole, because each of them ends by itself. */
interface Records {
  readonly list: ListTree;
  readonly ended: boolean;
  readonly counted: boolean;
}

/** The objects of a text; why they can't be read; undefined without any. Prose around is passed over. */
function recordsOf(
  { text, ended }: Candidate,
  keys: ReadonlySet<string>,
  isKey: (key: string) => boolean,
): Records | string | undefined {
  const items: Tree[] = [];
  let rest = text;
  let isArray = false;
  for (let start = startOf(rest); start >= 0; start = startOf(rest)) {
    const decoded = decode(rest.slice(start), keys);
    if (!decoded.ok) return decoded.error;
    const { tree } = decoded.value;
    isArray ||= tree.kind === 'list';
    for (const item of listIn(tree, isKey) ?? []) items.push(item);
    rest = decoded.value.rest;
  }
  if (items.length > 0)
    return {
      list: { kind: 'list', items, source: text },
      ended: ended || isArray || rest.trim() !== '',
      counted: true,
    };
  const whole = decode(text, keys);
  const list = whole.ok ? listIn(whole.value.tree, isKey) : undefined;
  return list && { list: { kind: 'list', items: list, source: text }, ended, counted: false };
}

/** Returns the place where the next object or list starts, at the start of a line; -1 if there is none. */
function startOf(text: string): number {
  const match = /^[ \t]*(?:[-*][ \t]+|\d{1,4}[.)][ \t]+)?`?(?=[{[])/m.exec(text);
  return match ? match.index + match[0].length : -1;
}

function listIn(tree: Tree, isKey: (key: string) => boolean): readonly Tree[] | undefined {
  if (tree.kind === 'list')
    return tree.items.length > 0 && tree.items.every(({ kind }) => kind === 'table') ? tree.items : undefined;
  if (tree.kind === 'text') return undefined;
  if (tree.entries.some(([key]) => isKey(key))) return [tree];
  const lists = tree.entries.flatMap(([, value]) => listIn(value, isKey) ?? []);
  return lists.length > 0 ? lists : [tree];
}
