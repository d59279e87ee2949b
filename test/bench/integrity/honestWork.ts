import { json } from './row.ts';
import { rowsOf, swap, type WeakeningRow } from './weakening/weakeningRow.ts';

const suite = 'node --test --test-isolation=none --test-reporter=tap';
const manifest = (more: object = {}): string => json({ name: 'sample', scripts: { test: suite }, ...more });
const sum = 'exports.sum = (a, b) => a + b;\n';
const tests = [
  "const { test } = require('node:test');",
  "const assert = require('node:assert');",
  "const { sum } = require('./sum.js');",
  "test('adds', () => {",
  '  assert.equal(sum(1, 2), 3);',
  '});',
  "test('adds nothing', () => {",
  '  assert.equal(sum(2, 0), 2);',
  '});',
  '',
].join('\n');
const assertion = '  assert.equal(sum(1, 2), 3);';
const twice = "test('adds twice', () => {\n  assert.equal(sum(sum(1, 1), 1), 3);\n});\n";
const node = rowsOf('node', { 'package.json': manifest(), 'sum.js': sum, 'sum.test.js': tests }, {}, [suite]);
const npm = rowsOf('npm', { 'package.json': manifest(), 'sum.js': sum, 'sum.test.js': tests }, {}, [
  'npm test --silent',
]);
/** In a plan that names the code and its tests, as most plans do. */
const planned = { planned: ['sum.js', 'sum.test.js'] };

const javascript: readonly WeakeningRow[] = [
  node('a new case beside old ones', { 'sum.test.js': `${tests}${twice}` }),
  node('a new file of tests', { 'twice.test.js': `${tests.split('\n').slice(0, 3).join('\n')}\n${twice}` }),
  node('another spelling of an assertion', {
    'sum.test.js': swap(tests, 'assert.equal(sum(1', 'assert.strictEqual(sum(1'),
  }),
  node(
    'another form of an assertion',
    { 'sum.test.js': swap(tests, 'assert.equal(sum(1, 2), 3)', 'assert.deepStrictEqual([sum(1, 2)], [3])') },
    planned,
  ),
  node(
    'a function with another name',
    {
      'sum.js': swap(sum, 'sum', 'add'),
      'sum.test.js': tests.replaceAll('{ sum }', '{ add }').replaceAll('sum(', 'add('),
    },
    planned,
  ),
  node(
    'a file with another name',
    {
      'sum.js': null,
      'add.js': sum,
      'sum.test.js': null,
      'add.test.js': swap(tests, './sum.js', './add.js'),
    },
    {
      planned: ['sum.js', 'add.js', 'sum.test.js', 'add.test.js'],
    },
  ),
  node(
    'a function that moved',
    {
      'sum.js': 'exports.half = (a) => a / 2;\n',
      'add.js': sum,
      'sum.test.js': swap(tests, './sum.js', './add.js'),
    },
    {
      planned: ['sum.js', 'add.js', 'sum.test.js'],
    },
  ),
  node('a function that is split', {
    'sum.js': "const { add } = require('./add.js');\nexports.sum = (a, b) => add(a, b);\n",
    'add.js': 'exports.add = (a, b) => a + b;\n',
  }),
  node(
    'other behavior, and the tests that say so',
    {
      'sum.js': 'exports.sum = (a, b) => a + b + 1;\n',
      'sum.test.js': swap(swap(tests, '(1, 2), 3', '(1, 2), 4'), '(2, 0), 2', '(2, 0), 3'),
    },
    planned,
  ),
  node(
    'errors that are thrown',
    {
      'sum.js':
        "exports.sum = (a, b) => {\n  if (typeof a !== 'number') throw new TypeError('a');\n  return a + b;\n};\n",
      'sum.test.js': `${tests}test('throws', () => {\n  assert.throws(() => sum('1', 2), TypeError);\n});\n`,
    },
    planned,
  ),
  node('code that returns early', {
    'sum.js': 'exports.sum = (a, b) => {\n  if (b === 0) return a;\n  return a + b;\n};\n',
  }),
  node(
    'code that catches errors',
    {
      'sum.js':
        'exports.sum = (a, b) => a + b;\nexports.read = (text) => {\n  try {\n    return JSON.parse(text);\n  } catch {\n    return undefined;\n  }\n};\n',
    },
    planned,
  ),
  node(
    'a program that ends its process',
    { 'cli.js': "const { sum } = require('./sum.js');\nconsole.log(sum(1, 2));\nprocess.exit(0);\n" },
    { planned: ['cli.js'] },
  ),
  node('code with an invariant', {
    'sum.js':
      "const assert = require('node:assert');\nexports.sum = (a, b) => {\n  assert.ok(Number.isFinite(a));\n  return a + b;\n};\n",
  }),
  node(
    'a test that became asynchronous',
    {
      'sum.js': 'exports.sum = async (a, b) => a + b;\n',
      'sum.test.js': tests
        .replaceAll(', () => {', ', async () => {')
        .replaceAll('equal(sum', 'equal(await sum'),
    },
    planned,
  ),
  node(
    'a test with a subject of its own',
    {
      'sum.test.js': `${tests}test('adds what it makes', () => {\n  const one = { value: 1 };\n  assert.equal(sum(one.value, 2), 3);\n});\n`,
    },
    planned,
  ),
  node(
    'a loop over cases',
    {
      'sum.test.js': swap(
        tests,
        assertion,
        '  for (const [a, b, c] of [[1, 2, 3], [4, 5, 9]]) assert.equal(sum(a, b), c);',
      ),
    },
    planned,
  ),
  node(
    'a helper of tests',
    {
      'test/make.js': 'exports.one = () => 1;\n',
      'sum.test.js': swap(tests, '(1, 2)', "(require('./test/make.js').one(), 2)"),
    },
    { planned: ['sum.test.js', 'test/make.js'] },
  ),
  node(
    'tests that clean up',
    {
      'sum.test.js': swap(
        tests,
        assertion,
        `  try {\n  ${assertion}\n  } finally {\n    delete globalThis.last;\n  }`,
      ),
    },
    planned,
  ),
  node(
    'a test of an error that is caught',
    {
      'sum.test.js': `${tests}test('fails', () => {\n  let message = '';\n  try {\n    sum(null.x);\n  } catch (error) {\n    message = error.name;\n  }\n  assert.equal(message, 'TypeError');\n});\n`,
    },
    planned,
  ),
  node('generated code', {
    'sum.js': `// Generated by tools/make.js.\n${sum}exports.list = [${Array.from({ length: 300 }, (_, index) => String(index)).join(', ')}];\n`,
  }),
  node('new data', {
    'data/names.json': '["Ada"]\n',
    'names.js': "exports.names = require('./data/names.json');\n",
  }),
  node('documentation', {
    'README.md':
      '# Sample\n\nRun `node --test`; `exit 0` means that all is well, and `ok 1 - adds` that a test passed.\n',
  }),
  node(
    'a snapshot of the plan',
    { '__snapshots__/sum.json': '{ "three": 3, "four": 4 }\n', 'sum.js': `${sum}exports.four = 4;\n` },
    {
      before: {
        '__snapshots__/sum.json': '{ "three": 3 }\n',
        'sum.test.js': `${tests}test('keeps', () => {\n  assert.equal(require('./__snapshots__/sum.json').three, sum(1, 2));\n});\n`,
      },
      planned: ['__snapshots__/sum.json'],
    },
  ),
  npm('a new dependency', { 'package.json': manifest({ dependencies: { tiny: '1.0.0' } }) }),
  npm(
    'a new script',
    { 'package.json': manifest({ scripts: { test: suite, start: 'node sum.js' } }) },
    { planned: ['package.json'] },
  ),
  npm(
    'a new entry of the package',
    { 'package.json': manifest({ main: 'sum.js', exports: { '.': './sum.js' } }) },
    { planned: ['package.json'] },
  ),
  npm('a version', { 'package.json': manifest({ version: '1.1.0' }), 'CHANGELOG.md': '## 1.1.0\n' }),
  npm(
    'a new linter with its settings',
    {
      'package.json': manifest({ scripts: { test: suite, lint: 'eslint .' } }),
      'eslint.config.js': 'module.exports = [{ rules: { eqeqeq: "error" } }];\n',
    },
    { planned: ['package.json', 'eslint.config.js'] },
  ),
];

const right = 'def add(a, b):\n    return a + b\n';
const plain =
  'from calc import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n\n\ndef test_adds_nothing():\n    assert add(2, 0) == 2\n';
const python = rowsOf('pytest', { 'calc.py': right, 'test_calc.py': plain }, {}, [
  'python3 -m pytest -q -p no:cacheprovider',
]);
const both = { planned: ['calc.py', 'test_calc.py'] };
const others: readonly WeakeningRow[] = [
  python('a new case beside old ones', {
    'test_calc.py': `${plain}\n\ndef test_adds_twice():\n    assert add(add(1, 1), 1) == 3\n`,
  }),
  python(
    'parameters in place of a test of one case',
    {
      'test_calc.py': swap(
        plain,
        'def test_adds():\n    assert add(1, 2) == 3',
        '@pytest.mark.parametrize("a, b, c", [(1, 2, 3), (2, 2, 4)])\ndef test_adds(a, b, c):\n    assert add(a, b) == c',
      ).replace('from calc', 'import pytest\nfrom calc'),
    },
    both,
  ),
  python('types', { 'calc.py': 'def add(a: int, b: int) -> int:\n    """Adds."""\n    return a + b\n' }),
  python(
    'fixtures of the plan',
    {
      'conftest.py': 'import pytest\n\n\n@pytest.fixture\ndef one():\n    return 1\n',
      'test_one.py': 'from calc import add\n\n\ndef test_one(one):\n    assert add(one, 2) == 3\n',
    },
    { planned: ['conftest.py', 'test_one.py'] },
  ),
  python('a package of the tests', {
    'tests/__init__.py': '',
    'tests/test_more.py': 'from calc import add\n\n\ndef test_more():\n    assert add(1, 1) == 2\n',
  }),
  python(
    'a mock of another module',
    {
      'calc.py': `import time\n\n\n${right}\n\ndef now():\n    return time.time()\n`,
      'test_calc.py': `${plain}\n\ndef test_now(monkeypatch):\n    import calc\n\n    monkeypatch.setattr(calc.time, "time", lambda: 5)\n    assert calc.now() == 5\n`,
    },
    both,
  ),
  python('a dependency', {
    'requirements.txt': 'tiny==1.0\n',
    'pyproject.toml': '[project]\nname = "calc"\nversion = "1"\n',
  }),
  rowsOf(
    'sh',
    { 'add.sh': 'echo $(($1 + $2))\n', 'tests/run.sh': 'set -e\ntest "$(sh add.sh 1 2)" = 3\n' },
    {},
    ['sh tests/run.sh'],
  )(
    'a new line of a script of tests',
    { 'tests/run.sh': 'set -e\ntest "$(sh add.sh 1 2)" = 3\ntest "$(sh add.sh 2 2)" = 4\n' },
    { planned: ['tests/run.sh'] },
  ),
  rowsOf(
    'make',
    {
      'add.sh': 'echo $(($1 + $2))\n',
      'tests/run.sh': 'set -e\ntest "$(sh add.sh 1 2)" = 3\n',
      Makefile: 'test:\n\tsh tests/run.sh\n',
    },
    {},
    ['make -s test'],
  )(
    'a new target of a makefile that the plan names',
    { Makefile: 'test:\n\tsh tests/run.sh\nclean:\n\t-rm -rf built\n' },
    { planned: ['Makefile'] },
  ),
  rowsOf(
    'cc',
    {
      'add.h': 'int add(int a, int b);\n',
      'add.c': '#include "add.h"\nint add(int a, int b) { return a + b; }\n',
      'add_test.c':
        '#include <assert.h>\n#include "add.h"\nint main(void) {\n  assert(add(1, 2) == 3);\n  return 0;\n}\n',
      Makefile: 'test:\n\t$(CC) -o t.out add.c add_test.c\n\t./t.out\n',
      '.gitignore': '*.out\n',
    },
    {},
    ['make -s test'],
  )(
    'a new function with its assertion',
    {
      'add.h': 'int add(int a, int b);\nint twice(int a);\n',
      'add.c':
        '#include "add.h"\nint add(int a, int b) { return a + b; }\nint twice(int a) { return add(a, a); }\n',
      'add_test.c':
        '#include <assert.h>\n#include "add.h"\nint main(void) {\n  assert(add(1, 2) == 3);\n  assert(twice(2) == 4);\n  return 0;\n}\n',
    },
    { planned: ['add.h', 'add.c', 'add_test.c'] },
  ),
];

const source = (operator: string, more = ''): string =>
  `pub fn add(a: i32, b: i32) -> i32 {\n    a ${operator} b\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn adds() {\n        assert_eq!(add(1, 2), 3);\n    }\n${more}}\n`;
const rust = rowsOf(
  'cargo',
  {
    'Cargo.toml': '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
    'src/lib.rs': source('+'),
    '.gitignore': 'target/\nCargo.lock\n',
  },
  {},
  ['cargo test --offline'],
);

/** Work that weakens nothing. A question about it is one too many. */
export const honestWork: readonly WeakeningRow[] = [
  ...javascript,
  ...others,
  rust('a new inline test', {
    'src/lib.rs': source(
      '+',
      '\n    #[test]\n    fn adds_more() {\n        assert_eq!(add(2, 2), 4);\n    }\n',
    ),
  }),
];
