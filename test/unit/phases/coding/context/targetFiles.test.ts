import assert from 'node:assert/strict';
import { describeFiles } from '../../../../../src/phases/coding/context/beadContext.ts';

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
