import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');
const [points = '', defects = ''] = readFileSync(join(root, 'docs/first-class.md'), 'utf8').split('\n## ');
const rows = rowsOf(points);

function rowsOf(text: string): readonly (readonly string[])[] {
  return text
    .split('\n')
    .filter((line) => /^\| \d+ \|/.test(line))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
}

/** Those that a cell names; each exists. */
function namedIn(cell: string, number: string): readonly string[] {
  const named = [...cell.matchAll(/`(test\/[\w./-]+\.test\.ts)` › ([^;]+)(?:;|$)/g)];
  assert.ok(named.length > 0, `${number} names no test`);
  return named.map(([, file = '', title = '']) => {
    assert.ok(existsSync(join(root, file)), `${number}: ${file}`);
    assert.ok(titlesOf(file).includes(title.trim()), `${number}: ${file} › ${title}`);
    return file;
  });
}

/** The titles of a test file, as mocha prints them. Those that are made of parts can't be named. */
function titlesOf(file: string): readonly string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ['it', 'describe'].includes(node.expression.getText())) {
      const [title] = node.arguments;
      if (title && ts.isStringLiteralLike(title)) titles.push(title.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

describe('docs/first-class.md', () => {
  it('has the 40 points, in order, each answered by yes or no', () => {
    assert.deepEqual(
      rows.map(([number]) => Number(number)),
      Array.from({ length: 40 }, (_, at) => at + 1),
    );
    for (const [number, point, answer, why] of rows) {
      assert.ok((point ?? '').length > 20, number);
      assert.match(answer ?? '', /^(yes|no)$/, number);
      assert.ok((why ?? '').length > 10, number);
    }
  });

  it('names for every yes a test that exists', () => {
    for (const [number, , answer, why] of rows) {
      if (answer === 'yes') namedIn(why ?? '', number ?? '');
    }
  });

  it('names no test for a no, but a reason', () => {
    for (const [number, , answer, why] of rows)
      if (answer === 'no') assert.ok((why ?? '').split(' ').length >= 5, number);
  });

  it('has 30 defects, in order, each with a test in the editor that would notice it, or a reason', () => {
    const all = rowsOf(defects);
    assert.deepEqual(
      all.map(([number]) => Number(number)),
      Array.from({ length: 30 }, (_, at) => at + 1),
    );
    for (const [number = '', defect = '', test = ''] of all) {
      assert.ok(defect.length > 20, number);
      if (test.startsWith('no: ')) assert.ok(test.split(' ').length >= 6, number);
      else for (const file of namedIn(test, number)) assert.match(file, /^test\/(e2e|whole\/editor|host)\//);
    }
  });
});
