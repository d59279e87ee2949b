import assert from 'node:assert/strict';
import { isSafeRelativePath, RelativePath } from '../../../src/domain/core/ids.ts';

describe('a relative path', () => {
  for (const path of ['a', 'src/a.ts', '.gitignore', '.github/x', 'a/..b', 'a...', 'ü/ß €.md', 'C'])
    it(`may be ${JSON.stringify(path)}`, () => {
      assert.equal(isSafeRelativePath(path), true);
    });

  for (const path of [
    '',
    '/a',
    '~',
    '~/a',
    'C:/a',
    'a//b',
    'a/',
    '.',
    '..',
    './a',
    'a/../b',
    'a/..',
    '.git',
    'a/.GIT/config',
    'a\\b',
    'a\nb',
    'a\u0085',
  ])
    it(`may not be ${JSON.stringify(path)}`, () => {
      assert.equal(isSafeRelativePath(path), false);
      assert.equal(RelativePath.safeParse(path).success, false);
    });

  it('has 1,000 characters at most', () => {
    assert.equal(RelativePath.safeParse('a'.repeat(1_000)).success, true);
    assert.equal(RelativePath.safeParse('a'.repeat(1_001)).success, false);
  });
});
