import type { Evidence, TestCounts, TestResults } from '../core/evidence.ts';
import { type Format, formats } from './testFormats.ts';

/**
 * Reads from a command's output which tests failed (docs/decisions/048-clean-room-proof.md); undefined if no
 * known tool wrote it, or if the middle of the output is missing.
 */
export function testResultsOf(
  evidence: Pick<Evidence, 'head' | 'tail' | 'outputBytes' | 'tests'>,
): TestResults | undefined {
  if (evidence.tests) return evidence.tests;
  const text = wholeOutput(evidence);
  return text === undefined ? undefined : readTestResults(text);
}

/** So many characters of the names of passed tests are kept, and so many failed tests. */
const mostPassed = 100_000;
/** Characters of a line that are read. The text after them says nothing about a test. */
const longestLine = 2_000;
const mostFailed = 2_000;

/**
 * Reads an output. It is text of strangers: names are cut at 500 characters, and lines so that no pattern
 * takes long. Undefined if no known tool wrote it.
 */
export function readTestResults(text: string): TestResults | undefined {
  const lines = text
    .replace(ansi, '')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : line.slice(0, longestLine).trimEnd()));
  const format = formatOf(lines);
  if (!format) return undefined;
  const { tool, failed, passed, ran, skipped } = format;
  const names = (list: string[]) => [...new Set(list.map((name) => name.slice(0, 500)))].sort();
  const [red, green] = [names(failed(lines)), passed ? names(passed(lines)) : null];
  const count =
    typeof ran === 'function' ? ran(lines) : ran ? sumOf(lines, ran) : green && testsIn([...red, ...green]);
  const isKept = green !== null && green.join('').length <= mostPassed;
  return {
    tool,
    failed: red.slice(0, mostFailed),
    passed: isKept ? green : null,
    ran: count,
    skipped: skipped ? sumOf(lines, skipped) : null,
  };
}

/** The tool that wrote an output, by its lines without colors. */
export function toolOf(lines: readonly string[]): string | undefined {
  return formatOf(lines)?.tool;
}

function formatOf(lines: readonly string[]): Format | undefined {
  return formats.find(({ sign }) => lines.some((line) => sign.test(line)));
}

/** A file is no test: Node reports one as a test that passed if it ended before its tests. */
function testsIn(names: readonly string[]): number {
  return names.filter((name) => !/^[\w@./\\-]+\.[cm]?[jt]sx?$/.test(name)).length;
}

/** Counts the tests that ran, as far as the output says. */
export function testCountsOf(evidence: Parameters<typeof testResultsOf>[0]): TestCounts | undefined {
  const { ran = null, failed = [], skipped = null } = testResultsOf(evidence) ?? {};
  if (ran === null) return undefined;
  return { ran, passed: Math.max(0, ran - failed.length), failed: failed.length, skipped };
}

/** Returns the sum of the groups of a pattern over all lines. */
function sumOf(lines: readonly string[], pattern: RegExp): number {
  const numbers = lines.flatMap((line) =>
    [...line.matchAll(pattern)].flatMap((match) => match.slice(1).map(Number)),
  );
  return numbers.reduce((sum, one) => sum + (Number.isFinite(one) ? one : 0), 0);
}

const ansi = /\u001B\[[0-9;]*[A-Za-z]/g;

/** The output, both windows joined; undefined if there is a hole between them. */
export function wholeOutput({
  head,
  tail,
  outputBytes,
}: Pick<Evidence, 'head' | 'tail' | 'outputBytes'>): string | undefined {
  const size = (text: string) => new TextEncoder().encode(text).length;
  if (size(head) >= outputBytes) return head;
  if (size(tail) >= outputBytes) return tail;
  return size(head) + size(tail) >= outputBytes ? head + tail : undefined;
}
