import * as z from 'zod';
import { problemText } from '../../../domain/documents/base/check.ts';
import type { Parsed } from './askTypes.ts';
import { echoed, isPromptEcho } from './answerParts.ts';
import { lostIn } from './whole.ts';
import { asParsed, unended } from './parseStructured.ts';
import { shape } from './shape.ts';
import { keysOf, topKeys } from './keys.ts';
import { readPart } from './readApart.ts';

/** A `check` that knows the number of lines makes an end mark unnecessary. */
export function parseLines<T>(structure: {
  readonly tag?: string;
  readonly schema: z.ZodType<T>;
  readonly check?: (values: readonly T[]) => string | undefined;
}): (text: string) => Parsed<readonly T[]> {
  const schema = z.array(structure.schema).min(1);
  const names = topKeys(structure.schema);
  // Found with the first answer: of all schemas they would be a part of each start.
  let keys: readonly string[] | undefined;
  return (text) => {
    if (isPromptEcho(text)) return { ok: false, problem: echoed };
    keys ??= [...keysOf(structure.schema)];
    for (let place = 0; ; place++) {
      const reading = readPart({ form: 'lines', text, tag: structure.tag, names, keys, place });
      if (!reading) break;
      const found = reading.records;
      if (found === undefined) continue;
      if (typeof found === 'string') return { ok: false, problem: found };
      const shaped = shape(found.list, schema);
      const lost = lostIn(reading.elisions, shaped);
      const parsed = schema.safeParse(shaped.value);
      const problem = parsed.success ? structure.check?.(parsed.data) : problemText(parsed.error);
      if (lost !== undefined || problem !== undefined) return { ok: false, problem: lost ?? problem ?? '' };
      if (!found.ended && !(found.counted && structure.check)) return { ok: false, problem: unended };
      if (parsed.success) return asParsed({ value: parsed.data, repairs: shaped.repairs });
    }
    return { ok: false, problem: 'The answer holds no JSON lines.' };
  };
}
