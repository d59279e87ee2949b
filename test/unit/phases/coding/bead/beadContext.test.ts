import assert from 'node:assert/strict';
import {
  describeFiles,
  importsFile,
  linesOf,
  stemOf,
  topLevelNames,
} from '../../../../../src/phases/coding/bead/beadContext.ts';

const commit = (digit: string): string => digit.repeat(40);

/** The files of a commit, as git would read them. `asked` counts the calls. */
class CommittedFiles {
  asked = 0;
  readonly #files: ReadonlyMap<string, string>;
  constructor(files: Readonly<Record<string, string>>) {
    this.#files = new Map(Object.entries(files));
  }
  async regularFiles(_commit: string, paths: readonly string[] = []): Promise<readonly string[]> {
    this.asked++;
    return paths.filter((path) => this.#files.has(path));
  }
  async blobs(_commit: string, paths: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    return paths.map((path) => {
      const text = this.#files.get(path);
      return text === undefined ? undefined : new TextEncoder().encode(text);
    });
  }
  async filesNaming(_commit: string, words: readonly string[]): Promise<readonly string[]> {
    return [...this.#files]
      .filter(([, text]) => words.some((word) => text.includes(word)))
      .map(([path]) => path);
  }
}

describe('the files that a bead names', () => {
  it('are told with their size, what they declare, who imports them and what tests them', async () => {
    const git = new CommittedFiles({
      'src/total.ts': 'export function total() {}\nconst cents = 1;\n',
      'src/app.ts': "import { total } from './total.ts';\n",
      'src/words.ts': '// total\n',
      'test/total.test.ts': "import { total } from '../src/total.ts';\n",
      'logo.png': '\0\0',
    });
    assert.equal(
      await describeFiles(git, commit('1'), ['src/total.ts', 'src/new.ts', 'test/total.test.ts', 'logo.png']),
      [
        '- src/total.ts: 2 lines; declares total, cents; imported by src/app.ts; tested in test/total.test.ts',
        '- src/new.ts: new',
        '- test/total.test.ts: 1 line',
        '- logo.png: binary or very large',
      ].join('\n'),
    );
  });

  it('are bounded, however many there are and whatever names them', async () => {
    const many = Array.from({ length: 40 }, (_, index) => `src/part${String(index)}.ts`);
    const users = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [
        `src/user${String(index)}.ts`,
        "import { a } from './part0.ts';\n",
      ]),
    );
    const names = Array.from({ length: 100 }, (_, index) => `export const name${String(index)} = 1;\n`).join(
      '',
    );
    const text = await describeFiles(
      new CommittedFiles({ ...users, 'src/part0.ts': names }),
      commit('2'),
      many,
    );
    const [first = ''] = text.split('\n');
    assert.match(first, /name9 and 90 more; imported by .* and 45 more$/);
    assert.equal(text.split('\n').length, 13);
    assert.match(text, /\n- also named: src\/part12\.ts, .*src\/part39\.ts$/);
  });

  it('are read once for each commit', async () => {
    const git = new CommittedFiles({ 'a.ts': '' });
    await describeFiles(git, commit('3'), ['a.ts']);
    await describeFiles(git, commit('3'), ['a.ts']);
    assert.equal(git.asked, 1);
    await describeFiles(git, commit('4'), ['a.ts']);
    assert.equal(git.asked, 2);
  });

  it('are nothing where a bead names none', async () => {
    assert.equal(await describeFiles(new CommittedFiles({}), commit('5'), []), '');
  });
});

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
