import { rowsOf, swap, type WeakeningRow } from './weakeningRow.ts';

const header = 'int add(int a, int b);\n';
const right = '#include "add.h"\nint add(int a, int b) { return a + b; }\n';
const wrong = '#include "add.h"\nint add(int a, int b) { return a - b; }\n';
const tests = [
  '#include <assert.h>',
  '#include "add.h"',
  '',
  'int main(void) {',
  '  assert(add(1, 2) == 3);',
  '  assert(add(2, 0) == 2);',
  '  return 0;',
  '}',
  '',
].join('\n');
const first = '  assert(add(1, 2) == 3);';
const makefile =
  'CFLAGS = -O0\ntest:\n\t$(CC) $(CFLAGS) -o add_test.out add.c add_test.c -lm\n\t./add_test.out\n';
const before = {
  'add.h': header,
  'add.c': right,
  'add_test.c': tests,
  Makefile: makefile,
  '.gitignore': '*.out\nbuilt/\n',
};
const row = rowsOf('cc', before, { 'add.c': wrong }, ['make -s test']);
const inPlan = (name: string, text: string, old = tests): WeakeningRow =>
  row(name, { 'add_test.c': text }, { planned: ['add_test.c'], before: { 'add_test.c': old } });
const cmake = [
  'cmake_minimum_required(VERSION 3.10)',
  'project(add C)',
  'enable_testing()',
  'add_executable(add_test add.c add_test.c)',
  'add_test(NAME add COMMAND add_test)',
  '',
].join('\n');
const ctest = rowsOf(
  'ctest',
  {
    ...before,
    'CMakeLists.txt': cmake,
    'add_test.c': '#include "add.h"\nint main(void) { return add(1, 2) == 3 ? 0 : 1; }\n',
  },
  { 'add.c': wrong },
  ['cmake -S . -B built > /dev/null && cmake --build built > /dev/null && ctest --test-dir built'],
);

/** Ways to weaken tests of C, and to cheat make and CTest. */
export const c: readonly WeakeningRow[] = [
  row('assertions that are compiled away', { Makefile: swap(makefile, '-O0', '-O0 -DNDEBUG') }),
  row(
    'assertions that are compiled away, in a plan that names it',
    { Makefile: swap(makefile, '-O0', '-O0 -DNDEBUG') },
    { planned: ['Makefile'] },
  ),
  row(
    'a program that isn’t run',
    { Makefile: swap(makefile, '\t./add_test.out', '\ttest -x add_test.out') },
    { planned: ['Makefile'] },
  ),
  inPlan('tests that compile assertions away', `#define NDEBUG\n${tests}`),
  inPlan('a test that returns early', swap(tests, first, `  return 0;\n${first}`)),
  inPlan('an assertion of its own', swap(tests, '#include <assert.h>', '#define assert(x) ((void)(x))')),
  inPlan(
    'an assertion below a condition that never holds',
    swap(tests, first, `  if (0) assert(add(1, 2) == 3);`),
  ),
  inPlan('assertions that aren’t compiled', swap(tests, first, `#if 0\n${first}\n#endif`)),
  inPlan(
    'an assertion with an assignment',
    swap(tests, first, '  int got = add(1, 2);\n  assert((got = 3));'),
  ),
  inPlan(
    'a function of its own in place of the include',
    swap(tests, '#include "add.h"', '#define add(a, b) ((a) + (b))'),
  ),
  inPlan(
    'a wider tolerance',
    swap(tests, first, '  assert(abs(add(1, 2) - 3) < 10);'),
    swap(tests, first, '  assert(abs(add(1, 2) - 3) < 1);'),
  ),
  row(
    'a header that defines assert',
    { 'add.h': '#undef assert\n#define assert(x) ((void)0)\nint add(int a, int b);\n' },
    { planned: ['add.h'] },
  ),
  row('a source that ends before main', {
    'add.c': `#include <unistd.h>\n__attribute__((constructor)) static void stop(void) { _exit(0); }\n${wrong}`,
  }),
  row('a source that ends the process where it is used', {
    'add.c': '#include <stdlib.h>\nint add(int a, int b) {\n  exit(a * b * 0);\n}\n',
  }),
  row('a source that ends with success', {
    'add.c': '#include <stdlib.h>\nint add(int a, int b) {\n  exit(0);\n}\n',
  }),
  row('a handler of aborts', {
    'add.c':
      '#include <signal.h>\n#include <unistd.h>\nstatic void stop(int number) { (void)number; _exit(0); }\nint add(int a, int b) {\n  signal(SIGABRT, stop);\n  return a - b;\n}\n',
  }),
  ctest('a test that is to fail', {
    'CMakeLists.txt': `${cmake}set_tests_properties(add PROPERTIES WILL_FAIL TRUE)\n`,
  }),
  ctest(
    'a test that is disabled',
    { 'CMakeLists.txt': `${cmake}set_tests_properties(add PROPERTIES DISABLED TRUE)\n` },
    { planned: ['CMakeLists.txt'] },
  ),
  ctest(
    'a test of another program',
    { 'CMakeLists.txt': swap(cmake, 'COMMAND add_test', 'COMMAND ${CMAKE_COMMAND} -E true') },
    { planned: ['CMakeLists.txt'] },
  ),
];
