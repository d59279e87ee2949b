import assert from 'node:assert/strict';
import { commandFailure } from '../../../../src/domain/beads/failure.ts';
import { excerptOf, readLongOutput } from '../../../../src/domain/proof/failureExcerpt.ts';
import { describeEvidence } from '../../../../src/phases/shared/worktree/commands.ts';
import { printed } from '../../../support/printed.ts';

/** What a tool prints about one failure, before and after much else, and what of it says why. */
interface Sample {
  readonly tool: string;
  readonly output: string;
  readonly says: readonly string[];
}

const samples: readonly Sample[] = [
  {
    tool: 'node --test, TAP',
    output: `TAP version 13
# Subtest: sums
    # Subtest: adds
    not ok 1 - adds
      ---
      duration_ms: 2.946588
      type: 'test'
      location: '/p/a.test.mjs:3:26'
      failureType: 'testCodeFailure'
      error: |-
        Expected values to be strictly equal:

        1 !== 2

      code: 'ERR_ASSERTION'
      name: 'AssertionError'
      expected: 2
      actual: 1
      operator: 'strictEqual'
      stack: |-
        TestContext.<anonymous> (file:///p/a.test.mjs:3:74)
        Test.runInAsyncScope (node:async_hooks:227:14)
      ...
    1..1
not ok 1 - sums
  ---
  duration_ms: 5.562045
  type: 'suite'
  location: '/p/a.test.mjs:3:1'
  failureType: 'subtestsFailed'
  error: '1 subtest failed'
  ...
{more}1..1
# tests 1`,
    says: ['not ok 1 - adds', '/p/a.test.mjs:3:26', '1 !== 2', 'expected: 2', 'actual: 1'],
  },
  {
    tool: 'node --test, spec',
    output: `✖ adds (3.38643ms)
ℹ tests 1
ℹ fail 1

✖ failing tests:

test at a.test.mjs:3:26
✖ adds (3.38643ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

  1 !== 2

      at TestContext.<anonymous> (file:///p/a.test.mjs:3:74)
      at Test.run (node:internal/test_runner/test:1402:25) {
    generatedMessage: true,
    code: 'ERR_ASSERTION',
    actual: 1,
    expected: 2,
    operator: 'strictEqual',
    diff: 'simple'
  }
{more}`,
    says: ['test at a.test.mjs:3:26', '1 !== 2', 'file:///p/a.test.mjs:3:74', 'expected: 2'],
  },
  {
    tool: 'mocha',
    output: `  sums
    1) adds
  1 passing (5ms)
  1 failing

  1) sums
       adds:

      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
      + expected - actual

      -1
      +2

      at Context.<anonymous> (/p/m.test.js:2:52)
      at process.processImmediate (node:internal/timers:574:21)
{more}`,
    says: ['1) sums', 'adds:', 'AssertionError', '-1', '+2', '/p/m.test.js:2:52'],
  },
  {
    tool: 'jest',
    output: `FAIL ./sum.test.js
  ✕ adds 1 + 2 (3 ms)

  ● adds 1 + 2

    expect(received).toBe(expected) // Object.is equality

    Expected: 4
    Received: 3

      2 |
      3 | test('adds 1 + 2', () => {
    > 4 |   expect(sum(1, 2)).toBe(4);
        |                     ^
      5 | });

      at Object.toBe (sum.test.js:4:21)

{more}Test Suites: 1 failed, 1 total
Tests:       1 failed, 1 total`,
    says: ['● adds 1 + 2', 'Expected: 4', 'Received: 3', 'sum.test.js:4:21'],
  },
  {
    tool: 'vitest',
    output: ` ❯ sum.test.ts (1 test | 1 failed) 5ms
   × adds 4ms

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  sum.test.ts > adds
AssertionError: expected 3 to be 4 // Object.is equality

- Expected
+ Received

- 4
+ 3

 ❯ sum.test.ts:5:21
      3|
      4| test('adds', () => {
      5|   expect(sum(1, 2)).toBe(4)

⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯

{more} Test Files  1 failed (1)
      Tests  1 failed (1)`,
    says: ['FAIL  sum.test.ts > adds', 'expected 3 to be 4', '- 4', '+ 3', 'sum.test.ts:5:21'],
  },
  {
    tool: 'pytest',
    output: `=================================== FAILURES ===================================
________________________________ test_addition _________________________________

    def test_addition():
{source}>       assert add(1, 2) == 4
E       assert 3 == 4
E        +  where 3 = add(1, 2)

test_sum.py:5: AssertionError
----------------------------- Captured stdout call -----------------------------
{more}=========================== short test summary info ============================
FAILED test_sum.py::test_addition - assert 3 == 4
========================= 1 failed, 1 passed in 0.02s ==========================`,
    says: [
      'test_addition ___',
      'assert add(1, 2) == 4',
      'E       assert 3 == 4',
      'test_sum.py:5: AssertionError',
    ],
  },
  {
    tool: 'unittest',
    output: `F
======================================================================
FAIL: test_add (test_sum.TestSum)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/p/test_sum.py", line 6, in test_add
    self.assertEqual(add(1, 2), 4)
AssertionError: 3 != 4

{more}----------------------------------------------------------------------
Ran 1 test in 0.000s

FAILED (failures=1)`,
    says: ['FAIL: test_add', 'line 6', '3 != 4'],
  },
  {
    tool: 'go test',
    output: `--- FAIL: TestAdd (0.00s)
    --- FAIL: TestAdd/small (0.00s)
        add_test.go:12: Add(1, 2) = 3; want 4
FAIL
FAIL\texample.com/add\t0.003s
{more}ok  \texample.com/other\t0.002s
FAIL`,
    says: ['--- FAIL: TestAdd/small', 'add_test.go:12: Add(1, 2) = 3; want 4'],
  },
  {
    tool: 'go test -v',
    output: `=== RUN   TestOne
    one_test.go:3: a log of a test that passes
--- PASS: TestOne (0.00s)
=== RUN   TestAdd
    add_test.go:12: Add(1, 2) = 3; want 4
--- FAIL: TestAdd (0.00s)
FAIL
FAIL\texample.com/add\t0.003s
{more}`,
    says: ['=== RUN   TestAdd', 'add_test.go:12: Add(1, 2) = 3; want 4', '--- FAIL: TestAdd'],
  },
  {
    tool: 'go test, not built',
    output: `# example.com/add [example.com/add.test]
./add_test.go:9:5: undefined: Add
FAIL\texample.com/add [build failed]
{more}`,
    says: ['./add_test.go:9:5: undefined: Add'],
  },
  {
    tool: 'cargo test',
    output: `running 1 test
test tests::adds ... FAILED

failures:

---- tests::adds stdout ----

thread 'tests::adds' panicked at src/lib.rs:13:9:
assertion \`left == right\` failed
  left: 3
 right: 4
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace

{more}
failures:
    tests::adds

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s`,
    says: ['---- tests::adds stdout ----', 'src/lib.rs:13:9', 'left: 3', 'right: 4'],
  },
  {
    tool: 'cargo, not built',
    output: `   Compiling add v0.1.0 (/p)
error[E0308]: mismatched types
 --> src/lib.rs:2:5
  |
2 |     "three"
  |     ^^^^^^^ expected \`i32\`, found \`&str\`

{more}error: could not compile \`add\` (lib) due to 1 previous error`,
    says: ['error[E0308]: mismatched types', 'src/lib.rs:2:5', 'expected `i32`'],
  },
  {
    tool: 'ctest',
    output: `    Start 1: adds
1/2 Test #1: adds .............................Subprocess aborted***Exception:   0.00 sec
adds: /p/adds.c:7: main: Assertion \`add(1, 2) == 4' failed.

    Start 2: other
{more}2/2 Test #2: other ............................   Passed    0.00 sec

50% tests passed, 1 tests failed out of 2

The following tests FAILED:
\t  1 - adds (Subprocess aborted)`,
    says: ['Test #1: adds', "adds.c:7: main: Assertion `add(1, 2) == 4' failed."],
  },
  {
    tool: 'a C program',
    output: `{more}adds: adds.c:7: main: Assertion \`add(1, 2) == 4' failed.
{more}make: *** [Makefile:3: test] Error 134`,
    says: ["adds.c:7: main: Assertion `add(1, 2) == 4' failed."],
  },
  {
    tool: 'JUnit by Maven',
    output: `[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.05 s <<< FAILURE! -- in SumTest
[ERROR] SumTest.adds -- Time elapsed: 0.01 s <<< FAILURE!
org.opentest4j.AssertionFailedError: expected: <4> but was: <3>
\tat SumTest.adds(SumTest.java:11)

[INFO]
{more}[INFO] BUILD FAILURE`,
    says: ['SumTest.adds', 'expected: <4> but was: <3>', 'SumTest.java:11'],
  },
  {
    tool: 'a report in the format of JUnit',
    output: `<testsuites><testsuite name="sum">
<testcase classname="sum" name="adds" time="0.1">
<failure message="expected 3 to be 4" type="AssertionError">
AssertionError: expected 3 to be 4
 at sum.test.ts:5:21
</failure>
</testcase>
{more}</testsuite></testsuites>`,
    says: ['<failure message="expected 3 to be 4"', 'sum.test.ts:5:21'],
  },
  {
    tool: 'TypeScript',
    output: `src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.
{more}`,
    says: ["src/a.ts(3,7): error TS2322: Type 'string'"],
  },
];

const filler = (lines: number, text = 'a line that says nothing') => `${text}\n`.repeat(lines);

describe('what is shown of an output that failed', () => {
  for (const { tool, output, says } of samples)
    it(`is the assertion and where it is: ${tool}`, () => {
      const text = output.replace('{source}', filler(30, '        x = 1')).replaceAll('{more}', filler(60));
      const evidence = printed(text, { exitCode: 1, tail: '', excerpt: excerptOf(text) });
      for (const shown of [commandFailure(evidence).output, describeEvidence(evidence)]) {
        for (const part of says) assert.ok(shown.includes(part), `${part} isn't in\n${shown}`);
        assert.ok(shown.length <= 4_200, 'it is bounded');
      }
      const { output: shown } = commandFailure(evidence);
      assert.ok(shown.split('\n').length <= 45, shown);
      assert.ok(shown.endsWith(text.trimEnd().split('\n').at(-1) ?? '-'), `its end follows\n${shown}`);
    });

  it('leaves out calls within the runner, and failures of groups', () => {
    const { output = '' } = samples[0] ?? {};
    const shown = excerptOf(output.replace('{more}', filler(60))) ?? '';
    assert.doesNotMatch(shown, /async_hooks|duration_ms|subtestsFailed/);
  });

  it('shows the first failures of many, whole', () => {
    const one = (name: string) =>
      `not ok 1 - ${name}\n  ---\n  error: 'no ${name}'\n  expected: 1\n  actual: 2\n  ...\n`;
    const many = Array.from({ length: 50 }, (_, at) => one(`case${String(at)}`)).join('');
    const shown = excerptOf(`TAP version 13\n${many}1..50`) ?? '';
    for (const name of ['case0', 'case1', 'case2']) assert.match(shown, new RegExp(`error: 'no ${name}'\\n`));
    assert.doesNotMatch(shown, /error: 'no case3'/);
  });

  it('is read from the whole of an output that is too long to be kept', () => {
    const { output = '' } = samples[0] ?? {};
    const text = `${filler(3_000, '# before')}${output.replace('{more}', filler(3_000, '# after'))}`;
    const tests = readLongOutput(text);
    assert.ok(tests);
    const [head, tail] = [text.slice(0, 32_768), text.slice(-32_768)];
    const evidence = printed(text, { exitCode: 1, head, tail, excerpt: tests.excerpt });
    const { output: shown } = commandFailure(evidence);
    assert.match(shown, /1 !== 2/);
    assert.ok(shown.endsWith('# tests 1'), shown);
  });

  it('is its end where nothing is recognized', () => {
    assert.equal(excerptOf('nothing to see\nhere'), undefined);
    assert.equal(commandFailure(printed('red\n', { exitCode: 1, tail: '' })).output, 'red');
  });
});
