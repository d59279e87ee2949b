import { type Example, languageTests } from '../../../support/engine/languageTests.ts';

const examples: Readonly<Record<string, Example>> = {
  'Python with pytest': {
    probe: ['python3', '-m', 'pytest', '--version'],
    files: {
      'shop/__init__.py': '',
      'tests/test_old.py': 'def test_old():\n    assert True\n',
      'pytest.ini': '[pytest]\npythonpath = .\n',
    },
    work: { 'tests/test_add.py': 'from shop.add import add\n\ndef test_add():\n    assert add(2, 3) == 5\n' },
    source: 'shop/add.py',
    right: 'def add(a, b):\n    return a + b\n',
    wrong: 'def add(a, b):\n    return a - b\n',
    command: 'python3 -m pytest -q tests/test_add.py',
    projectTest: 'python3 -m pytest -q',
  },
  'Python with unittest': {
    probe: ['python3', '--version'],
    files: { 'shop/__init__.py': '' },
    work: {
      'test_add.py':
        'import unittest\nfrom shop.add import add\n\nclass AddTest(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n',
    },
    source: 'shop/add.py',
    right: 'def add(a, b):\n    return a + b\n',
    wrong: 'def add(a, b):\n    return a * b\n',
    command: 'python3 -m unittest -v test_add',
  },
  Go: {
    probe: ['go', 'version'],
    files: { 'go.mod': 'module example.com/shop\n\ngo 1.20\n', 'old.go': 'package shop\n' },
    work: {
      'add_test.go':
        'package shop\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(2, 3) != 5 {\n\t\tt.Fatal("wrong")\n\t}\n}\n',
    },
    source: 'add.go',
    right: 'package shop\n\nfunc Add(a, b int) int { return a + b }\n',
    wrong: 'package shop\n\nfunc Add(a, b int) int { return a - b }\n',
    command: 'go test ./...',
    projectTest: 'go test ./...',
  },
  Rust: {
    probe: ['cargo', '--version'],
    files: {
      '.gitignore': 'target/\n',
      'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': 'pub mod add;\n',
      'src/add.rs': 'pub fn add(_a: i32, _b: i32) -> i32 {\n    0\n}\n',
    },
    work: { 'tests/add.rs': '#[test]\nfn adds() {\n    assert_eq!(shop::add::add(2, 3), 5);\n}\n' },
    source: 'src/add.rs',
    right: 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n',
    wrong: 'pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n',
    command: 'cargo test --offline --quiet',
  },
  'C with Make': {
    probe: ['make', '--version'],
    files: {
      Makefile:
        'CFLAGS = -Wall -Werror\ntest: check\n\t./check\ncheck: check.c add.c\n\t$(CC) $(CFLAGS) -o check check.c add.c\n',
      'add.h': 'int add(int a, int b);\n',
      'add.c': '#include "add.h"\nint add(int a, int b) { return 0 * a * b; }\n',
    },
    work: {
      'check.c':
        '#include <stdio.h>\n#include "add.h"\nint main(void) { if (add(2, 3) == 5) return 0; puts("add is wrong"); return 1; }\n',
    },
    source: 'add.c',
    right: '#include "add.h"\nint add(int a, int b) { return a + b; }\n',
    wrong: '#include "add.h"\nint add(int a, int b) { return a - b; }\n',
    command: 'make test',
  },
};

describe('a bead in any language', () => {
  languageTests(examples);
});
