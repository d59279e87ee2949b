import { root } from '../../../.build/paths.mjs';
import { type Kind, writing } from '../kind.ts';

const nodeTest = (name: string, body: string): string =>
  `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { ${name} } from '../src/${name}.js';\n\n${body}`;

const nodeFiles = {
  'package.json': JSON.stringify(
    { name: 'sample', type: 'module', scripts: { test: 'node --test' } },
    undefined,
    2,
  ),
  'src/add.js': 'export function add(a, b) {\n  return a + b;\n}\n',
  'test/add.test.js': nodeTest('add', "test('adds', () => assert.equal(add(1, 2), 3));\n"),
};

const node: Kind = {
  name: 'node',
  about: 'JavaScript with node --test, two beads',
  files: nodeFiles,
  checks: { test_full: ['npm test'] },
  beads: [
    writing(
      'double',
      {
        'src/double.js': 'export function double(n) {\n  return 2 * n;\n}\n',
        'test/double.test.js': nodeTest('double', "test('doubles', () => assert.equal(double(4), 8));\n"),
      },
      'node --test test/double.test.js',
    ),
    writing(
      'quadruple',
      {
        'src/quadruple.js':
          "import { double } from './double.js';\n\nexport function quadruple(n) {\n  return double(double(n));\n}\n",
        'test/quadruple.test.js': nodeTest(
          'quadruple',
          "test('quadruples', () => assert.equal(quadruple(3), 12));\n",
        ),
      },
      'node --test test/quadruple.test.js',
    ),
  ],
  comes: {
    delivers: [
      'lab-final.sh',
      'src/double.js',
      'src/quadruple.js',
      'test/double.test.js',
      'test/quadruple.test.js',
    ],
  },
};

const typescript: Kind = {
  name: 'typescript',
  about: 'TypeScript, type-checked by a compiler that the bootstrap installs',
  needs: ['npm'],
  files: {
    'package.json': JSON.stringify({
      name: 'sample',
      type: 'module',
      devDependencies: { typescript: `file:${root}/node_modules/typescript` },
    }),
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        module: 'nodenext',
        allowImportingTsExtensions: true,
        types: [],
      },
      include: ['src'],
    }),
    '.gitignore': 'node_modules/\n',
    'src/size.ts': 'export const size = (text: string): number => text.length;\n',
  },
  bootstrap: ['npm install --offline --no-audit --no-fund --no-package-lock'],
  checks: { typecheck_full: ['npx --no-install tsc -p .'] },
  beads: [
    writing(
      'shout',
      {
        'src/shout.ts': 'export const shout = (text: string): string => `${text.toUpperCase()}!`;\n',
        'src/shout.check.mjs':
          "import { readFileSync } from 'node:fs';\nif (!readFileSync(new URL('./shout.ts', import.meta.url), 'utf8').includes('toUpperCase')) process.exit(1);\n",
      },
      'npx --no-install tsc -p . && node src/shout.check.mjs',
    ),
  ],
  comes: { delivers: ['lab-final.sh', 'src/shout.check.mjs', 'src/shout.ts'] },
};

const unittest: Kind = {
  name: 'python-unittest',
  about: 'Python with unittest, whose caches git does not ignore',
  needs: ['python3'],
  files: {
    'sample/__init__.py': '',
    'sample/add.py': 'def add(a, b):\n    return a + b\n',
    'tests/__init__.py': '',
    'tests/test_add.py':
      'import unittest\n\nfrom sample.add import add\n\n\nclass AddTest(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n',
  },
  checks: { test_full: ['python3 -m unittest'] },
  beads: [
    writing(
      'halve',
      {
        'sample/halve.py': 'def halve(n):\n    return n / 2\n',
        'tests/test_halve.py':
          'import unittest\n\nfrom sample.halve import halve\n\n\nclass HalveTest(unittest.TestCase):\n    def test_halves(self):\n        self.assertEqual(halve(4), 2)\n',
      },
      'python3 -m unittest tests.test_halve',
    ),
  ],
  comes: { delivers: ['lab-final.sh', 'sample/halve.py', 'tests/test_halve.py'] },
};

const pytest: Kind = {
  name: 'python-pytest',
  about: 'Python with pytest',
  needs: ['python3', 'pytest'],
  files: {
    'add.py': 'def add(a, b):\n    return a + b\n',
    'test_add.py': 'from add import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n',
  },
  checks: { test_full: ['python3 -m pytest -q'] },
  beads: [
    writing(
      'halve',
      {
        'halve.py': 'def halve(n):\n    return n / 2\n',
        'test_halve.py': 'from halve import halve\n\n\ndef test_halves():\n    assert halve(4) == 2\n',
      },
      'python3 -m pytest -q test_halve.py',
    ),
  ],
  comes: { delivers: ['halve.py', 'lab-final.sh', 'test_halve.py'] },
};

const go: Kind = {
  name: 'go',
  about: 'Go',
  needs: ['go'],
  files: {
    'go.mod': 'module example.invalid/sample\n\ngo 1.19\n',
    'add.go': 'package sample\n\nfunc Add(a, b int) int { return a + b }\n',
    'add_test.go':
      'package sample\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("wrong")\n\t}\n}\n',
  },
  checks: { test_full: ['go test ./...'], lint_full: ['go vet ./...'] },
  beads: [
    writing(
      'halve',
      {
        'halve.go': 'package sample\n\nfunc Halve(n int) int { return n / 2 }\n',
        'halve_test.go':
          'package sample\n\nimport "testing"\n\nfunc TestHalve(t *testing.T) {\n\tif Halve(4) != 2 {\n\t\tt.Fatal("wrong")\n\t}\n}\n',
      },
      'go test -run TestHalve .',
    ),
  ],
  comes: { delivers: ['halve.go', 'halve_test.go', 'lab-final.sh'] },
};

const rust: Kind = {
  name: 'rust',
  about: 'Rust; Cargo.lock and target/ are neither tracked nor ignored',
  needs: ['cargo'],
  files: {
    'Cargo.toml': '[package]\nname = "sample"\nversion = "0.1.0"\nedition = "2021"\n',
    'src/lib.rs':
      'pub fn add(a: i64, b: i64) -> i64 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::add(1, 2), 3);\n    }\n}\n',
  },
  checks: { test_full: ['cargo test --offline --quiet'] },
  beads: [
    writing(
      'halve',
      {
        'tests/halve.rs': '#[test]\nfn halves() {\n    assert_eq!(sample::halve(4), 2);\n}\n',
        'src/lib.rs':
          'pub fn add(a: i64, b: i64) -> i64 {\n    a + b\n}\n\npub fn halve(n: i64) -> i64 {\n    n / 2\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::add(1, 2), 3);\n    }\n}\n',
      },
      'cargo test --offline --test halve',
    ),
  ],
  comes: { delivers: ['lab-final.sh', 'src/lib.rs', 'tests/halve.rs'] },
};

const c: Kind = {
  name: 'c-make',
  about: 'C with Make; objects and the test program are neither tracked nor ignored',
  needs: ['cc', 'make'],
  files: {
    Makefile:
      'CFLAGS = -Wall\n\ntest: check\n\t./check\n\ncheck: check.o add.o\n\t$(CC) -o $@ $^\n\n.PHONY: test\n',
    'add.c': 'int add(int a, int b) { return a + b; }\n',
    'check.c': 'int add(int, int);\nint main(void) { return add(1, 2) == 3 ? 0 : 1; }\n',
  },
  checks: { test_full: ['make test'] },
  beads: [
    writing(
      'halve',
      {
        'halve.c': 'int halve(int n) { return n / 2; }\n',
        'halve_check.c': 'int halve(int);\nint main(void) { return halve(4) == 2 ? 0 : 1; }\n',
      },
      'cc -o halve_check halve_check.c halve.c && ./halve_check',
    ),
  ],
  comes: { delivers: ['halve.c', 'halve_check.c', 'lab-final.sh'] },
};

/** One project a language. */
export const languages: readonly Kind[] = [node, typescript, unittest, pytest, go, rust, c];
