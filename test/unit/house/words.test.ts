import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../../..');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');
/** The demo's documents are recorded answers of models, which write as they like. */
const sources = globSync(['src/**/*.ts', 'webview-ui/**/*.{ts,tsx}'], { cwd: root }).filter(
  (file) => !/node_modules|src\/demo\//.test(file),
);
const pages = globSync(['*.md', 'docs/**/*.md', 'prompts/*.md'], { cwd: root });

/** Everything that has comments; this file quotes some. */
const commented = globSync(['{src,webview-ui,test,.build}/**/*.{ts,tsx,mjs}', '.*.{mjs,mts}'], {
  cwd: root,
}).filter((file) => !/node_modules|words\.test\.ts/.test(file));

/**
 * The rows of the glossary's table "Words to avoid": what not to write (alternatives divided by commas), and
 * what to write.
 */
function wordsToAvoid(): { readonly word: RegExp; readonly instead: string }[] {
  const [, table = ''] = text('docs/GLOSSARY.md').split('## Words to avoid');
  return table
    .split('\n')
    .filter((line) => /^\| (?!Don't|-)/.test(line))
    .flatMap((line) => {
      const [, avoid = '', instead = ''] = line.split('|').map((cell) => cell.trim());
      return avoid
        .split(',')
        .map((word) => ({ word: new RegExp(`(?<![\\p{L}-])${word.trim()}(?![\\p{L}-])`, 'iu'), instead }));
    });
}

/**
 * Everything in a file that looks like a sentence for people: string and template texts with a space, and the
 * text between the tags of a page.
 */
function sentencesOf(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    text(file),
    ts.ScriptTarget.Latest,
    true,
    file.endsWith('x') ? ts.ScriptKind.TSX : undefined,
  );
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isJsxText(node)
    )
      found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found.filter((sentence) => sentence.trim().includes(' '));
}

/** The comments of a file, each as one line: a phrase may go over several. A glob in a string is none. */
function commentsOf(content: string): string[] {
  const comments = /(?<=^|\s)\/\*\*?\s[^]*?\*\/|(?:^[ \t]*\/\/.*\n)+|[ \t]\/\/ .*$/gm;
  return (content.match(comments) ?? []).map((comment) =>
    comment.trim().replace(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' '),
  );
}

/** The titles of suites and tests in a file. */
function titlesOf(content: string): string[] {
  return [...content.matchAll(/\b(?:describe|it)\(\s*(['`"])((?:(?!\1)[^\\]|\\.)*)\1/g)].map(
    ([, , title = '']) => title,
  );
}

function guilty(sentences: readonly string[]): string[] {
  const avoid = wordsToAvoid();
  return sentences.flatMap((sentence) =>
    avoid
      .filter(({ word }) => word.test(sentence))
      .map(({ word, instead }) => `"${sentence.trim()}": ${word.source} → ${instead}`),
  );
}

describe('words to avoid', function () {
  // Every file is read, which takes its time on a busy machine.
  this.timeout(60_000);
  it('has a list of words to avoid', () => assert.ok(wordsToAvoid().length > 10));

  it('finds such a word in a sentence, and not within another word', () => {
    assert.equal(guilty(['Mend the cause, then retry.']).length, 1);
    assert.deepEqual(guilty(['Recommended', 'an amendment']), []);
  });

  it('avoids them in the interface, errors and the command line', () => {
    assert.deepEqual(guilty(sources.flatMap(sentencesOf)), []);
    assert.deepEqual(
      guilty(Object.values(JSON.parse(text('package.nls.json')) as Record<string, string>)),
      [],
    );
  });

  it('finds every form of comment, and a phrase over several lines', () => {
    const content =
      '/**\n * It goes\n * on.\n */\nconst glob = "src/**/*.ts"; // begun\n// anew and\n// anew\n{ /** mended */ }\n';
    assert.deepEqual(commentsOf(content), [
      '/** It goes on. */',
      '// begun',
      '// anew and anew',
      '/** mended */',
    ]);
    assert.equal(guilty(commentsOf(content)).length, 4);
  });

  it('avoids them in comments', () => {
    const found = commented.flatMap((file) =>
      guilty(commentsOf(text(file))).map((line) => `${file}: ${line}`),
    );
    assert.deepEqual(found, []);
  });

  it('avoids them in titles of tests', () => {
    assert.deepEqual(titlesOf("describe('one', () => { it(\n  `two ${x}`, run) })"), ['one', 'two ${x}']);
    const found = commented
      .filter((file) => file.endsWith('.test.ts'))
      .flatMap((file) => guilty(titlesOf(text(file))));
    assert.deepEqual(found, []);
  });

  it('avoids them on the pages and in prompts', () => {
    const lines = pages.flatMap((file) => {
      const [before = ''] =
        file === 'docs/GLOSSARY.md' ? text(file).split('## Tickets and runs') : [text(file)];
      return guilty(before.split('\n')).map((line) => `${file}: ${line}`);
    });
    assert.deepEqual(lines, []);
  });
});
