import { firstModules } from './firstModules.ts';
import { moreModules } from './moreModules.ts';
import type { SeededBug, SeededModule } from './seededBug.ts';

/**
 * Twenty modules with forty bugs, of the kinds that pass the tests of those who made them: edges, signs,
 * order, empty input, text in other forms.
 */
export const seededModules: readonly SeededModule[] = [...firstModules, ...moreModules];

/** The module as it is delivered: with the given ones of its bugs. */
export function delivered({ code, bugs }: SeededModule, present: readonly SeededBug[]): string {
  return bugs.reduce(
    (text, one) => (present.includes(one) ? text.replace(one.right, () => one.wrong) : text),
    code,
  );
}

/** The test of a module, with these assertions beside its own. */
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
