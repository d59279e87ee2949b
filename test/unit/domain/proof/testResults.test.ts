import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { testCountsOf, testResultsOf } from '../../../../src/domain/proof/testResults.ts';
import { cpuMs } from '../../../support/cpuMs.ts';

const whole = (text: string) =>
  testResultsOf({ head: text, tail: text, outputBytes: Buffer.byteLength(text) });
const read = (text: string) => {
  const results = whole(text);
  return results && { tool: results.tool, failed: results.failed };
};

describe('test results', () => {
  for (const [tool, output, failed] of [
    [
      'pytest',
      `..F\n=========== FAILURES ==========\n____ test_b ____\nFAILED tests/test_a.py::test_b[x-y] - assert 1 == 2\nERROR tests/test_c.py\n====== 1 failed, 2 passed, 1 error in 0.12s ======`,
      ['tests/test_a.py::test_b[x-y]', 'tests/test_c.py'],
    ],
    [
      'unittest',
      'FAIL: test_b (a.T.test_b)\n-----\nTraceback\nRan 3 tests in 0.001s\n\nFAILED (failures=1)',
      ['test_b (a.T.test_b)'],
    ],
    [
      'cargo',
      'running 2 tests\n.F\nfailures:\n\n---- tests::c stdout ----\n\n    not a name\n\n\nfailures:\n    tests::c\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored',
      ['tests::c'],
    ],
    [
      'cargo',
      'running 2 tests\ntest tests::a ... ok\ntest tests::b ... FAILED\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored',
      ['tests::b'],
    ],
    [
      'go',
      '--- FAIL: TestB (0.00s)\n    a_test.go:5: no\nFAIL\nFAIL\texample.com/a\t0.01s\nok  \texample.com/b\t0.01s\nFAIL',
      ['example.com/a TestB'],
    ],
    [
      'go',
      '# example.com/a\n./a.go:3:1: syntax error\nFAIL\texample.com/a [build failed]\nok  \texample.com/b\t0.1s',
      ['example.com/a'],
    ],
    [
      'tap',
      'TAP version 13\nok 1 - a\nnot ok 2 - b\n  ---\n  duration_ms: 1\nnot ok 3 - c # TODO later\n1..3',
      ['b'],
    ],
    ['node', '✔ a (1.2ms)\n✖ b (0.4ms)\nℹ tests 2\nℹ pass 1\nℹ fail 1\n✖ failing tests:\n✖ b (0.4ms)', ['b']],
    [
      'vitest',
      ' FAIL  a.test.ts > suite > b\n\n Test Files  1 failed (1)\n      Tests  1 failed | 1 passed (2)',
      ['a.test.ts > suite > b'],
    ],
    [
      'jest',
      'FAIL ./a.test.js\n  ● suite › b\n\n    expect\n\nTests:       1 failed, 2 passed, 3 total',
      ['suite › b'],
    ],
    [
      'mocha',
      '  suite\n    1) b\n\n  2 passing (4ms)\n  1 failing\n\n  1) suite\n       inner\n         b:\n     Error: no\n      at x (a.js:1:1)',
      ['suite inner b'],
    ],
    [
      'ctest',
      '67% tests passed, 1 tests failed out of 3\n\nThe following tests FAILED:\n\t  2 - b (Failed)',
      ['b'],
    ],
    [
      'surefire',
      '[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.05 s -- in a.BTest\n[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.05 s <<< FAILURE! -- in a.ATest\n[ERROR] a.ATest.adds -- Time elapsed: 0.01 s <<< FAILURE!\norg.opentest4j.AssertionFailedError\n[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0',
      ['a.ATest.adds'],
    ],
    [
      'gradle',
      '> Task :test FAILED\n\nATest > adds() FAILED\n    org.opentest4j.AssertionFailedError at ATest.java:7\n\n2 tests completed, 1 failed',
      ['ATest > adds()'],
    ],
    [
      'dotnet',
      '  Failed A.B.Adds [3 ms]\n  Error Message:\n\nFailed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3, Duration: 5 ms',
      ['A.B.Adds'],
    ],
    [
      'rspec',
      'F.\n\nFinished in 0.01 seconds\n2 examples, 1 failure\n\nFailed examples:\n\nrspec ./spec/a_spec.rb:3 # A adds',
      ['A adds'],
    ],
    [
      'phpunit',
      'There was 1 failure:\n\n1) ATest::testAdds\nFailed asserting that 1 is 2.\n\nFAILURES!\nTests: 2, Assertions: 2, Failures: 1.',
      ['ATest::testAdds'],
    ],
    [
      'junit',
      '<?xml version="1.0"?>\n<testsuites><testsuite name="a"><testcase name="adds" classname="A" time="0"><failure message="no">x</failure></testcase><testcase name="b" classname="A"/></testsuite></testsuites>',
      ['A adds'],
    ],
  ] as const)
    it(`names the failed tests of ${tool}: ${failed.join(', ')}`, () => {
      assert.deepEqual(read(output), { tool, failed: [...failed] });
      assert.deepEqual(read(output.replaceAll('\n', '\r\n').replace(/^/, '\u001B[31m')), {
        tool,
        failed: [...failed],
      });
    });

  for (const [tool, output, passed, ran] of [
    ['tap', 'TAP version 13\nok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP later\n1..3', ['a'], 2],
    ['node', '✔ a (1.2ms)\n✖ b (0.4ms)\nℹ tests 2\nℹ pass 1\nℹ fail 1', ['a'], 2],
    ['unittest', 'Ran 3 tests in 0.001s\n\nOK', null, 3],
    ['pytest', '..F\n1 failed, 2 passed, 1 skipped in 0.12s', null, 3],
    [
      'cargo',
      'test result: ok. 2 passed; 0 failed; 0 ignored\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored',
      null,
      4,
    ],
    ['vitest', ' Test Files  1 failed (1)\n      Tests  1 failed | 2 passed | 3 skipped (6)', null, 3],
    ['jest', 'Tests:       1 failed, 3 skipped, 2 passed, 6 total', null, 3],
    ['mocha', '  2 passing (4ms)\n  1 failing', null, 3],
    ['go', 'ok  \texample.com/b\t0.01s', null, null],
    [
      'go',
      '=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n--- SKIP: TestB (0.00s)\nPASS\nok  \texample.com/b\t0.01s',
      null,
      1,
    ],
    ['ctest', '100% tests passed, 0 tests failed out of 3', null, 3],
    ['tap', 'TAP version 13\nok 1 - src/a.test.js\nok 2 - a\n1..2', ['a', 'src/a.test.js'], 1],
    [
      'surefire',
      'Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.05 s - in A\nTests run: 2, Failures: 0, Errors: 0, Skipped: 0',
      null,
      2,
    ],
    ['dotnet', 'Passed!  - Failed:     0, Passed:     3, Skipped:     1, Total:     4', null, 3],
    ['rspec', '3 examples, 0 failures, 1 pending', null, 3],
    ['phpunit', 'OK (2 tests, 4 assertions)', null, 2],
    [
      'junit',
      '<testsuite><testcase name="a"/><testcase name="b"><skipped/></testcase></testsuite>',
      ['a'],
      1,
    ],
  ] as const)
    it(`counts the tests of ${tool}`, () => {
      const results = whole(output);
      assert.deepEqual([results?.passed, results?.ran], [passed, ran]);
    });

  for (const [tool, output, counts] of [
    ['tap', 'TAP version 13\nok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP later\n1..3\n# skipped 1', [2, 1, 1, 1]],
    ['node', '✔ a (1.2ms)\nℹ tests 2\nℹ skipped 1', [1, 1, 0, 1]],
    [
      'pytest',
      '..F\nFAILED a.py::b - no\n1 failed, 2 passed, 2 skipped, 1 deselected in 0.12s',
      [3, 2, 1, 3],
    ],
    ['unittest', 'Ran 3 tests in 0.001s\n\nOK (skipped=2)', [3, 3, 0, 2]],
    ['cargo', 'test result: ok. 2 passed; 0 failed; 4 ignored; 0 measured', [2, 2, 0, 4]],
    ['mocha', '  2 passing (4ms)\n  3 pending', [2, 2, 0, 3]],
    ['jest', 'Tests:       1 skipped, 2 passed, 3 total', [2, 2, 0, 1]],
    ['rspec', '3 examples, 0 failures', [3, 3, 0, null]],
    ['nothing', 'hello', undefined],
  ] as const)
    it(`says of ${tool} how many tests ran, passed, failed and were skipped`, () => {
      const found = testCountsOf({ head: output, tail: output, outputBytes: Buffer.byteLength(output) });
      assert.deepEqual(found && [found.ran, found.passed, found.failed, found.skipped], counts);
    });

  it('knows a run without failures', () => {
    assert.deepEqual(read('TAP version 13\nok 1 - a\n1..1'), { tool: 'tap', failed: [] });
    assert.deepEqual(read('  suite\n    ✔ a\n\n  1 passing (4ms)'), { tool: 'mocha', failed: [] });
  });

  it('says nothing of output that no tool wrote, or whose middle is missing', () => {
    assert.equal(read('hello'), undefined);
    assert.equal(read(''), undefined);
    assert.equal(
      testResultsOf({ head: 'TAP version 13\n', tail: 'ok 9\n1..9', outputBytes: 100_000 }),
      undefined,
    );
  });

  it('takes what was read while the whole output was there', () => {
    const tests = { tool: 'tap', failed: ['a'], passed: null, ran: 2, skipped: null };
    assert.deepEqual(testResultsOf({ head: '', tail: '', outputBytes: 100_000, tests }), tests);
  });

  it('keeps no more names than are worth their place', () => {
    const results = whole(
      Array.from(
        { length: 9_000 },
        (_, n) => `${n < 3_000 ? 'not ok' : 'ok'} ${n} - ${'name'.repeat(5)} ${n}`,
      ).join('\n') + '\n1..9000',
    );
    assert.deepEqual([results?.failed.length, results?.passed, results?.ran], [2_000, null, 9_000]);
  });

  it('reads whatever a command prints, quickly', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'TAP version 13',
        'not ok 1 - ',
        '--- FAIL: ',
        '# TODO',
        ' failing',
        '  1) ',
        '\n',
        ' ',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
        read(pieces.join(''));
      }),
    );
    const start = cpuMs();
    read(`TAP version 13\n${'not ok 1 - '.padEnd(30_000, ' #')}`);
    read(`1 passed in 1s ${'='.repeat(30_000)}\n${'FAILED a::b - '.repeat(2_000)}`);
    assert.ok(cpuMs() - start < 500);
  });
});
