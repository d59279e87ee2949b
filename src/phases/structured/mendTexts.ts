import type * as z from 'zod';
import { isRecord } from '../../base/json.ts';

/**
 * Mends the slips by which YAML reads a text as something else: `- Given a cart: the total is 0` becomes an object, `label: 12` a number. Only where
 * the schema wants a text. Answers a mended copy, or undefined when there was nothing of that kind.
 */
export function mendTexts(document: unknown, error: z.ZodError): unknown {
  const copy: unknown = structuredClone(document);
  let mended = 0;
  for (const issue of error.issues) {
    if (issue.code !== 'invalid_type' || issue.expected !== 'string') continue;
    const place = parentOf(copy, issue.path);
    const key = issue.path.at(-1);
    if (place === undefined || (typeof key !== 'string' && typeof key !== 'number')) continue;
    const text = asText(Reflect.get(place, key));
    if (text !== undefined && Reflect.set(place, key, text)) mended++;
  }
  return mended > 0 ? copy : undefined;
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
