import type * as z from 'zod';

/** Reads stored JSON by a schema. A text that doesn't fit gives undefined: it proves nothing. */
export function readJson<T>(schema: z.ZodType<T>, text: string | undefined): T | undefined {
  if (text === undefined) return undefined;
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
