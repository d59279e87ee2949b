import assert from 'node:assert/strict';
import { resultOf, suiteLine, unsteadyIn, verdict } from '../../../.build/verdict.mjs';

const counts = { passed: 3, failed: 0, skipped: 0 };
const failed = {
  passed: 2,
  failed: 1,
  skipped: 0,
  failures: [{ title: 'a page › opens', message: 'Timeout of 5000ms exceeded.\nat line 1' }],
};
const passed = { ...counts, failures: [] };
const unsteady = (file: string) => ({ file, failures: failed.failures });

describe('the result of a test process', () => {
  it('is what its tests counted', () => {
    assert.deepEqual(resultOf({ ...counts, failures: [] }, 0), passed);
    assert.deepEqual(resultOf(failed, 1), failed);
  });

  for (const [what, written, code, said] of [
    ['wrote no counts', undefined, 'SIGKILL', 'ended with SIGKILL and without counts'],
    ['left something running', { ...counts, failures: [], left: 'Timeout' }, 0, 'left behind: Timeout'],
    [
      'ended with an error after its tests',
      { ...counts, failures: [] },
      7,
      'ended with 7 although no test failed',
    ],
  ] as const)
    it(`is a failure more when it ${what}`, () => {
      const result = resultOf(written, code);
      assert.equal(result.failed, 1);
      assert.deepEqual(result.failures, [{ title: 'the process', message: said }]);
    });
});

describe('the line about a suite', () => {
  it('says why tests were left out, once', () => {
    const lacking = 'need bubblewrap, which is missing here';
    const left = resultOf({ ...counts, skipped: 2, failures: [], lacking }, 0);
    assert.equal(
      suiteLine('unit', { ...counts, skipped: 4 }, [passed, left, left]),
      `unit: 3 passed, 0 failed, 4 skipped (some ${lacking})`,
    );
    assert.equal(suiteLine('unit', counts, [passed]), 'unit: 3 passed, 0 failed, 0 skipped');
  });
});

describe('the files that passed only when run again', () => {
  it('keep what failed the first time', () => {
    assert.deepEqual(unsteadyIn([{ file: 'a.test.ts', first: failed, again: passed }]), [
      unsteady('a.test.ts'),
    ]);
  });

  it('are none that failed both times', () => {
    assert.deepEqual(unsteadyIn([{ file: 'a.test.ts', first: failed, again: failed }]), []);
  });
});

describe('the verdict on a run', () => {
  it('ends with the counts', () => {
    assert.deepEqual(verdict({ counts, failures: [], unsteady: [] }), {
      lines: ['3 passed, 0 failed, 0 skipped'],
      exitCode: 0,
    });
  });

  it('names what failed', () => {
    const { lines, exitCode } = verdict({
      counts: { ...counts, failed: 2 },
      failures: ['lint', 'unit'],
      unsteady: [],
    });
    assert.deepEqual(lines, ['failed: lint, unit', '3 passed, 2 failed, 0 skipped']);
    assert.equal(exitCode, 1);
  });

  it('repeats at its end which tests failed, and how', () => {
    const failedTests = [{ file: 'unit', failures: failed.failures }];
    const { lines } = verdict({
      counts: { ...counts, failed: 1 },
      failures: ['unit'],
      failedTests,
      unsteady: [],
    });
    const list = [
      'failed tests:',
      '  unit',
      '    a page › opens: Timeout of 5000ms exceeded.',
      '      at line 1',
    ].join('\n');
    assert.deepEqual(lines, [list, 'failed: unit', '3 passed, 1 failed, 0 skipped']);
  });

  it('lists an unsteady file with the names and messages of its first failures, and fails', () => {
    const { lines, exitCode } = verdict({ counts, failures: [], unsteady: [unsteady('e2e/a.test.ts')] });
    const list = [
      'unsteady, passed only when run again:',
      '  e2e/a.test.ts',
      '    a page › opens: Timeout of 5000ms exceeded.',
      '      at line 1',
    ].join('\n');
    assert.deepEqual(lines, [list, 'failed: 1 unsteady file', '3 passed, 1 failed, 0 skipped']);
    assert.equal(exitCode, 1);
  });

  it('fails for every unsteady file', () => {
    const files = ['a', 'b', 'c'].map(unsteady);
    const { lines, exitCode } = verdict({ counts, failures: [], unsteady: files });
    assert.equal(lines.at(-2), 'failed: 3 unsteady files');
    assert.equal(lines.at(-1), '3 passed, 3 failed, 0 skipped');
    assert.equal(exitCode, 1);
  });
});
