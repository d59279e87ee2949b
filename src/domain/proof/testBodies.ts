import { addedLines } from './changedText.ts';
import { testsByLine } from './testNames.ts';

/** A finding in an earlier test. `line`: in the new text, from 1; null if it isn't there. */
interface BodyFinding {
  readonly kind: 'returns' | 'swallowed';
  readonly line: number | null;
  readonly text: string;
}

/** Lines that assert something. */
export const assertionLine =
  /\b(?:assert\w*|expect\w*|should|check\w*|EXPECT_\w+|ASSERT_\w+|CHECK\w*|REQUIRE\w*)\b|\brequire\.\w+|\bt\.(?:Errorf?|Fatalf?|Fail)\b/;
const shellAssertion = /(?:^|[\s;&|(!])(?:\[\[?\s|(?:test|diff|cmp|grep|check\w*|assert\w*|expect\w*)\s)/;

/** A test file's assertion pattern: in shell scripts, comparisons. */
export function assertionsIn(path: string): RegExp {
  return isShell(path) ? shellAssertion : assertionLine;
}

/** True for shell scripts, in which any command can be an assertion. */
export function isShell(path: string): boolean {
  return /\.(?:sh|bats)$/.test(path);
}

/** True if a whole line is a comment. */
export function isComment(line: string): boolean {
  return /^(?:\/\/|\/\*|\*|--|#(?!\[|\s*(?:include|define|undef|if|endif|else)\b))/.test(line);
}

/**
 * Finds earlier tests that end without assertions or ignore failures (docs/decisions/050-test-integrity.md).
 * Where earlier tests can run, those say more.
 */
export function weakerBodies(path: string, before: string, after: string): readonly BodyFinding[] {
  const [old, now] = [bodiesOf(before), bodiesOf(after)];
  return [...now].flatMap(([name, body]) => {
    const earlier = old.get(name);
    return earlier ? compare({ path, whole: after, isNamed: name !== '' }, earlier, body) : [];
  });
}

interface Place {
  readonly path: string;
  readonly whole: string;
  readonly isNamed: boolean;
}

interface Body {
  readonly text: string;
  readonly first: number;
}

/** A file without names is one test. */
function bodiesOf(text: string): ReadonlyMap<string, Body> {
  const lines = text.split('\n');
  const starts = testsByLine(text);
  if (starts.length === 0) return new Map([['', { text, first: 0 }]]);
  return new Map(
    starts.map(({ name, line }, index) => [
      name,
      { text: lines.slice(line, starts[index + 1]?.line ?? lines.length).join('\n'), first: line },
    ]),
  );
}

const mostCompared = 200;

function compare(place: Place, before: Body, { text, first }: Body): BodyFinding[] {
  const lines = text.split('\n');
  const assertion = assertionsIn(place.path);
  const asserts = lines.map((line) => assertion.test(line.trim()) && !isComment(line.trim()));
  const isAsserting = asserts.includes(true);
  const gone = addedLines(text, before.text).map((one) => one.text);
  const lost = gone.filter((line) => assertion.test(line)).slice(0, mostCompared);
  const found = addedLines(before.text, text).flatMap((added): BodyFinding[] => {
    const index = added.line - 1;
    const one = { line: first + added.line, text: added.text };
    if (isUncalled(place.whole, lines, index, asserts)) return [{ kind: 'returns', ...one }];
    if (isAsserting && swallows(lines, index)) return [{ kind: 'swallowed', ...one }];
    return lost.some((line) => isConditional(added.text, line)) ? [{ kind: 'returns', ...one }] : [];
  });
  const [returnsNow, returnsBefore] = [
    earlyReturns(place, lines),
    earlyReturns(place, before.text.split('\n')),
  ];
  for (const index of returnsNow.slice(0, Math.max(0, returnsNow.length - returnsBefore.length)))
    found.push({ kind: 'returns', line: first + index + 1, text: lines[index]?.trim() ?? '' });
  if (endsFirst(text, assertion) && !endsFirst(before.text, assertion))
    found.push({ kind: 'returns', line: first + 1, text: 'done()' });
  if (isUnawaited(before.text, text, place.whole))
    found.push({ kind: 'returns', line: first + 1, text: lines[0]?.trim() ?? '' });
  return found;
}

/** Lines, from 0, at which a test ends before assertions. */
function earlyReturns(place: Place, lines: readonly string[]): readonly number[] {
  const assertion = assertionsIn(place.path);
  const last = lines.findLastIndex((line) => assertion.test(line.trim()) && !isComment(line.trim()));
  return lines.flatMap((line, index) =>
    index < last && earlyReturn.test(line.trim()) && isAtTop(place, lines, index) ? [index] : [],
  );
}

const earlyReturn =
  /^(?:(?:if|unless)\b.*[):{]\s*)?\{?\s*(?:return(?:\s+(?:0|None|null|nil|undefined|EXIT_SUCCESS|t\.\w+\(.*\)))?|yield|exec\s+(?:true|:))\s*;?\s*\}?$/;

/** In a one-test file, helpers may return. */
function isAtTop({ isNamed }: Place, lines: readonly string[], index: number): boolean {
  if (isNamed) return true;
  const opening = lines
    .slice(0, index)
    .findLast((line) => /^[A-Za-z_]/.test(line) && /\)\s*\{?\s*$/.test(line) && !/;\s*$/.test(line));
  return opening === undefined || /\bmain\s*\(/.test(opening) || !/^\s/.test(lines[index] ?? '');
}

function isUncalled(
  whole: string,
  lines: readonly string[],
  index: number,
  asserts: readonly boolean[],
): boolean {
  const name = functionStart
    .exec(lines[index]?.trim() ?? '')
    ?.slice(1)
    .find(Boolean);
  const isAsserting = asserts[index] === true || asserts[index + 1] === true;
  if (name === undefined || /^test/i.test(name) || !isAsserting) return false;
  return whole.split(new RegExp(`\\b${name}\\b`)).length === 2;
}

const functionStart =
  /^(?:(?:const|let|var)\s+(\w+)\s*=\s*(?:async\s*)?(?:function\b|\(.*\)\s*=>)|(?:async\s+)?function\s+(\w+)|def\s+(\w+)|(\w+)\s*\(\)\s*\{)/;

function isConditional(added: string, assertion: string): boolean {
  if (assertion.length < 8 || added === assertion || !added.includes(assertion)) return false;
  return /\|\||&&|\b(?:if|unless)\b|\?/.test(added.replace(assertion, ''));
}

function swallows(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? '';
  if (
    /\|\|\s*(?:true|:)(?=$|[\s;)])|^\s*set \+e\b|\brecover\(\)\s*\}?|\bsuppress\(|\.catch\(\s*\(?\w*\)?\s*=>\s*(?:\{\s*\}|undefined|null)\s*\)/.test(
      line,
    )
  )
    return true;
  const at = line.search(/\bcatch\b(?!\s*\.)|^\s*(?:except|rescue)\b/);
  if (at < 0 || /\.catch\(/.test(line)) return false;
  const indent = line.search(/\S/);
  const rest = lines.slice(index + 1, index + longestBlock);
  const end = rest.findIndex(
    (next) => next.trim() !== '' && (next.trim().startsWith('}') || next.search(/\S/) <= indent),
  );
  const block = [line.slice(at), ...rest.slice(0, end < 0 ? undefined : end)];
  return !block.some(
    (next) =>
      /(?:^|\{)\s*(?:throw|raise)\b/.test(next) ||
      /\b(?:fail|reject|done)\w*\s*\(|\bpytest\.fail\b/.test(next) ||
      isChecked(next),
  );
}

const longestBlock = 50;

/** In the clause itself, `AssertionError` is no assertion. */
function isChecked(line: string): boolean {
  return assertionLine.test(line.replace(/\b(?:catch|except)\b[^{:]*[{:]?/, ''));
}

function endsFirst(text: string, assertion: RegExp): boolean {
  const lines = text.split('\n');
  const done = lines.findIndex((line) => /(?<![\w.])done\(\s*\)/.test(line));
  const first = lines.findIndex((line) => assertion.test(line.trim()));
  return done >= 0 && first >= 0 && done < first;
}

/** A coroutine that nothing runs passes. */
function isUnawaited(before: string, after: string, whole: string): boolean {
  return (
    /^\s*def\s/.test(before) &&
    /^\s*async\s+def\s/.test(after) &&
    !/IsolatedAsyncioTestCase|asyncio|anyio|trio/.test(whole)
  );
}

/** Assertions with wider tolerance, or fewer exact expectations. */
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
