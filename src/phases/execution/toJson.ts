import * as z from 'zod';
import type { Json } from '../../base/json.ts';

/** A value as it will be read back from the journal: without keys whose value is undefined. */
export function toJson(value: unknown): Json {
  return z.json().parse(JSON.parse(JSON.stringify(value)));
}
