import * as z from 'zod';
import { readFixture } from '../../support/readFixture.ts';

/**
 * What a reviewer says of a part that was delivered wrong, and an assertion that only the right one passes.
 */
const SeededBug = z.strictObject({
  right: z.string(),
  wrong: z.string(),
  claim: z.string(),
  shows: z.string(),
});

/** Its own test, `passes`, doesn't see the bugs. */
const SeededModule = z.strictObject({
  name: z.string(),
  code: z.string(),
  passes: z.string(),
  bugs: z.tuple([SeededBug, SeededBug]),
});
export type SeededBug = Readonly<z.infer<typeof SeededBug>>;
export type SeededModule = Readonly<z.infer<typeof SeededModule>>;

/** Bugs that pass the tests of those who made them. */
export const seededModules: readonly SeededModule[] = readFixture(
  'seeded-modules.yaml',
  z.array(SeededModule).length(20),
);

/** With the given ones of its bugs. */
export function delivered({ code, bugs }: SeededModule, present: readonly SeededBug[]): string {
  return bugs.reduce(
    (text, one) => (present.includes(one) ? text.replace(one.right, () => one.wrong) : text),
    code,
  );
}

/** With these assertions beside its own. */
export function testOf({ name, passes }: SeededModule, more: readonly string[] = []): string {
  const cases = [passes, ...more].map(
    (body, index) => `test('${name} ${String(index + 1)}', () => { ${body} });\n`,
  );
  return [
    "import assert from 'node:assert/strict';",
    "import test from 'node:test';",
    `import * as it from '../src/${name}.mjs';`,
    '',
    ...cases,
  ].join('\n');
}
