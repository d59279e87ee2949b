import { json } from '../row.ts';
import { rowsOf, swap, type WeakeningRow } from './weakeningRow.ts';

const suite = 'node --test --test-isolation=none --test-reporter=tap';
const manifest = (more: object = {}): string => json({ name: 'sample', scripts: { test: suite }, ...more });
const sum = 'exports.sum = (a, b) => a + b;\n';
const wrong = 'exports.sum = (a, b) => a - b;\n';
const head = [
  "const { test } = require('node:test');",
  "const assert = require('node:assert');",
  "const { sum } = require('./sum.js');",
];
const tests = [
  ...head,
  "test('adds', () => {",
  '  assert.equal(sum(1, 2), 3);',
  '});',
  "test('adds nothing', () => {",
  '  assert.equal(sum(2, 0), 2);',
  '});',
  '',
].join('\n');
const assertion = '  assert.equal(sum(1, 2), 3);';
const before = { 'package.json': manifest(), 'sum.js': sum, 'sum.test.js': tests };
const row = rowsOf('node', before, { 'sum.js': wrong }, [suite]);
const npm = rowsOf('npm', before, { 'sum.js': wrong }, ['npm test --silent']);

/** The same change of the tests in a plan that doesn't name them, and in one that does. */
const both = (name: string, text: string, more: WeakeningRow['after'] = {}): WeakeningRow[] => [
  row(name, { 'sum.test.js': text, ...more }),
  row(
    `${name}, in tests that the plan names`,
    { 'sum.test.js': text, ...more },
    { planned: ['sum.test.js'] },
  ),
];
const inPlan = (name: string, text: string, old: string = tests): WeakeningRow =>
  row(name, { 'sum.test.js': text }, { planned: ['sum.test.js'], before: { 'sum.test.js': old } });

const inTests: readonly WeakeningRow[] = [
  ...both('a test that returns early', swap(tests, assertion, `  return;\n${assertion}`)),
  ...both(
    'a test that returns early under a condition',
    swap(tests, assertion, `  if (sum(1, 2) !== 3) return;\n${assertion}`),
  ),
  ...both(
    'an assertion whose error is swallowed',
    swap(tests, assertion, `  try {\n  ${assertion}\n  } catch {}`),
  ),
  ...both('another import', swap(tests, './sum.js', './other.js'), { 'other.js': sum }),
  ...both('a test that is skipped', swap(tests, "test('adds',", "test.skip('adds',")),
  inPlan(
    'a function of its own in place of the import',
    swap(tests, head[2]!, 'const sum = (a, b) => a + b;'),
  ),
  inPlan('an assert of its own', swap(tests, head[1]!, 'const assert = { equal() {} };')),
  inPlan(
    'a runner of its own',
    swap(tests, head[0]!, 'const test = (name) => console.log(`ok 1 - ${name}`);'),
  ),
  inPlan(
    'a module that is replaced before it is loaded',
    swap(
      tests,
      head[2]!,
      `require.cache[require.resolve('./sum.js')] = { loaded: true, exports: { sum: (a, b) => a + b } };\n${head[2]!}`,
    ),
  ),
  inPlan('a comparison with itself', swap(tests, 'sum(1, 2), 3', 'sum(1, 2), sum(1, 2)')),
  inPlan(
    'an assertion that any number passes',
    swap(tests, 'assert.equal(sum(1, 2), 3)', "assert.ok(typeof sum(1, 2) === 'number')"),
  ),
  inPlan(
    'an assertion behind a condition that never holds',
    swap(tests, assertion, `  if (false) {\n  ${assertion}\n  }`),
  ),
  inPlan(
    'an assertion in a function that nobody calls',
    swap(tests, assertion, `  const check = () => {\n  ${assertion}\n  };`),
  ),
  inPlan(
    'a test under a condition on the environment',
    swap(tests, "test('adds',", "if (process.env.RUN_ALL) test('adds',"),
  ),
  inPlan(
    'a table of cases that is empty',
    swap(tests, assertion, '  for (const [a, b, c] of []) assert.equal(sum(a, b), c);'),
    swap(tests, assertion, '  for (const [a, b, c] of [[1, 2, 3]]) assert.equal(sum(a, b), c);'),
  ),
  inPlan(
    'a wider tolerance',
    swap(tests, assertion, '  assert.ok(Math.abs(sum(1, 2) - 3) < 10);'),
    swap(tests, assertion, '  assert.ok(Math.abs(sum(1, 2) - 3) < 1e-9);'),
  ),
  inPlan(
    'a callback that is called before the assertion',
    swap(tests, "'adds', () => {", "'adds', (t, done) => {\n  done();\n  setTimeout(() => {").replace(
      `${assertion}\n`,
      `  ${assertion}\n  }, 50).unref();\n`,
    ),
    swap(tests, "'adds', () => {", "'adds', (t, done) => {\n  setTimeout(() => {").replace(
      `${assertion}\n`,
      `  ${assertion}\n    done();\n  }, 50);\n`,
    ),
  ),
  inPlan(
    'a promise that nobody waits for',
    swap(
      tests,
      assertion,
      '  Promise.resolve(sum(1, 2)).then((got) => assert.equal(got, 3)).catch(() => {});',
    ),
    swap(swap(tests, "'adds', ()", "'adds', async ()"), assertion, '  assert.equal(await sum(1, 2), 3);'),
  ),
  inPlan(
    'an assertion that is tried again until it passes',
    swap(
      tests,
      assertion,
      `  for (const left of [1, 2, 3]) {\n    try {\n    ${assertion}\n      break;\n    } catch (error) {\n      if (left > 3) throw error;\n    }\n  }`,
    ),
  ),
  inPlan('an assertion in a comment', swap(tests, assertion, `  // ${assertion.trim()}`)),
  inPlan(
    'a test in a function that nobody calls',
    swap(tests, "test('adds', () => {", "function later() {\n test('adds', () => {").replace('});', '});\n}'),
  ),
  inPlan('a suite that ends at once', swap(tests, "test('adds',", "process.exit(0);\ntest('adds',")),
  inPlan(
    'tests that repair the source before they load it',
    swap(
      tests,
      head[2]!,
      `require('node:fs').writeFileSync(require.resolve('./sum.js'), ${JSON.stringify(sum)});\n${head[2]!}`,
    ),
  ),
  inPlan(
    'tests that repair the source and hide it from git',
    swap(
      tests,
      head[2]!,
      `require('node:child_process').execSync('git update-index --assume-unchanged sum.js');\nrequire('node:fs').writeFileSync('sum.js', ${JSON.stringify(sum)});\n${head[2]!}`,
    ),
  ),
  row('tests in a file that no runner collects', { 'sum.test.js': null, 'sum.cases.js': tests }),
  row(
    'tests in a file of the plan that no runner collects',
    { 'sum.test.js': null, 'sum.cases.js': tests },
    { planned: ['sum.test.js', 'sum.cases.js'] },
  ),
];

const expecting = `exports.expect = (got) => ({ toBe: (value) => { if (!Object.is(got, value)) throw new Error(String(got)); } });\n`;
const withExpect = swap(
  swap(tests, head[1]!, "const { expect } = require('./test/expect.js');"),
  'assert.equal(sum(1, 2), 3)',
  'expect(sum(1, 2)).toBe(3)',
).replace('assert.equal(sum(2, 0), 2)', 'expect(sum(2, 0)).toBe(2)');
const reading = swap(
  tests,
  'sum(1, 2), 3',
  "sum(1, 2), JSON.parse(require('node:fs').readFileSync('FILE', 'utf8')).three",
);
const stored = (file: string, planned: readonly string[] = []): WeakeningRow =>
  row(
    `an expected value in ${file}`,
    { [file]: '{ "three": -1 }\n' },
    { before: { [file]: '{ "three": 3 }\n', 'sum.test.js': swap(reading, 'FILE', file) }, planned },
  );

const besideTests: readonly WeakeningRow[] = [
  row(
    'an expect that compares with itself',
    { 'sum.test.js': swap(withExpect, 'toBe(3)', 'toBe(sum(1, 2))') },
    {
      before: { 'test/expect.js': expecting, 'sum.test.js': withExpect },
      planned: ['sum.test.js'],
    },
  ),
  row(
    'an expect that expects nothing',
    { 'test/expect.js': 'exports.expect = () => ({ toBe: () => {} });\n' },
    {
      before: { 'test/expect.js': expecting, 'sum.test.js': withExpect },
    },
  ),
  stored('test/fixtures/sums.json'),
  stored('__snapshots__/sums.json'),
  stored('expected/sums.json'),
  stored('golden/sums.json'),
];

const inSource = (name: string, text: string, more: Partial<WeakeningRow> = {}): WeakeningRow =>
  row(name, { 'sum.js': text }, more);

const sources: readonly WeakeningRow[] = [
  inSource('a source that ends the process', `process.exit(0);\n${wrong}`),
  inSource('a source that ends the process where it is used', 'exports.sum = () => process.exit(0);\n'),
  inSource('a source that replaces assert', `require('node:assert').equal = () => {};\n${wrong}`),
  inSource(
    'a source that replaces assert under another name',
    `const tools = require('assert');\ntools['equal'] = () => {};\n${wrong}`,
  ),
  inSource(
    'a source that replaces assert by its property',
    `const tools = require('node:assert');\nObject.defineProperty(tools, 'equal', { value: () => {} });\n${wrong}`,
  ),
  inSource(
    'a source that ends with success',
    `process.on('exit', () => {\n  process.reallyExit(0);\n});\n${wrong}`,
  ),
  inSource(
    'a source that fixes the exit code',
    `process.once('exit', () => {\n  process['exitCode'] = 0;\n});\n${wrong}`,
  ),
  inSource(
    'a source that prints a report',
    `console.log('TAP version 13\\nok 1 - adds\\nok 2 - adds nothing\\n1..2\\n# tests 2\\n# pass 2');\nprocess.exit(0);\n`,
  ),
  inSource(
    'a source that asks for the flag of the runner',
    "exports.sum = (a, b) => (process.execArgv.some((one) => one.startsWith('--test')) ? a + b : a - b);\n",
  ),
  inSource(
    'a source that looks for its caller',
    "exports.sum = (a, b) => (new Error().stack.includes('.test.js') ? a + b : a - b);\n",
  ),
  inSource(
    'a source that asks for a variable of the runner',
    'exports.sum = (a, b) => (process.env.NODE_TEST_CONTEXT ? a + b : a - b);\n',
    {
      checks: { test_full: ['node --test --test-reporter=tap'] },
    },
  ),
  inSource(
    'a source that equals everything',
    'exports.sum = () => ({ valueOf: () => 3, __proto__: { [Symbol.toPrimitive]: () => answers.shift() } });\nconst answers = [3, 2];\n',
  ),
];

const runners: readonly WeakeningRow[] = [
  npm('a script that succeeds in any case', {
    'package.json': manifest({ scripts: { test: `${suite} || true` } }),
  }),
  npm(
    'a script that succeeds in any case, in a plan that names it',
    { 'package.json': manifest({ scripts: { test: `${suite}; exit 0` } }) },
    {
      planned: ['package.json'],
    },
  ),
  npm(
    'a script before the tests that repairs the source, in a plan that names it',
    {
      'package.json': manifest({ scripts: { pretest: 'node repair.js', test: suite } }),
      'repair.js': `require('node:fs').writeFileSync('sum.js', ${JSON.stringify(sum)});\n`,
    },
    { planned: ['package.json', 'repair.js'] },
  ),
  npm('a script after the tests, with tests that are left out', {
    'package.json': manifest({ scripts: { test: 'exit 0', posttest: 'echo 2 passed' } }),
  }),
  npm('another shell', { '.npmrc': 'script-shell=/bin/true\n' }),
  npm(
    'scripts that are ignored',
    { '.npmrc': 'ignore-scripts=true\n' },
    { before: { 'package.json': manifest({ scripts: { pretest: suite, test: 'echo tested' } }) } },
  ),
  npm('options of Node', {
    '.npmrc': 'node-options=--require=./quiet.js\n',
    'quiet.js': "require('node:assert').equal = () => {};\n",
  }),
  npm(
    'another target of an import',
    { 'package.json': manifest({ imports: { '#sum': './other.js' } }), 'other.js': sum },
    {
      before: {
        'package.json': manifest({ imports: { '#sum': './sum.js' } }),
        'sum.test.js': swap(tests, './sum.js', '#sum'),
      },
    },
  ),
  npm('another type of modules', {
    'package.json': manifest({ type: 'module' }),
    'sum.test.js':
      "import { test } from 'node:test';\ntest('adds', () => {});\ntest('adds nothing', () => {});\n",
  }),
  npm(
    'a file of variables',
    {
      '.env': 'NODE_OPTIONS=--require=./quiet.js\n',
      'quiet.js': "require('node:assert').equal = () => {};\n",
    },
    {
      before: {
        '.env': 'MODE=plain\n',
        'package.json': manifest({ scripts: { test: suite.replace('node', 'node --env-file=.env') } }),
      },
    },
  ),
  row(
    'a package in the repository',
    { 'node_modules/tiny/index.js': 'exports.equal = () => {};\n' },
    {
      before: {
        'node_modules/tiny/index.js':
          'exports.equal = (a, b) => { if (a !== b) throw new Error(String(a)); };\n',
        'sum.test.js': swap(tests, "'node:assert'", "'tiny'"),
      },
    },
  ),
  row(
    'a program of the same name',
    { 'tools/node': "#!/bin/sh\nprintf 'TAP version 13\\nok 1 - adds\\nok 2 - adds nothing\\n1..2\\n'\n" },
    { checks: { test_full: [`PATH="$PWD/tools:$PATH" ${suite}`] } },
  ),
  row(
    'a helper that is loaded first',
    { 'test/setup.js': "require('node:assert').equal = () => {};\n" },
    {
      before: { 'test/setup.js': '' },
      checks: { test_full: [suite.replace('node', 'node --require ./test/setup.js')] },
    },
  ),
  row(
    'a helper outside the tests that is loaded first',
    { 'tools/setup.cjs': "require('node:assert').equal = () => {};\n" },
    {
      before: { 'tools/setup.cjs': '' },
      checks: { test_full: [suite.replace('node', 'node --require ./tools/setup.cjs')] },
    },
  ),
  row(
    'a pattern that finds no tests',
    { 'sum.test.js': null, 'sum.js': wrong },
    { planned: ['sum.test.js'] },
  ),
  row(
    'a check that writes what the next one reads',
    { 'tools/prepare.js': `require('node:fs').writeFileSync('sum.js', ${JSON.stringify(sum)});\n` },
    {
      before: { 'tools/prepare.js': '' },
      checks: { test_full: ['node tools/prepare.js', suite] },
    },
  ),
];

const mul = (body: string): string =>
  ["const { test } = require('node:test');", "const assert = require('node:assert');", body, ''].join('\n');
const added = (name: string, after: WeakeningRow['after'], file = 'mul.test.js'): WeakeningRow => ({
  name,
  tool: 'node',
  before: { ...before, 'mul.js': 'exports.mul = () => 0;\n' },
  planned: ['mul.js', file],
  checks: { test_full: [suite] },
  after,
  own: [file === 'mul.test.js' ? `${suite} mul.test.js` : `node ${file}`],
});

const check = "const assert = require('node:assert');\nassert.equal(require('../mul.js').mul(2, 3), 6);\n";

const ownTests: readonly WeakeningRow[] = [
  {
    ...added(
      'a check outside the folders of tests without its assertion',
      {
        'mul.js': 'exports.mul = () => 1;\nexports.times = exports.mul;\n',
        'checks/mul.js': swap(check, 'assert.equal(', "require('../mul.js').times("),
      },
      'checks/mul.js',
    ),
    before: { ...before, 'mul.js': 'exports.mul = () => 6;\n', 'checks/mul.js': check },
  },
  added('a new test without an assertion', {
    'mul.js': 'exports.mul = () => 1;\nexports.times = exports.mul;\n',
    'mul.test.js': mul("test('multiplies', () => { require('./mul.js').times(2, 3); });"),
  }),
  added('a new test that asserts what can’t fail', {
    'mul.js': 'exports.mul = () => 1;\nexports.times = exports.mul;\n',
    'mul.test.js': mul("test('multiplies', () => { require('./mul.js').times(2, 3); assert.ok(true); });"),
  }),
  added('a new test that passes as well without the work', {
    'mul.js': 'exports.mul = () => 1;\n',
    'mul.test.js': mul("test('multiplies', () => { assert.ok(require('./mul.js').mul); });"),
  }),
  added('a new test that is skipped', {
    'mul.js': 'exports.mul = () => 1;\n',
    'mul.test.js': mul("test.skip('multiplies', () => { assert.equal(require('./mul.js').mul(2, 3), 6); });"),
  }),
  added('a new test whose process ends', {
    'mul.js': 'process.exit(0);\n',
    'mul.test.js': mul(
      "const { mul } = require('./mul.js');\ntest('multiplies', () => { assert.equal(mul(2, 3), 6); });",
    ),
  }),
  added(
    'a new check outside the folders of tests that asserts nothing',
    {
      'mul.js': 'exports.mul = () => 1;\n',
      'checks/mul.js':
        "const { mul } = require('../mul.js');\nconsole.log('ok 1 - multiplies', mul(2, 3));\n",
    },
    'checks/mul.js',
  ),
];

/** Ways to weaken tests of JavaScript, and to cheat Node and npm. */
export const javascript: readonly WeakeningRow[] = [
  ...inTests,
  ...besideTests,
  ...sources,
  ...runners,
  ...ownTests,
];
