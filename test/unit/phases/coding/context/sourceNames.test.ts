import assert from 'node:assert/strict';
import {
  importsFile,
  linesOf,
  stemOf,
  topLevelNames,
} from '../../../../../src/phases/coding/context/sourceNames.ts';

describe('what a source file says of itself', () => {
  for (const [language, text, names] of [
    [
      'TypeScript',
      'import { a } from "./a.ts";\nexport const one = 1;\nexport default async function two() {\n  const inner = 2;\n}\nabstract class Three {}\nexport type Four = 4;\n',
      ['one', 'two', 'Three', 'Four'],
    ],
    [
      'Python',
      'import os\n\nclass Cart:\n    def total(self):\n        pass\n\nasync def load():\n    pass\n',
      ['Cart', 'load'],
    ],
    [
      'Go',
      'package cart\n\ntype Cart struct {}\n\nfunc (c *Cart) Total() int {\n}\nfunc New() *Cart {\n}\n',
      ['Cart', 'Total', 'New'],
    ],
    [
      'Rust',
      'use std::io;\npub(crate) fn total() {}\npub struct Cart;\nimpl Cart {\n    pub fn new() {}\n}\n',
      ['total', 'Cart'],
    ],
    ['Java', 'package shop;\npublic final class Cart {\n  public int total() { return 0; }\n}\n', ['Cart']],
  ] as const)
    it(`are the names that ${language} declares at the top level, each once`, () => {
      assert.deepEqual(topLevelNames(text), names);
    });

  it('is its length in lines', () => {
    assert.deepEqual(['', 'a', 'a\n', 'a\nb'].map(linesOf), [0, 1, 1, 2]);
  });

  it('is the word by which others name it', () => {
    assert.deepEqual(['src/total.ts', 'src/cart/index.ts', 'total.test.ts', 'cart/__init__.py'].map(stemOf), [
      'total',
      'cart',
      'total',
      'cart',
    ]);
  });
});

describe('whether a file imports another one', () => {
  for (const [what, text, from, path, expected] of [
    [
      'by a relative name',
      "import { a } from '../cart/total.ts';",
      'src/app/main.ts',
      'src/cart/total.ts',
      true,
    ],
    [
      'by a name without an ending',
      "const total = require('./total');",
      'src/cart/main.js',
      'src/cart/total.js',
      true,
    ],
    ['by its folder', "export * from './cart';", 'src/main.ts', 'src/cart/index.ts', true],
    [
      'not where another file has that name',
      "import { a } from './total.ts';",
      'src/app/main.ts',
      'src/cart/total.ts',
      false,
    ],
    ['by a module name', 'from shop.cart.total import Total', 'app/main.py', 'shop/cart/total.py', true],
    [
      'by a block of Go',
      'import (\n\t"fmt"\n\tcart "example.com/shop/cart"\n)\n',
      'main.go',
      'cart/total.go',
      true,
    ],
    ['by a header', '#include "total.h"', 'main.c', 'src/total.h', true],
    [
      'not where it only speaks of it',
      '// The total is computed elsewhere.\nconst total = 3;\n',
      'src/main.ts',
      'src/total.ts',
      false,
    ],
    [
      'not where the word is part of another one',
      "import { x } from 'subtotal';",
      'src/main.ts',
      'src/total.ts',
      false,
    ],
  ] as const)
    it(what, () => {
      assert.equal(importsFile(text, from, path), expected);
    });
});
