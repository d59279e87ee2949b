import { rowsOf, swap, type WeakeningRow } from './weakeningRow.ts';

const right = 'echo $(($1 + $2))\n';
const wrong = 'echo $(($1 - $2))\n';
const tests = [
  'set -e',
  'check() {',
  '  [ "$1" = "$2" ] || { echo "not $1 but $2"; exit 1; }',
  '}',
  'check 3 "$(sh add.sh 1 2)"',
  'check 2 "$(sh add.sh 2 0)"',
  '',
].join('\n');
const first = 'check 3 "$(sh add.sh 1 2)"';
const makefile = 'all:\n\ttrue\ntest:\n\tsh tests/run.sh\n';
const before = { 'add.sh': right, 'tests/run.sh': tests, Makefile: makefile };
const row = rowsOf('sh', before, { 'add.sh': wrong }, ['sh tests/run.sh']);
const make = rowsOf('make', before, { 'add.sh': wrong }, ['make -s test']);
const inPlan = (name: string, text: string, old = tests): WeakeningRow =>
  row(name, { 'tests/run.sh': text }, { planned: ['tests/run.sh'], before: { 'tests/run.sh': old } });
const planned = { planned: ['Makefile'] };

const scripts: readonly WeakeningRow[] = [
  row('a script that ends early', { 'tests/run.sh': `exit 0\n${tests}` }),
  inPlan('a script that ends early, in tests that the plan names', `exit 0\n${tests}`),
  inPlan('a script that ends as another program', `exec true\n${tests}`),
  inPlan('a trap that ends with success', `trap 'exit 0' EXIT\n${tests}`),
  inPlan('a check that may fail', swap(tests, first, `(${first}) || true`)),
  inPlan(
    'a check that compares nothing',
    swap(tests, '  [ "$1" = "$2" ] || { echo "not $1 but $2"; exit 1; }', '  echo "ok $1"'),
  ),
  inPlan(
    'a comparison of its own',
    `[() { return 0; }\n${tests}`.replace('[()', 'test()').replace('[ "$1" = "$2" ]', 'test "$1" = "$2"'),
  ),
  inPlan(
    'no end at the first failure',
    swap('set -e\ntest "$(sh add.sh 1 2)" = 3\ntest "$(sh add.sh 2 0)" = 2\n', 'set -e\n', ''),
    'set -e\ntest "$(sh add.sh 1 2)" = 3\ntest "$(sh add.sh 2 0)" = 2\n',
  ),
  inPlan('checks below a condition on the environment', swap(tests, first, `[ -z "$RUN_ALL" ] || ${first}`)),
  inPlan('checks in a function that nobody calls', swap(tests, first, `later() {\n${first}\n}`)),
  inPlan(
    'a script that repairs the source',
    swap(tests, first, `printf '${right.replaceAll('\n', '\\n')}' > add.sh\n${first}`),
  ),
  row(
    'a library of the tests',
    { 'tests/lib.sh': 'check() { :; }\n' },
    {
      before: {
        'tests/lib.sh': 'check() { [ "$1" = "$2" ] || exit 1; }\n',
        'tests/run.sh': `. tests/lib.sh\n${first}\n`,
      },
    },
  ),
  row(
    'a program of the same name',
    { 'tools/cmp': '#!/bin/sh\nexit 0\n' },
    {
      before: {
        'tests/three.txt': '3\n',
        'tests/run.sh': 'PATH="$PWD/tools:$PATH"\nsh add.sh 1 2 | cmp -s - tests/three.txt\n',
        'tools/README.md': 'Tools.\n',
      },
    },
  ),
  row('a source that asks for its parent', {
    'add.sh':
      'case "$(ps -o args= -p "$PPID")" in *run.sh*) echo $(($1 + $2)) ;; *) echo $(($1 - $2)) ;; esac\n',
  }),
  row('a source that ends its parent', { 'add.sh': 'kill -9 "$PPID"\n' }),
];

const makefiles: readonly WeakeningRow[] = [
  make('a line that may fail', { Makefile: swap(makefile, '\tsh tests', '\t-sh tests') }),
  make(
    'a line that may fail, in a plan that names it',
    { Makefile: swap(makefile, '\tsh tests', '\t-sh tests') },
    planned,
  ),
  make('a target that may fail', { Makefile: `.IGNORE:\n${makefile}` }, planned),
  make('another shell', { Makefile: `SHELL = /bin/true\n${makefile}` }, planned),
  make('other flags of the shell', { Makefile: `.SHELLFLAGS = -n -c\n${makefile}` }, planned),
  make('flags that run nothing', { Makefile: `MAKEFLAGS += -n\n${makefile}` }, planned),
  make('a target that exists', { test: 'done\n' }),
  make('a second target of the name', { Makefile: `${makefile}test:\n\t@true\n` }, planned),
  make('a makefile that comes first', { GNUmakefile: 'test:\n\t@true\n' }),
  make(
    'a makefile that is included',
    { 'local.mk': 'SHELL = /bin/true\n' },
    { before: { Makefile: `-include local.mk\n${makefile}` } },
  ),
  make('a line that succeeds in any case', { Makefile: swap(makefile, 'run.sh', 'run.sh || true') }, planned),
];

/** Ways to weaken tests of shell scripts, and to cheat make. */
export const shell: readonly WeakeningRow[] = [...scripts, ...makefiles];
