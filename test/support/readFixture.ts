import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type * as z from 'zod';

/** Everything that tests read and that isn't code. */
export const fixtures = join(import.meta.dirname, '../fixtures');

/** Throws if the file has another shape. */
export function readFixture<T>(path: string, shape: z.ZodType<T>): T {
  return shape.parse(parse(readFileSync(join(fixtures, path), 'utf8')));
}
