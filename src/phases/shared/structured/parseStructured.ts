import * as z from 'zod';
import { isRecord } from '../../../base/json.ts';
import type { Parsed } from '../ask/askTypes.ts';
import { candidatesOf, isPromptEcho } from './candidates.ts';
import { problemText } from '../../../domain/documents/check.ts';
import { decode, aliasKeys, unwrap } from './decode.ts';

interface Structure<T> {
  /** The tag the document should stand in; without it the fence or bare text is accepted all the same. */
  readonly tag?: string;
  readonly schema: z.ZodType<T>;
  /** What the schema can't say: the reason why a well-formed document is no use, or undefined. */
  readonly check?: (value: T) => string | undefined;
}

/**
 * The one way a structured answer is read (docs/decisions/034-structured-answers.md): echo, candidates, decoding with small repairs, wrappers and key
 * aliases, schema, semantic check. The first candidate that passes everything wins; the problem text speaks of the one that came furthest.
 */
export function parseStructured<T>(structure: Structure<T>): (text: string) => Parsed<T> {
  const keys = structure.schema instanceof z.ZodObject ? Object.keys(structure.schema.shape) : [];
  return (text) => {
    if (isPromptEcho(text)) return { ok: false, problem: 'The answer repeats the prompt instead of answering it.' };
    let best = { rank: -1, problem: `The answer holds no ${structure.tag === undefined ? 'YAML document' : `<${structure.tag}> block`}.` };
    for (const candidate of candidatesOf(text, { ...(structure.tag === undefined ? {} : { tag: structure.tag }), keys })) {
      const outcome = parseCandidate(candidate, keys, structure);
      if (outcome.ok) return outcome;
      if (outcome.rank > best.rank) best = outcome;
    }
    return { ok: false, problem: best.problem };
  };
}

type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly rank: number; readonly problem: string };

function parseCandidate<T>(candidate: string, keys: readonly string[], structure: Structure<T>): Outcome<T> {
  const decoded = decode(candidate);
  if (!decoded.ok) return { ok: false, rank: 0, problem: decoded.error };
  const document = aliasKeys(unwrap(decoded.value, keys), keys);
  if (typeof document !== 'object' || document === null) return { ok: false, rank: -1, problem: 'The answer is prose, not a document.' };
  let parsed = structure.schema.safeParse(document);
  if (!parsed.success) {
    const repaired = repairTexts(document, parsed.error);
    if (repaired !== undefined) parsed = structure.schema.safeParse(repaired);
  }
  if (!parsed.success) return { ok: false, rank: 1, problem: problemText(parsed.error) };
  const problem = structure.check?.(parsed.data);
  return problem === undefined ? { ok: true, value: parsed.data } : { ok: false, rank: 2, problem };
}

/**
 * Repairs texts that YAML reads as something else: `- Given a cart: the total is 0` becomes an object, `label: 12` a number. Only where the schema
 * wants a text. Returns a repaired copy, or undefined if there was nothing to repair.
 */
function repairTexts(document: unknown, error: z.ZodError): unknown {
  const copy: unknown = structuredClone(document);
  let repaired = 0;
  for (const issue of error.issues) {
    if (issue.code !== 'invalid_type' || issue.expected !== 'string') continue;
    const place = parentOf(copy, issue.path);
    const key = issue.path.at(-1);
    if (place === undefined || (typeof key !== 'string' && typeof key !== 'number')) continue;
    const text = asText(Reflect.get(place, key));
    if (text !== undefined && Reflect.set(place, key, text)) repaired++;
  }
  return repaired > 0 ? copy : undefined;
}

function parentOf(document: unknown, path: readonly PropertyKey[]): object | undefined {
  let place = document;
  for (const key of path.slice(0, -1)) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return undefined;
    place = Reflect.get(place, key);
  }
  return typeof place === 'object' && place !== null ? place : undefined;
}

function asText(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (!isRecord(value)) return undefined;
  const [only, ...others] = Object.entries(value);
  if (!only || others.length > 0) return undefined;
  const text = typeof only[1] === 'string' ? only[1] : asText(only[1]);
  return text === undefined ? undefined : `${only[0]}: ${text}`;
}
