import { bareKey } from './text/spellings.ts';
import * as z from 'zod';
import type { TableTree, Tree } from './text/tree.ts';

/** Keys that models repeat from documents; they carry nothing of an answer. */
const engineKeys = new Set([
  'schemaversion',
  'ticketid',
  'artifact',
  'approval',
  'version',
  'generatedby',
  'generatedat',
  'sourceinterview',
  'contentsha256',
]);

/** Names that models give a key, where they aren't keys themselves. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  acceptancecriteria: ['criteria', 'ac', 'acceptance'],
  userstories: ['stories'],
  question: ['prompt', 'text', 'questiontext'],
  testcommands: ['commands', 'verificationcommands'],
  requiredcommands: ['commands'],
  problemstatement: ['problem'],
  targetfiles: ['files'],
  prdrefs: ['refs', 'references', 'prdreferences'],
  interviewrefs: ['questions', 'questionrefs', 'questionids', 'interviewreferences'],
  metby: ['coveredby', 'satisfiedby', 'places'],
  unprovedreason: [
    'testcommandreason',
    'testcommandsreason',
    'reasonwithoutcommands',
    'notestcommandsreason',
  ],
  note: ['rationale', 'reason', 'comment'],
  blockedby: ['dependson', 'blockers'],
  freetext: ['text'],
  selectedoptionids: ['selected', 'selectedoptions', 'optionids'],
  gapresolutions: ['resolutions'],
  likelyaction: ['action'],
  expectedresult: ['expected'],
  antipatterns: ['avoid'],
  rationale: ['reason'],
  reason: ['rationale', 'reasoning'],
};

export function isEngineKey(key: string): boolean {
  return engineKeys.has(bareKey(key));
}

/** Written exactly, in another case, separators or number, or by another name. */
export function keyFor(key: string, names: readonly string[]): string | undefined {
  if (names.includes(key)) return key;
  const bare = bareKey(key.slice(0, 200));
  if (bare === '') return undefined;
  const { same, number, called } = spellingsOf(names);
  return same.get(bare) ?? only(number.get(singular(bare)) ?? []) ?? only(called.get(bare) ?? []);
}

interface Spellings {
  readonly same: ReadonlyMap<string, string>;
  readonly number: ReadonlyMap<string, readonly string[]>;
  readonly called: ReadonlyMap<string, readonly string[]>;
}

const known = new WeakMap<readonly string[], Spellings>();

function spellingsOf(names: readonly string[]): Spellings {
  const found = known.get(names);
  if (found) return found;
  const called = names.flatMap((name) =>
    (otherNames[bareKey(name)] ?? []).map((other) => [other, name] as const),
  );
  const made = {
    same: new Map(names.toReversed().map((name) => [bareKey(name), name])),
    number: Map.groupBy(names, (name) => singular(bareKey(name))),
    called: new Map(
      [...Map.groupBy(called, ([other]) => other)].map(([other, list]) => [
        other,
        list.map(([, name]) => name),
      ]),
    ),
  };
  known.set(names, made);
  return made;
}

function only(names: readonly string[]): string | undefined {
  return names.length === 1 ? names[0] : undefined;
}

function singular(bare: string): string {
  return bare
    .replace(/ies$/, 'y')
    .replace(/([^s])s$/, '$1')
    .replace(/criterion$/, 'criteria');
}

/** A schema without defaults, optionality, and preparations of its input. */
export function bareSchema(schema: z.core.$ZodType): z.core.$ZodType {
  let inner = schema;
  for (;;) {
    if (
      inner instanceof z.ZodOptional ||
      inner instanceof z.ZodDefault ||
      inner instanceof z.ZodNullable ||
      inner instanceof z.ZodReadonly ||
      inner instanceof z.ZodCatch
    )
      inner = inner.def.innerType;
    else if (inner instanceof z.ZodPipe) inner = inner.def.out;
    else return inner;
  }
}

export function entriesOf({ shape }: z.ZodObject): readonly (readonly [string, z.core.$ZodType])[] {
  return Object.entries<z.core.$ZodType>(shape);
}

export function keysOf(schema: z.core.$ZodType): ReadonlySet<string> {
  const keys = new Set<string>();
  const walk = (outer: z.core.$ZodType): void => {
    const inner = bareSchema(outer);
    if (inner instanceof z.ZodObject)
      for (const [key, value] of entriesOf(inner)) {
        keys.add(bareKey(key));
        walk(value);
      }
    else if (inner instanceof z.ZodArray) walk(inner.def.element);
    else if (inner instanceof z.ZodRecord) walk(inner.def.valueType);
    else if (inner instanceof z.ZodUnion) inner.def.options.forEach(walk);
  };
  walk(schema);
  return keys;
}

export function topKeys(schema: z.core.$ZodType): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** The keys of the schema that a table has at its top. */
export function keysIn(tree: TableTree, schema: z.core.$ZodType): ReadonlySet<string> {
  const names = topKeys(schema);
  return new Set(tree.entries.flatMap(([key]) => keyFor(key, names) ?? []));
}

/** Those keys that a document must have, and doesn't. Undefined where it has no such keys at all. */
export function missingKeys(tree: Tree, schema: z.core.$ZodType): readonly string[] | undefined {
  if (!(schema instanceof z.ZodObject) || tree.kind !== 'table') return undefined;
  const required = entriesOf(schema).flatMap(([key, value]) => (isRequired(value) ? [key] : []));
  const there = keysIn(tree, schema);
  return required.length === 0 ? undefined : required.filter((key) => !there.has(key));
}

export function isRequired(schema: z.core.$ZodType): boolean {
  return !z.safeParse(schema, undefined).success;
}
