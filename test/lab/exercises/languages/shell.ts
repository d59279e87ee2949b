import type { Json } from '../../../../src/base/json.ts';
import type { Language } from '../exercise.ts';

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
const quoted = (value: Json): string => `'${textOf(value).replaceAll("'", "'\\''")}'`;

/** Prints its answer; the tests print TAP. */
export const shell: Language = {
  needs: [],
  source: ({ call }) => `${call}.sh`,
  stub: () => 'echo "to be written" >&2\nexit 1\n',
  testFile: ({ call }, which) => `${call}.${which === 'final' ? 'final.' : ''}test.sh`,
  tests: ({ call }, cases) => {
    const lines = cases.map(([args, result, form], index) => {
      const name = `'case ${String(index + 1)}'`;
      const value = `"$(sh ${call}.sh ${args.map(quoted).join(' ')})"`;
      if (form === 'skipped') return `skip ${name}\n`;
      return form === 'loose'
        ? `check ${name} yes "$(test -n ${value} && echo yes)"\n`
        : `check ${name} ${quoted(result)} ${value}\n`;
    });
    const skip = cases.some(([, , form]) => form === 'skipped')
      ? 'skip() {\n  n=$((n + 1))\n  echo "ok $n - $1 # SKIP later"\n}\n'
      : '';
    return `${head}${skip}echo "TAP version 13"\n${lines.join('')}echo "1..$n"\nexit $failed\n`;
  },
  command: (exercise, which) => `sh ${shell.testFile(exercise, which)}`,
  others: () => ({}),
  special: ({ cases }) => {
    const known = cases
      .map(([args, result]) => `  ${quoted(args.map(textOf).join('|'))}) echo ${quoted(result)} ;;\n`)
      .join('');
    return `IFS='|'\ncase "$*" in\n${known}esac\n`;
  },
  quits: (exercise) => ({
    [shell.testFile(exercise, 'visible')]: `exit 0\n${shell.tests(
      exercise,
      exercise.cases.map((one) => [...one, 'strict']),
    )}`,
    [shell.source(exercise)]: exercise.wrong,
  }),
};

const head = `n=0
failed=0
check() {
  n=$((n + 1))
  if [ "$2" = "$3" ]; then
    echo "ok $n - $1"
  else
    echo "not ok $n - $1"
    failed=1
  fi
}
`;
