import * as z from 'zod';
import { canonicalJson, isRecord } from '../../../base/json.ts';
import { problemText } from '../../../domain/documents/base/check.ts';
import type { AnswerForm, Parse, Parsed, Read } from './askTypes.ts';
import { echoed, isPromptEcho } from './answerParts.ts';
import type { Reading } from './readers.ts';
import { relationOf, type SkippedPart } from './skipped.ts';
import { endMark } from '../../../context/promptFile.ts';
import { elisionsIn, hasRequired, isFull, isOnlyUnknown, lostIn, withoutMark } from './whole.ts';
import {
  bareSchema,
  entriesOf,
  isEngineKey,
  isRequired,
  keyFor,
  keysIn,
  keysOf,
  missingKeys,
  topKeys,
} from './keys.ts';
import type { Repair } from './text/repair.ts';
import { shape } from './shape.ts';
import type { ListTree, TableTree, Tree } from './text/tree.ts';
import { readPart } from './readApart.ts';
import { decode } from './text/decode.ts';
import { bareKey } from './text/spellings.ts';

interface Structure<T> {
  readonly tag?: string;
  readonly schema: z.ZodType<T>;
  readonly check?: (value: T) => string | Objection | undefined;
}

interface Objection {
  readonly problem: string;
}

export const unended = `The answer may have been cut off: it doesn't end with the line ${endMark}. Send the whole document again, with that line after it.`;

/**
 * The one way a structured answer is read (docs/decisions/034-structured-answers.md). The last document of an
 * answer counts; an earlier one only if the later text isn't a document of this kind.
 */
export function parseStructured<T>(structure: Structure<T>): Parse<T> {
  const names = topKeys(structure.schema);
  // Found with the first answer: of all schemas they would be a part of each start.
  let keys: readonly string[] | undefined;
  const expected = { ...structure, isKey: (key: string) => keyFor(key, names) !== undefined };
  const read = (text: string): Parsed<T> => {
    if (isPromptEcho(text)) return { ok: false, problem: echoed };
    keys ??= [...keysOf(structure.schema)];
    let problem: string | undefined;
    const request = { form: 'document', text, tag: structure.tag, names, keys } as const;
    const inPieces = (): Parsed<T> | undefined => {
      const pieces = readPart({ ...request, form: 'skipped', place: -1 }) ?? [];
      const whole = pieces.length > 1 ? putTogether(pieces, expected) : undefined;
      return whole?.kind === 'read' ? asParsed(whole) : undefined;
    };
    for (let place = 0; ; place++) {
      const reading = readPart({ ...request, place });
      if (!reading) break;
      const outcome = parseCandidate(reading, expected);
      if (outcome.kind === 'read')
        return withSkipped(outcome, readPart({ ...request, form: 'skipped', place }) ?? [], expected);
      // A document that lacks keys is what the model wrote; that the rest can't be decoded says nothing more.
      if (outcome.kind === 'refused' && !(outcome.isUnreadable && problem !== undefined)) {
        const whole = inPieces();
        if (whole) return whole;
        const { insisted, fallback } = outcome;
        return {
          ok: false,
          problem: outcome.problem,
          ...(insisted ? { insisted } : {}),
          ...(fallback === undefined ? {} : { fallback }),
        };
      }
      if (outcome.kind === 'part') problem ??= outcome.problem;
    }
    const whole = problem === undefined ? undefined : inPieces();
    if (whole) return whole;
    return {
      ok: false,
      problem:
        problem ??
        `The answer holds no ${structure.tag === undefined ? 'YAML document' : `<${structure.tag}> block`}.`,
    };
  };
  // Made when it is asked for: most answers are texts.
  return Object.defineProperty(read, 'form', { get: () => formOf(structure) });
}

/** JSON in which no text can look like the end of its frame. */
function escaped(json: string): string {
  return json.replace(/[<`]/g, (sign) => (sign === '<' ? '\\u003c' : '\\u0060'));
}

/** Undefined for what no tool call can hold: no object, or nothing that JSON schema can say. */
function formOf<T>({ schema, tag }: Structure<T>): AnswerForm | undefined {
  try {
    const { $schema: _, ...made } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    const frame = tag === undefined ? (['```json', '```'] as const) : ([`<${tag}>`, `</${tag}>`] as const);
    return made.type === 'object'
      ? { schema: made, framed: (json) => `${frame[0]}\n${escaped(json)}\n${frame[1]}\n${endMark}` }
      : undefined;
  } catch {
    return undefined;
  }
}

/** `other`: no document of this kind. `part`: lacks keys, maybe quoted. `refused`: the answer, and no use. */
type Outcome<T> =
  | (Read<T> & { readonly kind: 'read'; readonly tree: TableTree })
  | {
      readonly kind: 'part' | 'refused';
      readonly problem: string;
      readonly isUnreadable?: true;
      readonly insisted?: Read<T>;
      readonly fallback?: T;
    }
  | { readonly kind: 'other' };

interface Expected<T> extends Structure<T> {
  readonly isKey: (key: string) => boolean;
}

function parseCandidate<T>(part: Reading, reading: Expected<T>): Outcome<T> {
  const { isJson, ended, stopped, decoded, isMeant, closes, elisions } = part;
  if (!decoded.ok)
    return isMeant ? { kind: 'refused', problem: decoded.error, isUnreadable: true } : { kind: 'other' };
  const tree = unwrapped(decoded.value.tree, reading.schema, reading.isKey);
  if (tree.kind === 'text') return { kind: 'other' };
  const isKnown = tree.kind === 'list' || tree.entries.some(([key]) => reading.isKey(key));
  const isWhole =
    ended ||
    isJson ||
    (closes && isFull(tree, reading.schema)) ||
    (stopped && hasRequired(tree, reading.schema));
  if (isKnown && !isWhole) return { kind: 'refused', problem: unended };
  return parseTree(tree, { elisions, repairs: decoded.value.repairs }, reading, isKnown);
}

function parseTree<T>(
  tree: TableTree | ListTree,
  { elisions, repairs }: { readonly elisions: readonly string[]; readonly repairs: readonly Repair[] },
  reading: Expected<T>,
  isKnown = true,
): Outcome<T> {
  const shaped = shape(tree, reading.schema);
  const lost = lostIn(elisions, shaped);
  const parsed = reading.schema.safeParse(shaped.value);
  if (!isKnown)
    return {
      kind: 'part',
      problem: lost ?? (parsed.success ? 'None of its keys is known.' : problemText(parsed.error)),
    };
  if (!parsed.success)
    return {
      kind: (missingKeys(tree, reading.schema) ?? []).length > 0 ? 'part' : 'refused',
      problem: [lost, problemText(parsed.error)].filter(Boolean).join('\n'),
    };
  const objection = reading.check?.(parsed.data);
  if (typeof objection === 'string') return { kind: 'refused', problem: objection };
  const read = { value: parsed.data, repairs: [...repairs, ...shaped.repairs] };
  // Keys that nobody knows may only be too many; what was left out never is.
  const whole =
    lost === undefined
      ? read
      : isOnlyUnknown(elisions, shaped)
        ? { ...read, repairs: [...read.repairs, ...shaped.dropped] }
        : undefined;
  if (objection) {
    const problem = [objection.problem, lost].filter((line) => line !== undefined).join('\n');
    return { kind: 'refused', problem, ...(whole ? { fallback: whole.value } : {}) };
  }
  if (lost !== undefined) return { kind: 'refused', problem: lost, ...(whole ? { insisted: whole } : {}) };
  if (tree.kind === 'list') return { kind: 'other' };
  // Who writes every key may mean that there is nothing to say.
  if (saysNothing(parsed.data, reading.schema))
    return { kind: 'refused', problem: silent, ...(isFull(tree, reading.schema) ? { insisted: read } : {}) };
  return { kind: 'read', ...read, tree };
}

const silent = 'The document says nothing: everything in it is empty. Fill it in.';

function saysNothing(value: unknown, schema: z.ZodType): boolean {
  const empty = schema.safeParse({});
  return isEmpty(value) || (empty.success && canonicalJson(empty.data) === canonicalJson(value));
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.every(isEmpty);
  return isRecord(value)
    ? Object.values(value).every(isEmpty)
    : value === undefined || value === null || value === false;
}

/**
 * A whole document that comes later wins, pieces are put together, and anything else is asked about
 * (docs/decisions/185-what-a-reader-skips.md).
 */
function withSkipped<T>(
  found: Extract<Outcome<T>, { kind: 'read' }>,
  parts: readonly SkippedPart[],
  reading: Expected<T>,
): Parsed<T> {
  const pieces: SkippedPart[] = [];
  for (const part of parts) {
    const relation = relationOf(part, found.tree, reading.schema);
    if (relation === 'unclear') return { ok: false, problem: skippedProblem(part) };
    if (relation === 'piece') pieces.push(part);
  }
  if (pieces.length === 0) return asParsed(found);
  const own = { side: 'after', kind: 'piece', text: '', tree: found.tree } as const;
  const inOrder = [
    ...pieces.filter(({ side }) => side === 'before'),
    own,
    ...pieces.filter(({ side }) => side === 'after'),
  ];
  const whole = putTogether(inOrder, reading);
  return whole?.kind === 'read' ? asParsed(whole) : { ok: false, problem: skippedProblem(pieces[0] ?? own) };
}

function skippedProblem({ side, text }: SkippedPart): string {
  const start = text.trim().split('\n').slice(0, 3).join('\n').slice(0, 200);
  return `There is more in the answer than one document. This stands ${side} it:\n\n${start}\n\nSend one document that holds everything.`;
}

function putTogether<T>(parts: readonly SkippedPart[], reading: Expected<T>): Outcome<T> | undefined {
  const trees = parts.flatMap(({ tree }) => (tree ? [tree] : []));
  const keys = trees.flatMap((tree) => [...keysIn(tree, reading.schema)]);
  if (trees.length < parts.length || new Set(keys).size < keys.length) return undefined;
  const entries = trees.flatMap((tree) => tree.entries);
  const elisions = parts.flatMap(({ text }) => elisionsIn(text));
  return parseTree(
    { kind: 'table', entries, source: trees.map(({ source }) => source).join('\n') },
    { elisions, repairs: [] },
    reading,
  );
}

export function asParsed<T>({ value, repairs }: Read<T>): Parsed<T> {
  return { ok: true, value, ...(repairs.length === 0 ? {} : { repairs }) };
}

const wrappers = new Set([
  'output',
  'result',
  'data',
  'document',
  'artifact',
  'response',
  'answer',
  'content',
  'contents',
  'body',
  'text',
  'yaml',
  'json',
  'value',
]);
/** Keys that say nothing of their own. */
const besides = new Set([
  'type',
  'format',
  'language',
  'lang',
  'kind',
  'mime',
  'mimetype',
  'contenttype',
  'name',
  'title',
  'filename',
  'role',
  'encoding',
]);

/**
 * Takes a document out of wrappers such as `output: {…}`, and puts a bare list under the only key of lists.
 */
function unwrapped(tree: Tree, schema: z.core.$ZodType, isKey: (key: string) => boolean): Tree {
  const keys = keysOf(schema);
  let inner = tree;
  for (let depth = 0; depth < 4; depth++) {
    if (
      inner.kind === 'list' &&
      inner.items.length === 1 &&
      inner.items[0]?.kind === 'table' &&
      inner.items[0].entries.some(([key]) => isKey(key))
    ) {
      [inner] = inner.items;
      break;
    }
    if (inner.kind !== 'table' || inner.entries.some(([key]) => isKey(key))) break;
    const entries = inner.entries.filter(([key]) => !isEngineKey(key));
    const [only] = entries.length === 1 ? entries : entries.filter(([key]) => wrappers.has(bareKey(key)));
    if (!only || (entries.length > 1 && !entries.every((entry) => entry === only || isBeside(entry)))) break;
    const [, value] = only;
    const content = value.kind === 'text' ? inText(value.text, keys) : value;
    if (!content) break;
    inner = content;
  }
  return inner.kind === 'list' ? underItsKey(inner, schema) : inner;
}

function isBeside([key, value]: readonly [string, Tree]): boolean {
  return besides.has(bareKey(key)) && value.kind === 'text' && !value.text.includes('\n');
}

function inText(text: string, keys: ReadonlySet<string>): Tree | undefined {
  if (!text.includes('\n') && !/^\s*[[{]/.test(text)) return undefined;
  const inner = withoutMark(text)
    .text.trim()
    .replace(/^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n\1\s*$/, '$2');
  const read = decode(inner, keys);
  return read.ok && read.value.tree.kind !== 'text' && read.value.rest.trim() === ''
    ? read.value.tree
    : undefined;
}

function underItsKey(list: Tree, schema: z.core.$ZodType): Tree {
  if (!(schema instanceof z.ZodObject)) return list;
  const lists = entriesOf(schema).filter(
    ([, type]) => bareSchema(type) instanceof z.ZodArray && isRequired(type),
  );
  const [only] = lists;
  return only && lists.length === 1
    ? { kind: 'table', entries: [[only[0], list]], source: list.source }
    : list;
}
