import { parse } from 'yaml';
import type * as z from 'zod';
import type { Settled } from '../../base/result.ts';
import { problemText } from '../structured/problemText.ts';

/** Reads a document a person wrote, as YAML (of which JSON is a part). Answers the document, or where and why it can't be read. Nothing is repaired. */
export function readEdit<T>(schema: z.ZodType<T>, content: string): Settled<T, string> {
  let value: unknown;
  try {
    value = parse(content, { schema: 'core', maxAliasCount: 20, logLevel: 'error' });
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
  const parsed = schema.safeParse(value);
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, error: problemText(parsed.error) };
}
