import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isTestFile, programsOf } from '../../../../src/domain/proof/provingFiles.ts';
import { findWeakenings } from '../../../../src/domain/proof/testIntegrity.ts';
import { cpuMs } from '../../../support/cpuMs.ts';

const found = (path: string, before: string | null, after: string | null) =>
  findWeakenings([{ path, before, after }]).map(({ kind, line, text }) => [kind, line, text]);

describe('test integrity', () => {
  it('knows the test files of each language', () => {
    for (const path of [
      'a.test.ts',
      'src/a.spec.jsx',
      'test_a.py',
      'a_test.go',
      'src/test/java/ATest.java',
      'spec/a_spec.rb',
      'tests/a.rs',
      't/__tests__/a.js',
      'tests/run.sh',
      'test.js',
      'app/tests.py',
      'test-a.mjs',
      'tests_a.py',
      'test_a.sh',
      'a_tests.py',
      't/10-basic.t',
      'a.bats',
    ])
      assert.ok(isTestFile(path), path);
    for (const path of [
      'src/a.ts',
      'src/latest.py',
      'contest.go',
      'tests/README.md',
      'src/attest.rs',
      'src/tester.js',
      'guide/test.md',
    ])
      assert.ok(!isTestFile(path), path);
  });

  it('finds tests that are gone', () => {
    assert.deepEqual(found('a.test.ts', "it('adds', () => {})", null), [['deleted', null, '']]);
    assert.deepEqual(found('a.test.ts', "it('adds', f)\nit('subtracts', f)", "it('adds', f)"), [
      ['deleted', null, 'subtracts'],
    ]);
    assert.deepEqual(
      found('test_a.py', 'def test_a():\n  pass\ndef test_b():\n  pass', 'def test_a():\n  pass'),
      [['deleted', null, 'test_b']],
    );
    assert.deepEqual(found('a_test.go', 'func TestA(t *testing.T) {\n}', 'package a'), [
      ['deleted', null, 'TestA'],
    ]);
    assert.deepEqual(found('ATest.java', '@Test\nvoid adds() {\n}', 'class A {}'), [
      ['deleted', null, 'adds'],
    ]);
    assert.deepEqual(found('a_tests.cs', '[Fact]\npublic void Adds()\n{\n}', ''), [
      ['deleted', null, 'Adds'],
    ]);
  });

  it('finds what happens to tests that are written into the source', () => {
    const source = (tests: string) =>
      `pub fn add() -> u32 { assert!(LIMIT > 1); 2 }\n#[cfg(test)]\nmod tests {\n${tests}\n}`;
    const test = '#[test]\nfn adds() {\n  assert_eq!(add(), 2);\n}';
    assert.deepEqual(found('src/lib.rs', source(test), source('')), [['deleted', null, 'adds']]);
    assert.deepEqual(
      found('src/lib.rs', source(test), source(test.replace('#[test]', '#[test]\n#[ignore]')))[0],
      ['skipped', 5, '#[ignore]'],
    );
    assert.deepEqual(found('src/lib.rs', source(test), source(test.replace(', 2', ', 3'))), [
      ['changed', null, 'assert_eq!(add(), 2);'],
    ]);
    assert.deepEqual(
      found('src/lib.rs', source(test), source(test).replace('assert!(LIMIT > 1); ', '')),
      [],
      'the code may change',
    );
  });

  for (const [kind, path, line] of [
    ['skipped', 'a.test.ts', "it.skip('adds', f)"],
    ['skipped', 'a.test.ts', "xit('adds', f)"],
    ['skipped', 'a.test.ts', "test('adds', { skip: true }, f)"],
    ['skipped', 'a.test.ts', 'this.skip();'],
    ['narrowed', 'a.test.ts', "describe.only('one', f)"],
    ['skipped', 'test_a.py', '@pytest.mark.skip(reason="later")'],
    ['skipped', 'test_a.py', '@unittest.skipIf(True, "later")'],
    ['skipped', 'a_test.go', 't.Skip("later")'],
    ['skipped', 'tests/a.rs', '#[ignore]'],
    ['skipped', 'ATest.java', '@Disabled'],
    ['pretended', 'a.test.ts', 'expect(true).toBe(true);'],
    ['pretended', 'test_a.py', 'assert True'],
    ['pretended', 'tests/a.rs', 'assert!(true);'],
  ] as const)
    it(`finds what is ${kind} by ${line}`, () => {
      assert.deepEqual(found(path, '', line), [[kind, 1, line]]);
      assert.deepEqual(found(path, line, line), [], 'it was there before');
    });

  it('finds assertions that are fewer in the same tests', () => {
    assert.deepEqual(
      found(
        'a.test.ts',
        "it('a', () => {\nassert.equal(f(1), 2);\nassert.equal(f(2), 3);\n})",
        "it('a', () => {\nassert.equal(f(1), 2);\n})",
      ),
      [['weakened', null, '']],
    );
  });

  for (const [path, before, after] of [
    ['a.test.ts', "assert.equal(f(1), 'IV');", "assert.equal(f(1), 'V');"],
    ['test_a.py', 'self.assertEqual(f(1), 4)', 'self.assertEqual(f(1), 5)'],
    ['a_test.c', 'check("one", f(1) == 4);', 'check("one", f(1) == 5);'],
    ['tests/a.sh', 'test "$(sh a.sh 1)" = 4', 'test "$(sh a.sh 1)" = 5'],
  ] as const)
    it(`finds an assertion that was changed in ${path}`, () => {
      const kinds = found(path, `${before}\nassert(g());`, `${after}\nassert(g());`).map(([kind, , text]) => [
        kind,
        text,
      ]);
      assert.deepEqual(kinds, [['changed', before]]);
    });

  it('finds an existing test that ends before it is done', () => {
    for (const [path, line] of [
      ['tests/a.sh', 'exit 0'],
      ['a.test.js', 'process.exit();'],
      ['test_a.py', 'os._exit(0)'],
      ['tests/a.rs', 'std::process::exit(0);'],
    ] as const) {
      assert.deepEqual(found(path, 'a', `${line}\na`), [['narrowed', 1, line]], path);
      assert.deepEqual(found(path, null, line), [], `${path} is new`);
    }
  });

  it('finds nothing in assertions that are only moved or indented', () => {
    const before = "import assert from 'node:assert';\nassert(a);\nassert(b);";
    assert.deepEqual(
      found(
        'a.test.ts',
        before,
        "import { assert } from 'chai';\ndescribe('x', () => {\n  assert(b);\n  assert(a);\n})",
      ),
      [],
    );
  });

  it('finds changed scripts and configurations of checks', () => {
    const scripts = (test: string) => JSON.stringify({ scripts: { test, start: 'node .' } });
    assert.deepEqual(found('package.json', scripts('node --test'), scripts('exit 0')), [
      ['scripts', null, 'test: exit 0'],
    ]);
    assert.deepEqual(found('package.json', '{}', scripts('node --test')), [], 'there was none to weaken');
    assert.deepEqual(found('Makefile', 'test:\n\tpytest', 'test:\n\tpytest || true'), [
      ['scripts', 2, 'pytest || true'],
    ]);
    assert.deepEqual(found('Makefile', 'test:\n\tpytest -q', 'test:\n\ttrue'), [
      ['scripts', null, 'pytest -q'],
    ]);
    assert.deepEqual(
      found('Makefile', 'all:\n\tcc a.c', 'all:\n\tcc a.c b.c'),
      [],
      'that builds, and checks nothing',
    );
    for (const line of [
      'SHELL = /bin/true',
      '.SHELLFLAGS = -n',
      '.IGNORE:',
      'MAKEFLAGS += -n',
      'CFLAGS += -DNDEBUG',
    ])
      assert.deepEqual(
        found('Makefile', 'all:\n\tcc a.c', `${line}\nall:\n\tcc a.c`),
        [['scripts', 1, line]],
        line,
      );
    assert.equal(found('pom.xml', '<a/>', '<a/>\n<skipTests>true</skipTests>')[0]?.[0], 'scripts');
    assert.equal(
      found('CMakeLists.txt', 'a', 'a\nset_tests_properties(a PROPERTIES WILL_FAIL TRUE)')[0]?.[0],
      'scripts',
    );
    const around = JSON.stringify({ scripts: { test: 'a', pretest: 'node fix.js', start: 'b' } });
    assert.deepEqual(found('package.json', JSON.stringify({ scripts: { test: 'a' } }), around), [
      ['scripts', null, 'pretest: node fix.js'],
    ]);
    for (const path of [
      'jest.config.js',
      '.mocharc.json',
      'pytest.ini',
      'tests/conftest.py',
      '.github/workflows/ci.yml',
      'tsconfig.json',
    ])
      assert.equal(found(path, 'a', 'b')[0]?.[0], 'configuration', path);
  });

  it('finds changed settings of checks in files that hold other things as well', () => {
    const manifest = (more: object) => JSON.stringify({ name: 'a', ...more });
    assert.deepEqual(found('package.json', manifest({ version: '1' }), manifest({ version: '2' })), []);
    for (const key of ['jest', 'mocha', 'ava', 'c8', 'nyc', 'vitest', 'eslintConfig'])
      assert.deepEqual(
        found('package.json', manifest({}), manifest({ [key]: { ignore: ['tests/a'] } })),
        [['configuration', null, key]],
        key,
      );
    const python = (options: string) =>
      `[project]\nname = "a"\n[tool.pytest.ini_options]\n${options}\n[tool.other]\nb = 1`;
    assert.deepEqual(found('pyproject.toml', python('addopts = "-q"'), python('addopts = "-q -k adds"')), [
      ['configuration', null, '[tool.pytest.ini_options] addopts = "-q"'],
      ['configuration', 4, '[tool.pytest.ini_options] addopts = "-q -k adds"'],
    ]);
    assert.deepEqual(found('pyproject.toml', python(''), python('').replace('b = 1', 'b = 2')), []);
    assert.deepEqual(
      found(
        'setup.cfg',
        '[metadata]\nname = a',
        '[metadata]\nname = a\n[tool:pytest]\naddopts = --ignore=tests/a',
      ),
      [['configuration', 4, '[tool:pytest] addopts = --ignore=tests/a']],
    );
    assert.equal(
      found('Cargo.toml', '[[test]]\nname = "a"', '[[test]]\nname = "a"\ntest = false')[0]?.[0],
      'configuration',
    );
  });

  it('finds a new configuration that leaves tests out, and none that only adds a check', () => {
    for (const [path, text] of [
      ['jest.config.js', "module.exports = { testPathIgnorePatterns: ['a'] };"],
      ['.mocharc.json', '{ "grep": "adds" }'],
      ['conftest.py', "collect_ignore = ['test_a.py']"],
      ['tests/conftest.py', 'def pytest_collection_modifyitems(items): items[:] = []'],
      ['pytest.ini', '[pytest]\naddopts = --deselect test_a.py::test_b'],
      ['vitest.config.ts', "export default { test: { exclude: ['a'] } };"],
      ['.eslintignore', 'src'],
    ] as const)
      assert.deepEqual(found(path, null, text)[0]?.[0], 'configuration', path);
    assert.equal(
      found('conftest.py', null, 'import calc\ncalc.add = lambda a, b: 3')[0]?.[0],
      'configuration',
    );
    assert.deepEqual(found('.mocharc.json', null, '{ "spec": "test" }'), []);
    assert.deepEqual(found('conftest.py', null, 'import sys\nsys.path.append("src")'), []);
  });

  it('reads files that a test command names as tests, if they assert something', () => {
    const before = "const assert = require('node:assert');\nassert.equal(a(1), 2);";
    const change = { path: 'checks/a.js', before, after: before.replace('assert.equal', '// assert.equal') };
    assert.deepEqual(findWeakenings([change]), []);
    assert.deepEqual(
      findWeakenings([change], [], ['checks/a.js']).map(({ kind }) => kind),
      ['weakened'],
    );
    const source = { path: 'cli.js', before: 'check(1);\nexports.a = 1;', after: 'return;' };
    assert.deepEqual(findWeakenings([source], [], ['cli.js']), []);
  });

  it('finds changes of programs that the checks of the project start', () => {
    const change = { path: 'tools/check.sh', before: 'sh run.sh\n', after: 'exit 0\n' };
    assert.deepEqual(findWeakenings([change]), []);
    const programs = programsOf([
      'sh ./tools/check.sh --all',
      'node --check src/a.js',
      'python3 -m pytest src',
      './gradlew test && cd web && npx x',
    ]);
    assert.deepEqual(programs, ['tools/check.sh', 'gradlew']);
    assert.deepEqual(
      findWeakenings([change], programs).map(({ kind, path }) => [kind, path]),
      [['scripts', 'tools/check.sh']],
    );
  });

  it('finds code that takes the tests their means', () => {
    for (const [path, line] of [
      ['src/a.js', "require('node:assert').equal = () => {};"],
      ['src/a.js', "process.on('exit', () => process.exit(0));"],
      ['src/a.js', 'process.exitCode = 0;'],
      ['src/a.js', 'globalThis.expect = () => ok;'],
      ['a.py', 'unittest.TestCase.assertEqual = lambda *a: None'],
      ['a.py', 'atexit.register(lambda: os._exit(0))'],
    ] as const)
      assert.deepEqual(found(path, '', line), [['detected', 1, line]], line);
    assert.deepEqual(found('src/cli.js', '', 'process.exit(0);'), [], 'a program may end');
  });

  it('finds code that asks whether it is tested', () => {
    assert.deepEqual(
      found('src/a.js', '', "if (process.env.NODE_ENV === 'test') return 3;")[0]?.[0],
      'detected',
    );
    assert.deepEqual(found('a.py', '', "if 'PYTEST_CURRENT_TEST' in os.environ:")[0]?.[0], 'detected');
  });

  it('finds nothing in tests that grow', () => {
    const before = "it('a', () => {\n  assert.equal(f(1), 2);\n});";
    assert.deepEqual(
      found('a.test.ts', before, `${before}\nit('b', () => {\n  assert.equal(f(2), 3);\n});`),
      [],
    );
    assert.deepEqual(found('a.test.ts', null, before), []);
    assert.deepEqual(found('src/a.ts', 'a', 'b'), []);
  });

  it('reads whatever a bead changes, quickly', () => {
    const text = fc.string({ unit: 'binary', maxLength: 100 });
    fc.assert(
      fc.property(
        fc.constantFrom('a.test.ts', 'package.json', 'Makefile', 'a.py', 'test_a.py'),
        fc.option(text),
        fc.option(text),
        (path, before, after) => {
          findWeakenings([{ path, before, after }]);
        },
      ),
    );
    const start = cpuMs();
    findWeakenings([
      { path: 'a.test.ts', before: '', after: `${"it('".repeat(30_000)}\n${'assert('.repeat(20_000)}` },
    ]);
    for (const path of ['a.test.js', 'test_a.py', 'a_test.c', 'a.test.sh', 'a.js', 'a.py'])
      for (const line of [
        'import a\n',
        'assert(a == 1); ',
        'assert(a == 1);\n',
        'const a = () =>\n',
        '\n',
        "test('a', () => {\n",
        'catch (e) {\n',
      ])
        findWeakenings([{ path, before: line.repeat(500), after: line.repeat(1_000) }], [], [path]);
    assert.ok(cpuMs() - start < 1_000);
  });
});
