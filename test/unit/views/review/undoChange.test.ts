import assert from 'node:assert/strict';
import { replaceLines, suggestedLines, suggestionBlock } from '../../../../src/views/review/suggestion.ts';
import { undoneAt } from '../../../../src/views/review/undoChange.ts';

/** As git writes it, with all lines around as context. */
function diffOf(path: string, start: number, ...lines: readonly string[]): string {
  const count = (sign: string): number => lines.filter((line) => !line.startsWith(sign)).length;
  const [before, after] = [count('+'), count('-')].map(String) as [string, string];
  const head = [`diff --git a/${path} b/${path}`, `--- a/${path}`, `+++ b/${path}`];
  const from = String(start);
  return [...head, `@@ -${from},${before} +${from},${after} @@ around`, ...lines, ''].join('\n');
}

describe('the change at the cursor', () => {
  const changes = {
    'other lines': ['@a', '-one', '-two', '+ONE', ' b'],
    'more lines': [' a', '+new', '+newer', ' b'],
    'fewer lines': [' a', '-gone', '-', ' b'],
    'fewer lines at the top': ['-gone', ' a'],
    'a blank line that became text': [' a', '-', '+text', ' b'],
    'no blank line': [' a', '-', ' b'],
    'the end': [' a', '-old', '+new'],
  };
  for (const [name, marked] of Object.entries(changes))
    it(`gives back what was there before: ${name}`, () => {
      const lines = marked.map((line) => line.replace(/^@/, ' '));
      const side = (sign: string): string =>
        `${lines.flatMap((line) => (line.startsWith(sign) ? [] : [line.slice(1)])).join('\n')}\n`;
      const undone = undoneAt(diffOf('a b.ts', 1, ...lines), 'a b.ts', 1);
      assert.ok(undone);
      const suggested = suggestedLines(suggestionBlock(undone.lines));
      assert.equal(replaceLines(side('-'), undone, suggested ?? 'none'), side('+'));
    });

  it('is the one around the line, and none elsewhere', () => {
    const [one, two] = [diffOf('a.ts', 10, ' a', '-b', '+c', ' d'), diffOf('b.ts', 1, '-x', '+y')];
    const diff = `${one}${two}`;
    assert.deepEqual(undoneAt(diff, 'a.ts', 12), { line: 11, endLine: 11, lines: 'b' });
    for (const line of [9, 13]) assert.equal(undoneAt(diff, 'a.ts', line), undefined);
    assert.equal(undoneAt(diff, 'c.ts', 1), undefined);
  });

  it('leaves alone another one that git shows in the same hunk', () => {
    const diff = diffOf('a.ts', 10, ' a', '-one', '+ONE', ' b', ' c', '-two', ' d');
    for (const line of [10, 11, 12])
      assert.deepEqual(undoneAt(diff, 'a.ts', line), { line: 11, endLine: 11, lines: 'one' });
    for (const line of [13, 14])
      assert.deepEqual(undoneAt(diff, 'a.ts', line), { line: 13, endLine: 13, lines: 'c\ntwo' });
  });

  it('can’t be undone where nothing is left of a file', () => {
    assert.equal(undoneAt(diffOf('a.ts', 0, '-x'), 'a.ts', 1), undefined);
  });
});
