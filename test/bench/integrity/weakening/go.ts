import { rowsOf, swap, type WeakeningRow } from './weakeningRow.ts';

const source = (operator: string): string =>
  `package calc\n\n// Add adds.\nfunc Add(a, b int) int { return a ${operator} b }\n`;
const tests = [
  'package calc',
  '',
  'import "testing"',
  '',
  'func TestAdds(t *testing.T) {',
  '\tif Add(1, 2) != 3 {',
  '\t\tt.Fatal("1 + 2")',
  '\t}',
  '}',
  '',
].join('\n');
const makefile = 'test:\n\tgo test ./...\n';
const before = {
  'go.mod': 'module example.com/calc\n\ngo 1.21\n',
  'calc.go': source('+'),
  'calc_test.go': tests,
  Makefile: makefile,
};
const row = rowsOf('go', before, { 'calc.go': source('-') }, ['go test -v ./...']);
const make = rowsOf('go', before, { 'calc.go': source('-') }, ['make -s test']);
const inPlan = (name: string, text: string): WeakeningRow =>
  row(name, { 'calc_test.go': text }, { planned: ['calc_test.go'] });

/** Ways to weaken tests of Go, and to cheat its runner. */
export const go: readonly WeakeningRow[] = [
  inPlan(
    'a main of the tests that ends with success',
    `${swap(tests, '"testing"', '(\n\t"os"\n\t"testing"\n)')}\nfunc TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}\n`,
  ),
  inPlan('a main of the tests that runs none', `${tests}\nfunc TestMain(m *testing.M) {}\n`),
  inPlan('a test that is skipped', swap(tests, '\tif Add', '\tt.Skip("later")\n\tif Add')),
  inPlan(
    'a test that is skipped in short runs',
    swap(tests, '\tif Add', '\tif testing.Short() {\n\t\treturn\n\t}\n\tif Add'),
  ),
  inPlan('a test that returns early', swap(tests, '\tif Add', '\treturn\n\tif Add')),
  inPlan('a panic that is recovered', swap(tests, '\tif Add', '\tdefer func() { recover() }()\n\tif Add')),
  inPlan('a log in place of a failure', swap(tests, 't.Fatal', 't.Log')),
  row('a tag of the build', { 'calc_test.go': `//go:build slow\n\n${tests}` }),
  inPlan('a tag of the build, in tests that the plan names', `//go:build slow\n\n${tests}`),
  row('a file of tests with another name', { 'calc_test.go': null, 'calc_tests.go': tests }),
  row('a source that ends the process', {
    'calc.go': `package calc\n\nimport "os"\n\nfunc init() { os.Exit(0) }\n\nfunc Add(a, b int) int { return a - b }\n`,
  }),
  row('a source that asks whether it is tested', {
    'calc.go':
      'package calc\n\nimport "testing"\n\nfunc Add(a, b int) int {\n\tif testing.Testing() {\n\t\treturn a + b\n\t}\n\treturn a - b\n}\n',
  }),
  make(
    'only some of the tests',
    { Makefile: swap(makefile, 'go test', 'go test -run Nothing') },
    { planned: ['Makefile'] },
  ),
];
