import * as z from 'zod';
import type { Path } from './located.ts';

/** The values a schema allows at a path, if they can be listed; the first part of a bead's path is left to the caller. */
export function choicesAt(schema: z.ZodType, path: Path): readonly string[] {
  let at: unknown = schema;
  for (const part of path) {
    at = bare(at);
    if (at instanceof z.ZodObject) at = Object.hasOwn(at.shape, part) ? Reflect.get(at.shape, part) : undefined;
    else if (at instanceof z.ZodArray && typeof part === 'number') at = at.element;
    else return [];
  }
  const found = bare(at);
  if (found instanceof z.ZodEnum) return found.options.map(String);
  if (found instanceof z.ZodLiteral) return [...found.values].map(String);
  return found instanceof z.ZodBoolean ? ['true', 'false'] : [];
}

/** Without what only says that it may be left out. */
function bare(schema: unknown): unknown {
  let at = schema;
  while (at instanceof z.ZodDefault || at instanceof z.ZodOptional || at instanceof z.ZodNullable) at = at.unwrap();
  return at;
}
