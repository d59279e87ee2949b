import { newLines } from './catalogue/entries.ts';

/**
 * Names as tests have them, in several languages: a pattern that would hide one of these would hide tests.
 */
const likeTests = [
  'src/a.test.ts',
  'test/a.js',
  'tests/test_a.py',
  'a_test.go',
  'spec/a_spec.rb',
  'src/test/java/ATest.java',
  'package.json',
];
const mostPatterns = 100;
const longestPattern = 1_000;

/**
 * The first new pattern of a `.gitignore` that hides what the checks need: a file that the repository has, or
 * one named as tests are. Linters, runners and searches leave out what it names, and new files of that name
 * get into no commit. Patterns for what builds write hide nothing.
 */
export function hidesFiles(
  {
    path,
    before,
    after,
  }: { readonly path: string; readonly before: string | null; readonly after: string | null },
  tree: readonly string[],
): { readonly line: number; readonly text: string } | undefined {
  if (after === null) return { line: 1, text: "what can't be read" };
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
  const names = [
    ...tree.filter((one) => one.startsWith(folder) && one !== path).map((one) => one.slice(folder.length)),
    ...likeTests,
  ];
  const added = newLines(before, after).filter(({ text }) => !/^[#!]/.test(text));
  return added.find(({ text }, at) => {
    // So many, or such a pattern, is nothing that a build writes.
    const pattern = at >= mostPatterns ? undefined : expressionOf(text);
    return pattern === undefined || names.some((name) => pattern.test(name));
  });
}

/**
 * The expression for a pattern; undefined if it is so long, or has so many stars, that matching it could take
 * long.
 */
function expressionOf(pattern: string): RegExp | undefined {
  if (pattern.length > longestPattern || (pattern.match(/\*+/g) ?? []).length > 3) return undefined;
  const isRooted = /\/(?!$)/.test(pattern);
  const body = pattern
    .replace(/^\/|\/$/g, '')
    .replace(/[.+()^$|{}\\]/g, '\\$&')
    .replace(/\[!/g, '[^')
    .replace(/\*\*\/|\*\*|\*|\?/g, (star) =>
      star === '?' ? '[^/]' : star === '*' ? '[^/]*' : star === '**' ? '.*' : '(?:.*/)?',
    );
  try {
    return new RegExp(
      `^${isRooted ? '' : '(?:.*/)?'}${body}${pattern.endsWith('/') ? '/.*' : '(?:/.*)?'}$`,
      'i',
    );
  } catch {
    return undefined;
  }
}
