import * as z from 'zod';
import { bareKey } from './text/spellings.ts';

/** A schema without what wraps it: defaults, optionality, and preparations of its input. */
export function bareSchema(schema: z.core.$ZodType): z.core.$ZodType {
  let inner = schema;
  for (;;) {
    if (
      inner instanceof z.ZodOptional ||
      inner instanceof z.ZodDefault ||
      inner instanceof z.ZodNullable ||
      inner instanceof z.ZodReadonly ||
      inner instanceof z.ZodCatch
    )
      inner = inner.def.innerType;
    else if (inner instanceof z.ZodPipe) inner = inner.def.out;
    else return inner;
  }
}

/** The keys of an object and their schemas. */
export function entriesOf({ shape }: z.ZodObject): readonly (readonly [string, z.core.$ZodType])[] {
  return Object.entries<z.core.$ZodType>(shape);
}

/** Every key that a schema knows at any depth, bare. */
export function keysOf(schema: z.core.$ZodType): ReadonlySet<string> {
  const keys = new Set<string>();
  const walk = (outer: z.core.$ZodType): void => {
    const inner = bareSchema(outer);
    if (inner instanceof z.ZodObject)
      for (const [key, value] of entriesOf(inner)) {
        keys.add(bareKey(key));
        walk(value);
      }
    else if (inner instanceof z.ZodArray) walk(inner.def.element);
    else if (inner instanceof z.ZodRecord) walk(inner.def.valueType);
    else if (inner instanceof z.ZodUnion) inner.def.options.forEach(walk);
  };
  walk(schema);
  return keys;
}

/** The keys that a document must have at its top. */
export function requiredKeys(schema: z.ZodObject): readonly string[] {
  return entriesOf(schema).flatMap(([key, value]) => (isRequired(value) ? [key] : []));
}

/** Returns true if a key may not be left out. */
export function isRequired(schema: z.core.$ZodType): boolean {
  return !z.safeParse(schema, undefined).success;
}
