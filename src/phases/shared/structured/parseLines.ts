import * as z from 'zod';
import { isRecord } from '../../../base/json.ts';
import type { Parsed } from '../ask/askTypes.ts';
import { candidatesOf, isPromptEcho } from './candidates.ts';
import { problemText } from '../../../domain/documents/check.ts';
import { decode, decodeJson, aliasKeys } from './decode.ts';

/**
 * Reads JSON lines: one object a line, in a fence or bare. A JSON array, or a document whose only list holds the objects, is accepted too.
 * `check` is as in `parseStructured`.
 */
export function parseLines<T>(structure: {
  readonly tag?: string;
  readonly schema: z.ZodType<T>;
  readonly check?: (values: readonly T[]) => string | undefined;
}): (text: string) => Parsed<readonly T[]> {
  const keys = structure.schema instanceof z.ZodObject ? Object.keys(structure.schema.shape) : [];
  const schema = z.array(structure.schema).min(1);
  return (text) => {
    if (isPromptEcho(text)) return { ok: false, problem: 'The answer repeats the prompt instead of answering it.' };
    let problem = 'The answer holds no JSON lines.';
    for (const candidate of candidatesOf(text, { ...(structure.tag === undefined ? {} : { tag: structure.tag }), keys: [] })) {
      const records = recordsOf(candidate);
      if (records === undefined) continue;
      const parsed = schema.safeParse(records.map((record) => aliasKeys(record, keys)));
      const semantic = parsed.success ? structure.check?.(parsed.data) : problemText(parsed.error);
      if (parsed.success && semantic === undefined) return { ok: true, value: parsed.data };
      problem = semantic ?? problem;
      break;
    }
    return { ok: false, problem };
  };
}

/** The objects of a text, or undefined when it holds none. A line that isn't JSON stays in as its text, so that its place is named. */
function recordsOf(text: string): readonly unknown[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const objects = lines.filter((line) => line.trimStart().startsWith('{'));
  const read = objects.map((line) => decodeJson(line.trim()));
  const aside = lines.length - objects.length;
  if (objects.length > 0 && aside === 0 && read.every((line) => line.ok && isRecord(line.value)))
    return read.map((line) => (line.ok ? line.value : null));
  const whole = decode(text);
  const list = whole.ok ? listIn(whole.value) : undefined;
  if (list) return list;
  // Prose around the lines is passed over; the lines are what was asked for.
  return objects.length > 0 ? read.map((line, index) => (line.ok ? line.value : objects[index])) : undefined;
}

function listIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value.every(isRecord) && value.length > 0 ? value : undefined;
  if (!isRecord(value)) return undefined;
  const lists = Object.values(value).filter((item) => Array.isArray(item) && item.length > 0 && item.every(isRecord));
  return lists.length === 1 && Object.keys(value).length <= 2 ? listIn(lists[0]) : [value];
}
