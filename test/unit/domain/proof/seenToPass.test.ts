import assert from 'node:assert/strict';
import { unseenTests } from '../../../../src/domain/proof/seenToPass.ts';
import { printed } from '../../../support/printed.ts';

describe('tests that were red', () => {
  for (const [what, output, red] of [
    ['a process that ended before its tests', '', ['case 1']],
    ['a file without its tests', '✔ a.test.js (4.2ms)\nℹ tests 1', ['case 1']],
    ['a test that was taken away', 'TAP version 13\nok 1 - a\n1..1', ['a', 'b']],
    ['a test that is skipped', 'TAP version 13\nok 1 - a # SKIP later\n1..1', ['a']],
    ['a runner of pytest that ended early', '', ['tests/test_a.py::test_a']],
    ['fewer tests than were red', 'Ran 1 test in 0.001s\n\nOK', ['test_a (T.test_a)', 'test_b (T.test_b)']],
  ] as const)
    it(`were not seen to pass by ${what}`, () => {
      assert.match(unseenTests(printed(output), red) ?? '', /failed without the work/);
    });

  it('were seen to pass by name or by count', () => {
    assert.equal(unseenTests(printed('✔ a (1.2ms)\nℹ tests 1'), ['a']), undefined);
    assert.equal(unseenTests(printed('Ran 2 tests in 0.001s\n\nOK'), ['test_a (T.test_a)']), undefined);
  });

  it('may fail as before', () => {
    assert.equal(
      unseenTests(printed('TAP version 13\nnot ok 1 - a\n1..1', { exitCode: 1, knownFailures: ['a'] }), [
        'a',
      ]),
      undefined,
    );
  });

  it('are not looked for where nothing can be told', () => {
    assert.equal(unseenTests(printed('hello'), []), undefined);
    assert.equal(
      unseenTests(printed('hello'), ['test/a.test.js', 'a.test.js', 'a (unittest.loader._FailedTest.a)']),
      undefined,
      'whole files',
    );
    assert.equal(
      unseenTests(printed('x', { outputBytes: 100_000 }), ['a']),
      undefined,
      'the middle of the output is missing',
    );
    assert.equal(
      unseenTests(printed('ok  \texample.com/b\t0.01s'), ['example.com/b TestA']),
      undefined,
      'Go doesn’t say',
    );
  });
});
