import type { Evidence, TestCounts, TestResults } from '../core/evidence.ts';

/** A tool's format. Functions get output lines without colors. */
interface Format {
  readonly tool: string;
  /** Only this tool writes it, on success and failure. */
  readonly sign: RegExp;
  readonly failed: (lines: readonly string[]) => string[];
  /** Absent if the tool doesn't name them. */
  readonly passed?: (lines: readonly string[]) => string[];
  /** Counts to add up, or a function, null if unknown. */
  readonly ran?: RegExp | ((lines: readonly string[]) => number | null);
  readonly skipped?: RegExp;
}

/** The first format whose sign occurs reads the output. */
const formats: readonly Format[] = [
  {
    tool: 'pytest',
    // With -q there are no lines of `=` around it.
    sign: /^(?:(?==+ .*=$)(?=.*\b(?:passed|failed|errors?|skipped)\b).* in [\d.]{1,12}s|(?:\d+ [a-z]+,? )+in [\d.]+s$)/,
    failed: matched(/^(?:FAILED|ERROR) (\S+::.+?|\S+\.py)(?: - .*)?$/),
    ran: /\b(\d+) (?:passed|failed|errors?|xpassed)\b(?=.* in [\d.]+s)/g,
    skipped: /\b(\d+) (?:skipped|deselected|xfailed)\b(?=.* in [\d.]+s)/g,
  },
  {
    tool: 'unittest',
    sign: /^Ran \d+ tests? in [\d.]+s$/,
    failed: matched(/^(?:FAIL|ERROR): (.+)$/),
    ran: /^Ran (\d+) tests? in/g,
    skipped: /^(?:OK|FAILED) \(.*\bskipped=(\d+)/g,
  },
  {
    tool: 'cargo',
    sign: /^test result: (?:ok|FAILED)\. \d+ passed/,
    failed: cargoFailures,
    ran: /^test result: \w+\. (\d+) passed; (\d+) failed/g,
    skipped: /^test result: .*; (\d+) ignored/g,
  },
  { tool: 'go', sign: /^(?:ok|FAIL|---|\?) ? ?(?:\t|FAIL:|PASS:)\s*\S+/, failed: goFailures, ran: goTests },
  {
    tool: 'ctest',
    sign: /^\d+% tests passed, \d+ tests failed out of \d+/,
    failed: matched(/^\s+\d+ - (.+) \((?!Disabled|Skipped|Not Run)[A-Za-z ]+\)$/),
    ran: /^\d+% tests passed, \d+ tests failed out of (\d+)/g,
  },
  {
    tool: 'tap',
    sign: /^(?:TAP version \d+|1\.\.\d+)$/,
    failed: tapResults('not ok'),
    passed: tapResults('ok'),
    skipped: /^# skipped (\d+)$/g,
  },
  {
    tool: 'node',
    sign: /^ℹ tests \d+$/,
    failed: matched(/^\s*✖ (.+) \([\d.]+ms\)(?: #.*)?$/),
    passed: matched(/^\s*✔ (.+) \([\d.]+ms\)$/),
    skipped: /^ℹ skipped (\d+)$/g,
  },
  {
    tool: 'vitest',
    sign: /^\s*Test Files\s+\d+/,
    failed: matched(/^\s*(?:FAIL|×)\s+(\S.*?)(?:\s+\d+ms)?$/),
    ran: /(?<=^\s+Tests .*)\b(\d+) (?:passed|failed)/g,
    skipped: /(?<=^\s+Tests .*)\b(\d+) skipped/g,
  },
  {
    tool: 'jest',
    sign: /^Tests:\s+(?:\d+ \w+, )*\d+ total$/,
    failed: matched(/^\s{2}● (.+)$/),
    ran: /(?<=^Tests:.*)\b(\d+) (?:passed|failed)/g,
    skipped: /(?<=^Tests:.*)\b(\d+) skipped/g,
  },
  {
    tool: 'mocha',
    sign: /^\s+\d+ passing \(/,
    failed: mochaFailures,
    ran: /^\s+(\d+) (?:passing|failing)\b/g,
    skipped: /^\s+(\d+) pending$/g,
  },
  {
    tool: 'surefire',
    sign: /^(?:\[\w+\] )?Tests run: \d+, Failures: \d+/,
    failed: matched(
      /^(?:\[ERROR\] )?(?!Tests run:)(\S[^<]*?)\s+(?:-- )?Time elapsed: .*<<< (?:FAILURE|ERROR)!$/,
    ),
    // Each class's line; their sum has no time.
    ran: /Tests run: (\d+)(?=,.*Time elapsed)/g,
  },
  {
    tool: 'gradle',
    sign: /^\d+ tests? completed, \d+ failed/,
    failed: matched(/^(\S.* > .+) FAILED$/),
    ran: /^(\d+) tests? completed/g,
  },
  {
    tool: 'dotnet',
    sign: /^(?:Passed|Failed)!\s+- Failed:\s+\d+/,
    failed: matched(/^\s+Failed (\S.*?) \[[^\]]+\]$/),
    ran: /(?<=^(?:Passed|Failed)!.*)\b(?:Passed|Failed):\s+(\d+)/g,
  },
  {
    tool: 'rspec',
    sign: /^\d+ examples?, \d+ failures?/,
    failed: matched(/^rspec \S+ # (.+)$/),
    ran: /^(\d+) examples?, /g,
  },
  {
    tool: 'phpunit',
    sign: /^(?:OK \(\d+ tests?,|Tests: \d+, Assertions: \d+)/,
    failed: matched(/^\d+\) (\S+::\S+.*)$/),
    ran: /^(?:OK \(|Tests: )(\d+)/g,
  },
  { tool: 'junit', sign: /<testsuites?\b/, failed: junitCases('failed'), passed: junitCases('passed') },
];

/** A printed JUnit report. Skipped cases are neither. */
function junitCases(wanted: 'failed' | 'passed'): (lines: readonly string[]) => string[] {
  return (lines) =>
    lines
      .join('\n')
      .split('<testcase')
      .slice(1)
      .flatMap((text) => {
        const end = text.indexOf('>');
        const attribute = (name: string) =>
          new RegExp(`\\b${name}="([^"]*)"`).exec(text.slice(0, Math.min(end, 2_000)))?.[1] ?? '';
        const inner = text[end - 1] === '/' ? '' : text.slice(end, text.indexOf('</testcase'));
        const result = /<(?:failure|error)\b/.test(inner)
          ? 'failed'
          : inner.includes('<skipped')
            ? 'skipped'
            : 'passed';
        return result === wanted
          ? [[attribute('classname'), attribute('name')].filter(Boolean).join(' ')]
          : [];
      });
}

function matched(pattern: RegExp): (lines: readonly string[]) => string[] {
  return (lines) => lines.flatMap((line) => (line.length > 2_000 ? [] : (pattern.exec(line)?.[1] ?? [])));
}

/** With --quiet only the final list names them. */
function cargoFailures(lines: readonly string[]): string[] {
  let isListed = false;
  const listed = lines.filter((line) => {
    if (line !== '') isListed = line === 'failures:' || (isListed && /^ {4}\S+$/.test(line));
    return isListed && line.startsWith(' ');
  });
  return [...matched(/^test (.+) \.\.\. FAILED$/)(lines), ...listed.map((line) => line.trim())];
}

/** Only the verbose form has a line for each test. */
function goTests(lines: readonly string[]): number | null {
  const ended = lines.filter((line) => /^--- (?:PASS|FAIL): \S+ \(/.test(line)).length;
  return lines.some((line) => /^(?:=== RUN|testing: warning: no tests to run)/.test(line)) ? ended : null;
}

/** Tests are named after the package on a later line; an unbuilt package has no tests. */
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

/** Nested tests are named after later outer ones. To-do tests don't fail, skipped don't pass. */
function tapResults(wanted: 'ok' | 'not ok'): (lines: readonly string[]) => string[] {
  return (lines) => {
    const found: string[] = [];
    for (const line of lines) {
      const [, indent = '', verdict, name = '', directive] =
        /^(\s*)(not ok|ok) \d+(?: -)? ?([^#]*?)(?:\s*# (TODO|SKIP|todo|skip).*)?$/.exec(
          line.slice(0, 2_000),
        ) ?? [];
      if (verdict === wanted && directive === undefined)
        found.push(`${'> '.repeat(indent.length / 4)}${name.trim()}`);
    }
    return found;
  };
}

/** `  1) suite`, then `       test:` in the final list. */
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

/**
 * Failed tests in a command's output (docs/decisions/048-clean-room-proof.md); undefined for unknown tools,
 * or without its middle.
 */
export function testResultsOf(
  evidence: Pick<Evidence, 'head' | 'tail' | 'outputBytes' | 'tests'>,
): TestResults | undefined {
  if (evidence.tests) return evidence.tests;
  const text = wholeOutput(evidence);
  return text === undefined ? undefined : readTestResults(text);
}

/** Characters of passed names, and number of failed tests. */
const mostPassed = 100_000;
/** Later text says nothing about a test. */
const longestLine = 2_000;
const mostFailed = 2_000;

/**
 * Reads a stranger's output: names and lines are cut, so no pattern takes long. Undefined for unknown tools.
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

/** An output's tool, by lines without colors. */
export function toolOf(lines: readonly string[]): string | undefined {
  return formatOf(lines)?.tool;
}

function formatOf(lines: readonly string[]): Format | undefined {
  return formats.find(({ sign }) => lines.some((line) => sign.test(line)));
}

/** Node reports a file as a passed test if it ended before its tests. */
function testsIn(names: readonly string[]): number {
  return names.filter((name) => !/^[\w@./\\-]+\.[cm]?[jt]sx?$/.test(name)).length;
}

/** Numbers of tests, as far as known. */
export function testCountsOf(evidence: Parameters<typeof testResultsOf>[0]): TestCounts | undefined {
  const { ran = null, failed = [], skipped = null } = testResultsOf(evidence) ?? {};
  if (ran === null) return undefined;
  return { ran, passed: Math.max(0, ran - failed.length), failed: failed.length, skipped };
}

function sumOf(lines: readonly string[], pattern: RegExp): number {
  const numbers = lines.flatMap((line) =>
    [...line.matchAll(pattern)].flatMap((match) => match.slice(1).map(Number)),
  );
  return numbers.reduce((sum, one) => sum + (Number.isFinite(one) ? one : 0), 0);
}

const ansi = /\u001B\[[0-9;]*[A-Za-z]/g;

/** Both windows joined; undefined with a hole between. */
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
