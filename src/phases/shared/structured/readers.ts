import { checkClaims } from '../../../domain/findings/checkClaims.ts';
import { type ChangedText } from '../../../domain/proof/changedText.ts';
import { findWeakenings } from '../../../domain/proof/testIntegrity.ts';
import { readLongOutput } from '../../../domain/proof/failureExcerpt.ts';
import type { Settled } from '../../../base/result.ts';
import { type AnswerPart, answerPartsOf, cleanAnswer, isKeyLine } from './answerParts.ts';
import { decode, type Decoded } from './text/decode.ts';
import { keyFor } from './keys.ts';
import { skippedBeside, type SkippedPart } from './skipped.ts';
import { elisionsIn, endsInValue, endsOpen } from './whole.ts';
import type { ListTree, Tree } from './text/tree.ts';

interface WeakeningInput {
  readonly changes: readonly ChangedText[];
  readonly programs: readonly string[];
  readonly named: readonly string[];
}

/** Readers of strangers' long texts in a thread of their own: functions of plain data. */
export const readers = {
  answer: readingAt,
  weakenings: ({ changes, programs, named }: WeakeningInput) => findWeakenings(changes, programs, named),
  tests: readLongOutput,
  claims: checkClaims,
} as const;

export type Reader = keyof typeof readers;
export type InputOf<R extends Reader> = Parameters<(typeof readers)[R]>[0];
export type ReadBy<R extends Reader> = ReturnType<(typeof readers)[R]>;

export function readHere<R extends Reader>(reader: R, input: InputOf<R>): ReadBy<R> {
  const read = readers[reader] as (input: InputOf<R>) => ReadBy<R>;
  return read(input);
}

/**
 * The `place`th part of an answer, or its lines; `skipped`: what stands beside it, all there is for place -1.
 */
export interface ReadingRequest {
  readonly form: 'document' | 'lines' | 'skipped';
  readonly text: string;
  readonly tag?: string | undefined;
  readonly names: readonly string[];
  readonly keys: readonly string[];
  readonly place: number;
}

export interface Reading {
  readonly isJson: boolean;
  readonly ended: boolean;
  readonly stopped: boolean;
  readonly decoded: Settled<Decoded, string>;
  readonly isMeant: boolean;
  readonly closes: boolean;
  readonly elisions: readonly string[];
}

export interface LinesReading {
  readonly records: Records | string | undefined;
  readonly elisions: readonly string[];
}

let last: { readonly request: ReadingRequest; readonly parts: readonly AnswerPart[] } | undefined;

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

/** Kept for the next question about the same answer. */
function partsOf(request: ReadingRequest, isKey: (key: string) => boolean): readonly AnswerPart[] {
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
  const found = answerPartsOf(answer, { ...(tag === undefined ? {} : { tag }), isKey });
  const parts = form === 'lines' ? [...found, { text: answer.text, ended: answer.marked }] : found;
  last = { request, parts };
  return parts;
}

/** `counted`: each of them ends by itself, so that their number shows whether the answer is whole. */
interface Records {
  readonly list: ListTree;
  readonly ended: boolean;
  readonly counted: boolean;
}

function recordsOf(
  { text, ended }: AnswerPart,
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
