import { rowsOf, swap, type WeakeningRow } from './weakeningRow.ts';

const inline = [
  '#[cfg(test)]',
  'mod tests {',
  '    use super::add;',
  '',
  '    #[test]',
  '    fn adds() {',
  '        assert_eq!(add(1, 2), 3);',
  '    }',
  '}',
  '',
].join('\n');
const source = (operator: string, tests: string = inline): string =>
  `pub fn add(a: i32, b: i32) -> i32 {\n    a ${operator} b\n}\n\n${tests}`;
const manifest = '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n';
const outside = 'use calc::add;\n\n#[test]\nfn adds_nothing() {\n    assert_eq!(add(0, 2), 2);\n}\n';
const before = {
  'Cargo.toml': manifest,
  'src/lib.rs': source('+'),
  'tests/add.rs': outside,
  '.gitignore': 'target/\nCargo.lock\n',
};
const row = rowsOf('cargo', before, { 'src/lib.rs': source('-') }, ['cargo test --offline']);
const without = (name: string, tests: string): WeakeningRow =>
  row(name, { 'src/lib.rs': source('-', tests), 'tests/add.rs': swap(outside, 'add(0, 2)', 'add(2, 0)') });

/** Ways to weaken tests of Rust, and to cheat cargo. */
export const rust: readonly WeakeningRow[] = [
  without('inline tests that are emptied', '#[cfg(test)]\nmod tests {}\n'),
  without('a test that is ignored', swap(inline, '    #[test]', '    #[test]\n    #[ignore]')),
  without(
    'a test that returns early',
    swap(inline, '        assert_eq', '        return;\n        assert_eq'),
  ),
  without('an expected panic', swap(inline, '    #[test]', '    #[test]\n    #[should_panic]')),
  without(
    'a function of its own in place of the import',
    swap(inline, '    use super::add;', '    fn add(a: i32, b: i32) -> i32 {\n        a + b\n    }'),
  ),
  without(
    'inline tests behind a feature',
    swap(inline, '#[cfg(test)]', '#[cfg(all(test, feature = "slow"))]'),
  ),
  row('a source that behaves differently in tests', {
    'src/lib.rs': `#[cfg(not(test))]\npub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n\n#[cfg(test)]\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n${inline}`,
    'tests/add.rs': swap(outside, 'add(0, 2)', 'add(2, 0)'),
  }),
  row('tests without a harness', {
    'Cargo.toml': `${manifest}\n[lib]\ntest = false\n\n[[test]]\nname = "add"\nharness = false\n`,
    'tests/add.rs': 'fn main() {}\n',
  }),
  row(
    'a target that isn’t tested',
    { 'Cargo.toml': `${manifest}autotests = false\n\n[lib]\ntest = false\n` },
    { planned: ['Cargo.toml'] },
  ),
  row('a runner of the repository', { '.cargo/config.toml': '[target.\'cfg(all())\']\nrunner = "true"\n' }),
  row('a source that ends the process', {
    'src/lib.rs': `pub fn add(_a: i32, _b: i32) -> i32 {\n    std::process::exit(0)\n}\n\n${inline}`,
  }),
];
