import { bareKey } from './text/spellings.ts';

/**
 * Keys that belong to the engine. A model may repeat them from the documents it was shown; they carry nothing
 * of its answer.
 */
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

/** Other names that models give a key, where that name isn't a key itself. */
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

/** Returns true if a key is the engine's own. */
export function isEngineKey(key: string): boolean {
  return engineKeys.has(bareKey(key));
}

/**
 * Returns the key that is meant, of those that an object may have: written exactly, in another case or with
 * other separators, in the other number, or by another name.
 */
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

/**
 * Returns the spellings that the keys of an object may have. They are kept: documents have many entries, and
 * objects few kinds.
 */
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
