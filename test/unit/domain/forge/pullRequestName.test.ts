import assert from 'node:assert/strict';
import { pullRequestOf } from '../../../../src/domain/forge/pullRequestName.ts';

describe('the name of a pull request', () => {
  it('is a number or an address', () => {
    for (const [text, found] of [
      ['7', { number: 7 }],
      ['#7', { number: 7 }],
      ['https://github.com/Octo/sample/pull/7', { number: 7, repository: 'github.com/octo/sample' }],
      [
        'https://git.example.com:8443/octo/sample/pull/7/files?w=1#x',
        { number: 7, repository: 'git.example.com:8443/octo/sample' },
      ],
      ['0', undefined],
      ['ABC-7', undefined],
      ['https://github.com/octo/sample/issues/7', undefined],
      ['https://github.com/octo/sample/extra/pull/7', undefined],
      ['file:///octo/sample/pull/7', undefined],
      ['--all', undefined],
    ] as const)
      assert.deepEqual(pullRequestOf(text), found, text);
  });
});
