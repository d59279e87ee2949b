import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const rows = [...readFileSync(join(root, 'docs/faults.md'), 'utf8').matchAll(/^\| \*\*F(\d+)\*\* (.*)$/gm)];

describe('the page of faults', () => {
  it('has each fault once, in order', () => {
    const numbers = rows.map(([, number]) => Number(number));
    assert.ok(numbers.length > 85);
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((a, b) => a - b),
    );
  });

  it('names tests that are there, or says why there is none', () => {
    for (const [, number, row = ''] of rows) {
      const shown = row.split(' | ')[2] ?? '';
      const tests = Array.from(shown.matchAll(/`(test\/[^`]+)`/g), ([, path]) => path ?? '');
      assert.ok(
        tests.length > 0 || /No test: .{20,}\./.test(shown),
        `F${String(number)} names no test and no reason`,
      );
      for (const path of tests)
        assert.ok(existsSync(join(root, path)), `F${String(number)} names ${path}, which isn't there`);
    }
  });

  it('has a test for all but a few', () => {
    assert.ok(rows.filter(([, , row = '']) => row.includes('No test:')).length <= 5);
  });
});
