import * as z from 'zod';
import type { Parsed } from '../askTypes.ts';
import { candidatesOf } from './candidates.ts';
import { decode } from './decode.ts';
import { mendTexts } from './mendTexts.ts';
import { problemText } from './problemText.ts';
import { isPromptEcho } from './promptEcho.ts';
import { aliasKeys, unwrap } from './unwrap.ts';

export interface Structure<T> {
  /** The tag the document should stand in; without it the fence or bare text is accepted all the same. */
  readonly tag?: string;
  readonly schema: z.ZodType<T>;
  /** What the schema can't say: the reason why a well-formed document is no use, or undefined. */
  readonly check?: (value: T) => string | undefined;
}

/**
 * The one way a structured answer is read (architecture.md section 7): echo, candidates, decoding with small repairs, wrappers and key aliases,
 * schema, semantic check. The first candidate that passes everything wins; the problem text speaks of the one that came furthest.
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
    const mended = mendTexts(document, parsed.error);
    if (mended !== undefined) parsed = structure.schema.safeParse(mended);
  }
  if (!parsed.success) return { ok: false, rank: 1, problem: problemText(parsed.error) };
  const problem = structure.check?.(parsed.data);
  return problem === undefined ? { ok: true, value: parsed.data } : { ok: false, rank: 2, problem };
}
