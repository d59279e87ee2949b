import type { Json } from '../../../../src/base/json.ts';
import type { Exercise, Language } from '../exercise.ts';

const typeOf = (value: Json): string => (typeof value === 'string' ? 'const char *' : 'long ');
const literal = (value: Json): string => JSON.stringify(value);

function signature({ call, cases }: Exercise): string {
  const [args, result] = cases[0] ?? [[], 0];
  return `${typeOf(result)}${call}(${args.map((value, index) => `${typeOf(value)}${'abc'.charAt(index)}`).join(', ')})`;
}

function equals(left: string, right: Json): string {
  return typeof right === 'string'
    ? `strcmp(${left}, ${literal(right)}) == 0`
    : `${left} == ${literal(right)}`;
}

/** Make builds the tests, which print TAP. */
export const c: Language = {
  needs: ['cc', 'make'],
  source: ({ call }) => `${call}.c`,
  stub: (exercise) => `${signature(exercise)} {\n  return 0;\n}\n`,
  testFile: ({ call }, which) => `${call}_${which === 'final' ? 'final_' : ''}test.c`,
  tests: (exercise, cases) => {
    const lines = cases.map(([args, result, form], index) => {
      const name = `"case ${String(index + 1)}"`;
      if (form === 'skipped') return `  skip(${name});\n`;
      const value = `${exercise.call}(${args.map(literal).join(', ')})`;
      return `  check(${name}, ${form === 'loose' ? `(${value}, 1)` : equals(`answer(${value})`, result)});\n`;
    });
    const isText = typeof exercise.cases[0]?.[1] === 'string';
    const answer = isText
      ? 'static const char *answer(const char *text) { return text ? text : ""; }'
      : 'static long answer(long n) { return n; }';
    const skip = cases.some(([, , form]) => form === 'skipped')
      ? 'static void skip(const char *name) { printf("ok %d - %s # SKIP\\n", ++n, name); }\n'
      : '';
    return `#include <stdio.h>\n#include <string.h>\n\n${signature(exercise)};\n${answer}\n${head}${skip}\nint main(void) {\n  puts("TAP version 13");\n${lines.join('')}  printf("1..%d\\n", n);\n  return failed;\n}\n`;
  },
  command: (_exercise, which) => `make -s ${which === 'final' ? 'final' : 'test'}`,
  others: ({ call }) => ({
    '.gitignore': '*_test\n',
    Makefile: `test: ${call}_test\n\t./${call}_test\n\nfinal: ${call}_final_test\n\t./${call}_final_test\n\n%_test: %_test.c ${call}.c\n\t$(CC) -o $@ $^\n\n.PHONY: test final\n`,
  }),
  special: (exercise) => {
    const lines = exercise.cases.map(([args, result]) => {
      const test = args.map((value, index) => equals('abc'.charAt(index), value)).join(' && ');
      return `  if (${test}) return ${literal(result)};\n`;
    });
    return `#include <string.h>\n\n${signature(exercise)} {\n${lines.join('')}  return 0;\n}\n`;
  },
  quits: (exercise) => ({
    [c.source(exercise)]:
      `#include <unistd.h>\n\n__attribute__((constructor)) static void quit(void) { _exit(0); }\n\n${c.stub(exercise)}`,
  }),
};

const head = `static int n, failed;
static void check(const char *name, int passed) {
  printf("%s %d - %s\\n", passed ? "ok" : "not ok", ++n, name);
  if (!passed) failed = 1;
}
`;
