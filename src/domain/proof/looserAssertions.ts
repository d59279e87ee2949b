import { addedLines } from './changedText.ts';
import { assertionsIn, isComment, isShell } from './testBodies.ts';

/**
 * Assertions of before that accept more than they did: a wider tolerance, and fewer that say what exactly
 * they expect.
 */
export function looserAssertions(
  path: string,
  before: string,
  after: string,
): readonly { readonly line: number | null; readonly text: string }[] {
  const pattern = assertionsIn(path);
  const removed = addedLines(after, before).filter(({ text }) => pattern.test(text) && !isComment(text));
  const shapes = new Set(removed.map(({ text }) => withoutNumbers(text)));
  const wider = addedLines(before, after).filter(
    ({ text }) => tolerance.test(text) && pattern.test(text) && shapes.has(withoutNumbers(text)),
  );
  if (wider.length > 0) return wider;
  const goesOn = isShell(path)
    ? addedLines(after, before).filter(({ text }) => /^set -\w*e/.test(text) && !/^set -\w*e/m.test(after))
    : [];
  if (goesOn.length > 0) return goesOn.map(({ text }) => ({ line: null, text }));
  const exact = (text: string): number =>
    text.split('\n').filter((line) => pattern.test(line.trim()) && isExact(path, line)).length;
  const lost = removed.filter(({ text }) => isExact(path, text));
  return exact(after) < exact(before) ? lost.slice(0, 1).map(({ text }) => ({ line: null, text })) : [];
}

const tolerance =
  /[<>]|\b(?:abs|rel|delta|places|epsilon|tolerance|within|atol|rtol)\b|closeTo|CloseTo|AlmostEqual|NEAR/;

function withoutNumbers(line: string): string {
  return line.replace(/\d[\d._]*(?:e[-+]?\d+)?/gi, '#');
}

function isExact(path: string, line: string): boolean {
  if (isComment(line.trim()) || vague.test(line)) return false;
  if (isShell(path) && /(?<![<>=!])=(?![=>])/.test(line)) return true;
  return /[eE]qual|\btoBe\b|assert_eq|==|!=|[mM]atch|[tT]hrows?|[rR]aises|[rR]eject|assertSame|assertIn|[iI]nclude|[cC]ontain|toHave|\bcmp\b|\bdiff\b|\bgrep\b/.test(
    line,
  );
}

const vague =
  /typeof|isinstance|instanceof|[!=]==?\s*(?:undefined|null|NULL|None|nil)\b|is not None|\btest -[nz]\b|\[ -[nz]\b/;
