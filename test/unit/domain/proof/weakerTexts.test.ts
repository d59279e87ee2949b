import assert from 'node:assert/strict';
import type { ChangedText } from '../../../../src/domain/proof/changedText.ts';
import { findWeakenings } from '../../../../src/domain/proof/testIntegrity.ts';

const kindsOf = (changes: readonly ChangedText[]): readonly string[] => [
  ...new Set(findWeakenings(changes).map(({ kind }) => kind)),
];
const changed = (path: string, before: string, after: string, more: readonly ChangedText[] = []) =>
  kindsOf([{ path, before, after }, ...more]);
const assertFound = (kind: string, found: readonly string[]): void =>
  assert.ok(found.includes(kind), JSON.stringify(found));
const script = (body: string, head = "const { sum } = require('./sum.js');"): string =>
  `${head}\ntest('adds', () => {\n${body}\n});\n`;
const one = '  assert.equal(sum(1, 2), 3);';
const was = script(one);

describe('texts of tests that were there before', () => {
  for (const [what, path, before, after] of [
    ['a return before an assertion', 'a.test.js', was, script(`  return;\n${one}`)],
    ['a return under a condition', 'a.test.js', was, script(`  if (!sum) return;\n${one}`)],
    [
      'a condition before an assertion',
      'a.test.js',
      was,
      script('  if (sum(1, 2) === 3) assert.equal(sum(1, 2), 3);'),
    ],
    ['a function that nobody calls', 'a.test.js', was, script(`  const later = () => {\n  ${one}\n  };`)],
    ['a test that is done first', 'a.test.js', script(`${one}\n  done();`), script(`  done();\n${one}`)],
    [
      'a return in Python',
      'test_a.py',
      'def test_a():\n    assert a() == 1',
      'def test_a():\n    return\n    assert a() == 1',
    ],
    [
      'a generator',
      'test_a.py',
      'def test_a(self):\n    assert a() == 1',
      'def test_a(self):\n    yield\n    assert a() == 1',
    ],
    [
      'a coroutine',
      'test_a.py',
      'def test_a(self):\n    assert a() == 1',
      'async def test_a(self):\n    assert a() == 1',
    ],
    [
      'a return beside the last one',
      'a_test.c',
      'int main(void) {\n  assert(a());\n  return 0;\n}',
      'int main(void) {\n  return 0;\n  assert(a());\n  return 0;\n}',
    ],
    [
      'a return in main',
      'a_test.c',
      'int main(void) {\n  assert(a() == 1);\n}',
      'int main(void) {\n  return 0;\n  assert(a() == 1);\n}',
    ],
    ['another program', 'tests/a.sh', 'test "$(a)" = 1', 'exec true\ntest "$(a)" = 1'],
  ] as const)
    it(`can end without their assertions: ${what}`, () => {
      assertFound('returns', changed(path, before, after));
    });

  for (const [what, path, before, after] of [
    ['an empty catch', 'a.test.js', was, script(`  try {\n  ${one}\n  } catch {}`)],
    [
      'a catch that only logs',
      'a.test.js',
      was,
      script(`  try {\n  ${one}\n  } catch (error) {\n    console.log(error);\n  }`),
    ],
    [
      'a promise that catches',
      'a.test.js',
      was,
      script('  run().then((sum) => assert.equal(sum, 3)).catch(() => {});'),
    ],
    [
      'an except',
      'test_a.py',
      'def test_a():\n    assert a() == 1',
      'def test_a():\n    try:\n        assert a() == 1\n    except AssertionError:\n        pass',
    ],
    [
      'a context',
      'test_a.py',
      'def test_a():\n    assert a() == 1',
      'def test_a():\n    with suppress(AssertionError):\n        assert a() == 1',
    ],
    ['a line that may fail', 'tests/a.sh', 'test "$(a)" = 1', 'test "$(a)" = 1 || true'],
    [
      'a panic that is recovered',
      'a_test.go',
      'func TestA(t *testing.T) {\n\tt.Fatal()\n}',
      'func TestA(t *testing.T) {\n\tdefer func() { recover() }()\n\tt.Fatal()\n}',
    ],
  ] as const)
    it(`ignore errors: ${what}`, () => {
      assertFound('swallowed', changed(path, before, after));
    });

  for (const [what, path, before, after] of [
    ['another import', 'a.test.js', was, was.replace('./sum.js', './other.js')],
    ['a function of their own', 'a.test.js', was, script(one, 'const sum = (a, b) => a + b;')],
    [
      'an assert of their own',
      'a.test.js',
      script(one, "const assert = require('assert');"),
      script(one, 'const assert = { equal() {} };'),
    ],
    ['a mock', 'a.test.js', was, `jest.mock('./sum.js');\n${was}`],
    [
      'another module of Python',
      'test_a.py',
      'from a import b\ndef test_a():\n  assert b()',
      'def b():\n  return 1\ndef test_a():\n  assert b()',
    ],
    [
      'a mock in Python',
      'test_a.py',
      'import a\ndef test_a():\n  assert a.b()',
      'import a\n@patch("a.b")\ndef test_a():\n  assert a.b()',
    ],
    [
      'a macro',
      'a_test.c',
      '#include <assert.h>\nint main(void) { assert(a() == 1); }',
      '#define assert(x)\nint main(void) { assert(a() == 1); }',
    ],
    ['a comparison of their own', 'tests/a.sh', 'test "$(a)" = 1', 'test() { :; }\ntest "$(a)" = 1'],
    [
      'an import of Rust',
      'tests/a.rs',
      'use a::add;\n#[test]\nfn adds() { assert!(add()) }',
      'fn add() -> bool { true }\n#[test]\nfn adds() { assert!(add()) }',
    ],
  ] as const)
    it(`use something else: ${what}`, () => {
      assertFound('replaced', changed(path, before, after));
    });

  for (const [what, path, before, after] of [
    [
      'a tolerance',
      'a.test.js',
      script('  assert.ok(Math.abs(sum() - 3) < 0.1);'),
      script('  assert.ok(Math.abs(sum() - 3) < 10);'),
    ],
    [
      'digits',
      'a.test.js',
      script('  expect(sum()).toBeCloseTo(3, 5);'),
      script('  expect(sum()).toBeCloseTo(3, 0);'),
    ],
    ['a type in place of a value', 'a.test.js', was, script("  assert.ok(typeof sum(1, 2) === 'number');")],
    ['something in place of a value', 'tests/a.rs', 'assert_eq!(f(1), 4);', 'assert!(f(1) > 0);'],
    ['anything', 'tests/a.sh', 'test "$(sh a.sh 1)" = 4', 'test -n "$(sh a.sh 1)"'],
    ['a script that goes on', 'tests/a.sh', 'set -e\ntest "$(a)" = 1', 'test "$(a)" = 1'],
  ] as const)
    it(`accept more: ${what}`, () => {
      assertFound('looser', changed(path, before, after));
    });

  for (const [what, path, text] of [
    ['a comparison with itself', 'a.test.js', 'assert.equal(sum(1, 2), sum(1, 2));'],
    ['a comparison with itself', 'test_a.py', 'assert add(1, 2) == add(1, 2)'],
    ['a tuple', 'test_a.py', 'assert (add(1, 2) == 3, "adds")'],
    ['a condition that never holds', 'a.test.js', 'if (false) assert.equal(sum(1, 2), 3);'],
    ['no cases', 'a.test.js', 'for (const one of []) assert.equal(one, 1);'],
    ['no parameters', 'test_a.py', '@pytest.mark.parametrize("a, b", [])'],
    ['no compilation', 'a_test.c', '#if 0'],
    ['an assignment', 'a_test.c', 'assert((got = 3));'],
  ] as const)
    it(`hold what can’t fail: ${what}`, () => {
      assertFound('pretended', changed(path, '', text));
    });

  it('lose an assertion that becomes a comment', () => {
    assert.deepEqual(changed('a.test.js', was, script(`  // ${one.trim()}`)), ['weakened']);
  });

  it('are new, and assert nothing', () => {
    assert.deepEqual(kindsOf([{ path: 'a.test.js', before: null, after: script('  sum(1, 2);') }]), [
      'pretended',
    ]);
    assert.deepEqual(kindsOf([{ path: 'a.test.js', before: null, after: was }]), []);
    assert.deepEqual(
      kindsOf([
        { path: 'a.test.js', before: null, after: script('  if (sum(1, 2) !== 3) throw new Error();') },
      ]),
      [],
    );
  });

  const moved: ChangedText = { path: 'sum.js', before: 'exports.sum = 1;', after: 'exports.half = 1;' };
  for (const [what, before, after, more] of [
    ['a file with another name', was, was.replace('./sum.js', './add.js'), [{ ...moved, after: null }]],
    [
      'a file that git knows under its old name',
      was,
      was.replace('./sum.js', './add.js'),
      [{ ...moved, path: 'add.js', oldPath: 'sum.js' }],
    ],
    ['a function that moved', was, was.replace('./sum.js', './add.js'), [moved]],
    ['a function with another name', was, was.replaceAll('sum', 'add').replace('./add.js', './sum.js'), []],
    [
      'another library',
      script(one, "const assert = require('node:assert');"),
      script(one, "const { assert } = require('chai');"),
      [],
    ],
    ['a clean-up', was, script(`  try {\n  ${one}\n  } finally {\n    end();\n  }`), []],
    [
      'a catch that asserts',
      was,
      script(
        `${one}\n  try {\n    sum();\n  } catch (error) {\n    assert.equal(error.name, 'TypeError');\n  }`,
      ),
      [],
    ],
    [
      'a loop over cases',
      was,
      script('  for (const [a, b, c] of [[1, 2, 3]]) assert.equal(sum(a, b), c);'),
      [],
    ],
    [
      'a helper that returns',
      was,
      script(`  const make = () => {\n    return 1;\n  };\n  make();\n${one}`),
      [],
    ],
    ['a mock of something new', was, `jest.mock('./clock.js');\n${was}`, []],
  ] as const)
    it(`may change: ${what}`, () => {
      assert.deepEqual(
        changed('a.test.js', before, after, more).filter((kind) => kind !== 'changed'),
        [],
      );
    });
});

describe('sources', () => {
  for (const [path, text] of [
    ['a.js', "const tools = require('assert');\ntools['equal'] = () => {};"],
    ['a.js', "import tools from 'node:assert';\nObject.assign(tools, {});"],
    ['a.py', 'setattr(unittest.TestCase, "assertEqual", None)'],
    ['a.js', "if (process.execArgv.some((one) => one.startsWith('--test'))) {}"],
    ['a.js', "new Error().stack.includes('.test.js')"],
    ['a.py', 'if "test_" in inspect.stack()[1].function:'],
    ['a.js', "console.log('TAP version 13');"],
    ['a.py', 'print("2 passed in 0.01s")'],
    ['a.py', 'os._exit(0)'],
    ['a.c', 'exit(0);'],
    ['a.h', '#define assert(x)'],
    ['a.c', '__attribute__((constructor)) void a(void);'],
    ['lib.rs', 'std::process::exit(0)'],
    ['a.go', 'func init() { os.Exit(0) }'],
    ['lib.rs', '#[cfg(not(test))]'],
    ['a.sh', 'ps -o args= -p "$PPID"'],
  ] as const)
    it(`are seen to mind tests: ${text.split('\n').at(-1) ?? ''}`, () => {
      assertFound('detected', changed(path, '', text));
    });

  for (const [path, text] of [
    ['cli.js', 'process.exit(0);'],
    ['a.c', 'int main(void) { exit(0); }'],
    ['cmd/a.go', 'package main\nfunc main() { os.Exit(0) }'],
    ['a.py', 'if os.forkpty()[0] == 0:\n    os._exit(0)'],
    ['a.js', "const assert = require('node:assert');\nassert.ok(a);"],
    ['a.js', "console.log('ok');"],
    ['README.md', 'TAP version 13'],
  ] as const)
    it(`may do what programs do: ${text.split('\n').at(-1) ?? ''}`, () => {
      assert.deepEqual(changed(path, '', text), []);
    });
});
