import type { Evidence } from '../evidence.ts';

/**
 * Which tests failed, by names that are the same from run to run; `tool` is the format they were read in. `passed`: null if the tool doesn't name them.
 * `ran`: how many tests there were, skipped ones not counted; null if the tool doesn't say.
 */
export interface TestResults {
  readonly tool: string;
  readonly failed: readonly string[];
  readonly passed: readonly string[] | null;
  readonly ran: number | null;
}

/**
 * Reads from a command's output which tests failed (docs/decisions/048-clean-room-proof.md); undefined if no known tool wrote it, or if so much was
 * written that the middle is missing. The output is text of strangers: patterns are linear, and names are cut at 500 characters.
 */
export function testResultsOf(evidence: Pick<Evidence, 'head' | 'tail' | 'outputBytes'>): TestResults | undefined {
  const text = wholeOutput(evidence);
  if (text === undefined) return undefined;
  const lines = text.split('\n').map((line) => line.replace(ansi, '').trimEnd());
  for (const { tool, sign, failed, passed, ran } of formats) {
    if (!lines.some((line) => sign.test(line))) continue;
    const names = (list: string[]) => [...new Set(list.map((name) => name.slice(0, 500)))].sort();
    const [red, green] = [names(failed(lines)), passed ? names(passed(lines)) : null];
    return { tool, failed: red, passed: green, ran: ran ? sumOf(lines, ran) : green && red.length + green.length };
  }
  return undefined;
}

/** What the groups of a pattern add up to over all lines. */
function sumOf(lines: readonly string[], pattern: RegExp): number {
  const numbers = lines.flatMap((line) =>
    line.length > 2_000 ? [] : [...line.matchAll(pattern)].flatMap((match) => match.slice(1).map(Number)),
  );
  return numbers.reduce((sum, one) => sum + (Number.isFinite(one) ? one : 0), 0);
}

const ansi = /\u001B\[[0-9;]*[A-Za-z]/g;

/** The output, both windows joined; undefined if there is a hole between them. */
export function wholeOutput({ head, tail, outputBytes }: Pick<Evidence, 'head' | 'tail' | 'outputBytes'>): string | undefined {
  const size = (text: string) => new TextEncoder().encode(text).length;
  if (size(head) >= outputBytes) return head;
  if (size(tail) >= outputBytes) return tail;
  return size(head) + size(tail) >= outputBytes ? head + tail : undefined;
}

interface Format {
  readonly tool: string;
  /** A line that only this tool writes, whether tests passed or failed. */
  readonly sign: RegExp;
  readonly failed: (lines: readonly string[]) => string[];
  /** Where it names tests that passed. */
  readonly passed?: (lines: readonly string[]) => string[];
  /** Counts of tests, all of which add up to those that ran. */
  readonly ran?: RegExp;
}

/** Tools and how they name a test that failed. The first whose sign occurs reads the output. */
const formats: readonly Format[] = [
  {
    tool: 'pytest',
    // With -q there are no lines of `=` around it.
    sign: /^(?:=+ .*\b(?:passed|failed|errors?|skipped)\b.* in [\d.]+s.*=+|(?:\d+ [a-z]+,? )+in [\d.]+s)$/,
    failed: matched(/^(?:FAILED|ERROR) (\S+::.+?|\S+\.py)(?: - .*)?$/),
    ran: /\b(\d+) (?:passed|failed|errors?|xpassed)\b(?=.* in [\d.]+s)/g,
  },
  { tool: 'unittest', sign: /^Ran \d+ tests? in [\d.]+s$/, failed: matched(/^(?:FAIL|ERROR): (.+)$/), ran: /^Ran (\d+) tests? in/g },
  {
    tool: 'cargo',
    sign: /^test result: (?:ok|FAILED)\. \d+ passed/,
    failed: cargoFailures,
    ran: /^test result: \w+\. (\d+) passed; (\d+) failed/g,
  },
  { tool: 'go', sign: /^(?:ok|FAIL|---|\?) ? ?(?:\t|FAIL:|PASS:)\s*\S+/, failed: goFailures },
  { tool: 'ctest', sign: /^\d+% tests passed, \d+ tests failed out of \d+/, failed: matched(/^\s+\d+ - (.+) \([A-Za-z ]+\)$/) },
  { tool: 'tap', sign: /^(?:TAP version \d+|1\.\.\d+)$/, failed: tapResults('not ok'), passed: tapResults('ok') },
  {
    tool: 'node',
    sign: /^ℹ tests \d+$/,
    failed: matched(/^\s*✖ (.+) \([\d.]+ms\)(?: #.*)?$/),
    passed: matched(/^\s*✔ (.+) \([\d.]+ms\)$/),
  },
  {
    tool: 'vitest',
    sign: /^\s*Test Files\s+\d+/,
    failed: matched(/^\s*(?:FAIL|×)\s+(\S.*?)(?:\s+\d+ms)?$/),
    ran: /(?<=^\s+Tests .*)\b(\d+) (?:passed|failed)/g,
  },
  {
    tool: 'jest',
    sign: /^Tests:\s+(?:\d+ \w+, )*\d+ total$/,
    failed: matched(/^\s{2}● (.+)$/),
    ran: /(?<=^Tests:.*)\b(\d+) (?:passed|failed)/g,
  },
  { tool: 'mocha', sign: /^\s+\d+ passing \(/, failed: mochaFailures, ran: /^\s+(\d+) (?:passing|failing)\b/g },
];

function matched(pattern: RegExp): (lines: readonly string[]) => string[] {
  return (lines) => lines.flatMap((line) => (line.length > 2_000 ? [] : (pattern.exec(line)?.[1] ?? [])));
}

/** With --quiet only the list at the end names them. */
function cargoFailures(lines: readonly string[]): string[] {
  let isListed = false;
  const listed = lines.filter((line) => {
    if (line !== '') isListed = line === 'failures:' || (isListed && /^ {4}\S+$/.test(line));
    return isListed && line.startsWith(' ');
  });
  return [...matched(/^test (.+) \.\.\. FAILED$/)(lines), ...listed.map((line) => line.trim())];
}

/** A test is named after its package, whose line follows; a package that doesn't build has no tests. */
function goFailures(lines: readonly string[]): string[] {
  const failed: string[] = [];
  let open: string[] = [];
  for (const line of lines) {
    const test = /^\s*--- FAIL: (\S+) \(/.exec(line)?.[1];
    if (test !== undefined) open.push(test);
    const [, verdict, name = ''] = /^(ok|FAIL)\s+(\S+)/.exec(line) ?? [];
    if (verdict === undefined || line.startsWith('---')) continue;
    if (verdict === 'FAIL') failed.push(...(open.length > 0 ? open.map((one) => `${name} ${one}`) : [name]));
    open = [];
  }
  return [...failed, ...open];
}

/** Nested tests are named after the ones around them, whose lines come later. A test to do isn't a failure, and a skipped one hasn't passed. */
function tapResults(wanted: 'ok' | 'not ok'): (lines: readonly string[]) => string[] {
  return (lines) => {
    const found: string[] = [];
    for (const line of lines) {
      const [, indent = '', verdict, name = '', directive] =
        /^(\s*)(not ok|ok) \d+(?: -)? ?([^#]*?)(?:\s*# (TODO|SKIP|todo|skip).*)?$/.exec(line.slice(0, 2_000)) ?? [];
      if (verdict === wanted && directive === undefined) found.push(`${'> '.repeat(indent.length / 4)}${name.trim()}`);
    }
    return found;
  };
}

/** `  1) suite`, then `       test:` in the list at the end. */
function mochaFailures(lines: readonly string[]): string[] {
  const list = lines.slice(lines.findIndex((line) => /^\s+\d+ failing$/.test(line)));
  if (list.length === lines.length && !/^\s+\d+ failing$/.test(list[0] ?? '')) return [];
  const failed: string[] = [];
  let parts: string[] | undefined;
  for (const line of list) {
    const first = /^\s{2}\d+\) (.+)$/.exec(line)?.[1];
    if (first !== undefined) parts = [first];
    else if (parts && /^\s{5,}\S/.test(line)) parts.push(line.trim());
    else continue;
    if (!parts.at(-1)?.endsWith(':')) continue;
    failed.push(parts.join(' ').slice(0, -1));
    parts = undefined;
  }
  return failed;
}
