import type { Json } from '../../../../src/base/json.ts';
import type { Exercise, Language } from '../exercise.ts';

const literal = (value: Json): string => JSON.stringify(value);
const typeOf = (value: Json, place: 'in' | 'out'): string =>
  typeof value === 'string'
    ? place === 'in'
      ? '&str'
      : 'String'
    : typeof value === 'boolean'
      ? 'bool'
      : 'i64';

function signature({ call, cases }: Exercise, unused = ''): string {
  const [args, result] = cases[0] ?? [[], 0];
  const inputs = args.map((value, index) => `${unused}${'abc'.charAt(index)}: ${typeOf(value, 'in')}`);
  return `pub fn ${call}(${inputs.join(', ')}) -> ${typeOf(result, 'out')}`;
}

/** Without dependencies, and tests beside it. */
export const rust: Language = {
  needs: ['cargo'],
  source: () => 'src/lib.rs',
  stub: (exercise) => `${signature(exercise, '_')} {\n    todo!()\n}\n`,
  testFile: (_exercise, which) => `tests/${which}.rs`,
  tests: ({ call }, cases) => {
    const tests = cases.map(([args, result, form], index) => {
      const value = `${call}(${args.map(literal).join(', ')})`;
      const check =
        form === 'loose'
          ? `assert!(!format!("{}", ${value}).is_empty())`
          : `assert_eq!(${value}, ${literal(result)})`;
      return `${form === 'skipped' ? '#[ignore]\n' : ''}#[test]\nfn case_${String(index + 1)}() {\n    ${check};\n}\n`;
    });
    return `use exercise::${call};\n\n${tests.map((test) => test.replace('#[ignore]\n#[test]', '#[test]\n#[ignore]')).join('\n')}`;
  },
  command: (_exercise, which) => `cargo test --offline --quiet --test ${which} -- --test-threads 1`,
  others: () => ({
    '.gitignore': 'target/\n',
    'Cargo.toml':
      '[package]\nname = "exercise"\nversion = "0.1.0"\nedition = "2021"\n\n[lib]\ndoctest = false\n',
  }),
  special: (exercise) => {
    const isText = typeof exercise.cases[0]?.[1] === 'string';
    const arms = exercise.cases.map(([args, result]) => {
      const pattern = args.length === 1 ? literal(args[0] ?? null) : `(${args.map(literal).join(', ')})`;
      return `        ${pattern} => ${literal(result)}${isText ? '.to_string()' : ''},\n`;
    });
    const [args] = exercise.cases[0] ?? [[]];
    const names = args.map((_value, index) => 'abc'.charAt(index));
    const subject = names.length === 1 ? names[0] : `(${names.join(', ')})`;
    return `${signature(exercise)} {\n    match ${subject ?? 'a'} {\n${arms.join('')}        _ => panic!("unknown"),\n    }\n}\n`;
  },
  quits: (exercise) => ({
    [rust.source(exercise)]: `${signature(exercise, '_')} {\n    std::process::exit(0)\n}\n`,
  }),
};
