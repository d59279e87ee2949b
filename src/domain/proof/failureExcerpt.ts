import { stripAnsi } from '../../base/lastLines.ts';
import type { TestResults } from '../core/evidence.ts';
import { readTestResults, toolOf } from './testResults.ts';

interface Room {
  readonly lines: number;
  readonly chars: number;
}

/** The first ones explain most of the others. */
const mostFailures = 3;
const mostLinesEach = 16;
const fewestLines = 5;
/** The output's end sums it up, and needs less room than failures. */
const tailShare = 4;
const longestLine = 400;
const longestRead = 2_000;
const gap = '[…]';
const room: Room = { lines: 40, chars: 3_000 };

/**
 * An output's telling part: lines around the first failed assertions, then its end. Undefined without a
 * failure.
 */
export function excerptOf(output: string): string | undefined {
  const lines = stripAnsi(output)
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(0, longestRead).trimEnd());
  const found = failuresIn(lines);
  if (found.length === 0) return undefined;
  const kept = new Set<number>();
  const used = { lines: 0, chars: 0 };
  const keep = (at: number, limit: Room): boolean => {
    if (kept.has(at)) return true;
    const chars = Math.min(longestLine, lines[at]?.length ?? 0) + 1;
    if (used.lines + 1 > limit.lines || used.chars + chars > limit.chars) return false;
    kept.add(at);
    used.lines += 1;
    used.chars += chars;
    return true;
  };
  const forFailures = {
    lines: room.lines - Math.floor(room.lines / tailShare),
    chars: room.chars - Math.floor(room.chars / tailShare),
  };
  for (const failure of found.slice(0, mostFailures)) {
    if (forFailures.lines - used.lines < Math.min(failure.length, fewestLines)) break;
    if (!failure.every((at) => keep(at, forFailures))) break;
  }
  for (let at = lines.length - 1; at >= 0 && keep(at, room); at -= 1) if (kept.size === lines.length) break;
  return textOf(lines, kept);
}

/** A long output's results and excerpt. */
export type LongOutput = TestResults & { readonly excerpt?: string };

/** Reads a long output that isn't kept whole. */
export function readLongOutput(text: string): LongOutput | undefined {
  const results = readTestResults(text);
  const excerpt = results && results.failed.length > 0 ? excerptOf(text) : undefined;
  return results && excerpt !== undefined ? { ...results, excerpt } : results;
}

function failuresIn(lines: readonly string[]): readonly (readonly number[])[] {
  const own = assertionFormats[toolOf(lines) ?? ''] ?? [];
  for (const formats of [own, plainFormats]) {
    const found = formats.map((format) => blocksOf(lines, format)).find((blocks) => blocks.length > 0);
    if (!found) continue;
    const titles = new Set<string>();
    // Some tools repeat failures at the end.
    const fresh = found.filter(({ title }) => !titles.has(title) && titles.add(title));
    return fresh.map((block) => block.shown);
  }
  return [];
}

interface Block {
  readonly title: string;
  readonly shown: readonly number[];
}

function blocksOf(lines: readonly string[], format: AssertionFormat): readonly Block[] {
  const blocks: Block[] = [];
  for (let start = 0; start < lines.length && blocks.length < 200; start += 1) {
    if (!format.start.test(lines[start] ?? '')) continue;
    let end = start + 1;
    while (end < lines.length && !format.start.test(lines[end] ?? '') && !format.end.test(lines[end] ?? ''))
      end += 1;
    const first = format.before?.(lines, start) ?? start;
    const all = range(first, end);
    const said = all.filter((at) => lines[at] !== '');
    const isParent = all.some((at) => at !== first && format.skip?.test(lines[at] ?? '') === true);
    if (!isParent) {
      const title = said.slice(0, 4).map((at) => (lines[at] ?? '').trim());
      blocks.push({ title: title.join(' '), shown: shortened(lines, all, format.key) });
    }
    start = end - 1;
  }
  // A verdict without a reason is a group's.
  const withReason = blocks.filter(({ shown }) => shown.length > 1);
  return withReason.length > 0 ? withReason : blocks;
}

function shortened(
  lines: readonly string[],
  all: readonly number[],
  key: RegExp | undefined,
): readonly number[] {
  const told = all.filter(
    (at, index) =>
      !assertionNoise.test(lines[at] ?? '') && (lines[at] !== '' || lines[all[index - 1] ?? -1] !== ''),
  );
  while (told.length > 0 && lines[told.at(-1) ?? 0] === '') told.pop();
  if (told.length <= mostLinesEach) return told;
  const keyAt = key ? told.findIndex((at, index) => index > 0 && key.test(lines[at] ?? '')) : -1;
  const from = keyAt > mostLinesEach / 2 ? keyAt - 2 : 1;
  const shown = [told[0] ?? 0, ...told.slice(from, from + mostLinesEach - 2)];
  const place = told.find((at) => at > (shown.at(-1) ?? 0) && /[\w)]:\d+(?::\d+)?\b/.test(lines[at] ?? ''));
  return place === undefined ? shown : [...shown, place];
}

function range(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index);
}

function textOf(lines: readonly string[], kept: ReadonlySet<number>): string {
  const shown: string[] = [];
  let last = -1;
  for (const at of [...kept].sort((a, b) => a - b)) {
    const line = lines[at] ?? '';
    const leftOut = lines.slice(last + 1, at);
    if (leftOut.some((one) => one !== '' && !assertionNoise.test(one))) shown.push(gap);
    shown.push(line.length > longestLine ? `${line.slice(0, longestLine - 1)}…` : line);
    last = at;
  }
  return shown
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

interface AssertionFormat {
  readonly start: RegExp;
  /** The first line after it; the next failure ends it too. */
  readonly end: RegExp;
  /** The reason, if sources or a trace may precede it. */
  readonly key?: RegExp;
  /** Of a group that failed by its content. */
  readonly skip?: RegExp;
  readonly before?: (lines: readonly string[], start: number) => number;
}

const parents = /failureType: 'subtestsFailed'|error: '\d+ subtests? failed'/;

const assertionFormats: Readonly<Record<string, readonly AssertionFormat[]>> = {
  pytest: [{ start: /^_{3,} [^_\s].{0,500} _{3,}$/, end: /^(?:={3,} |-{3,} Captured )/, key: /^E {2,}\S/ }],
  unittest: [
    {
      start: /^(?:FAIL|ERROR): \S/,
      end: /^(?:={20,}|Ran \d+ tests?)/,
      key: /^\w[\w.]*(?:Error|Exception|Failure)\b/,
    },
  ],
  cargo: [
    {
      start: /^---- \S.* stdout ----$/,
      end: /^(?:failures:|note: run with .RUST_BACKTRACE)/,
      key: /\bpanicked at /,
    },
  ],
  go: [
    {
      start: /^\s*--- FAIL: \S+ \(/,
      end: /^(?:=== |\s*--- |FAIL\b|PASS\b|ok\s|exit status \d)/,
      key: /^\s+\S+\.go:\d+: |^panic: /,
      before: sectionOfGoTest,
    },
  ],
  ctest: [
    {
      start: /^\s*\d+\/\d+ Test\s+#\d+: .*\*\*\*/,
      end: /^(?:\s+Start\s+\d+: |\s*\d+\/\d+ Test\s+#|\d+% tests passed)/,
      key: /\bAssertion\b.* failed|: Failure$|: FAILED:$|^FAIL|[Ee]rror: /,
    },
  ],
  tap: [
    {
      start: /^\s*not ok \d+\b(?!.*# (?:TODO|SKIP)\b)/i,
      end: /^\s*(?:\.\.\.$|(?:not ok|ok) \d|# |\d+\.\.\d+$)/,
      skip: parents,
    },
  ],
  node: [{ start: /^test at \S.*:\d+:\d+$/, end: /^(?:test at |ℹ )/, skip: parents }],
  vitest: [{ start: /^\s*FAIL\s+\S/, end: /^(?:⎯{3,}|\s*Test Files\s)/ }],
  jest: [{ start: /^\s{2}● \S/, end: /^(?:Test Suites: |Summary of all failing tests|(?:FAIL|PASS) )/ }],
  mocha: [{ start: /^\s{2}\d+\) \S/, end: /^\s+\d+ (?:passing|failing|pending)\b/ }],
  surefire: [
    { start: /^(?:\[ERROR\] )?(?!Tests run:)\S.*<<< (?:FAILURE|ERROR)!$/, end: /^\[(?:INFO|ERROR)\]/ },
    { start: /^\[ERROR\] {3}\S+:\d+ /, end: /^\[(?:INFO|ERROR)\]/ },
  ],
  gradle: [{ start: /^\S.* > .+ FAILED$/, end: /^(?:\S|$)/ }],
  dotnet: [{ start: /^\s+Failed \S.* \[[^\]]+\]$/, end: /^(?:\s+(?:Passed|Skipped) \S|(?:Passed|Failed)!)/ }],
  rspec: [{ start: /^\s{2}\d+\) \S/, end: /^(?:Finished in |Failed examples:)/, key: /Failure\/Error: / }],
  phpunit: [{ start: /^\d+\) \S+::\S/, end: /^(?:FAILURES!|ERRORS!|Tests: \d)/ }],
  junit: [{ start: /<(?:failure|error)\b/, end: /<\/(?:failure|error|testcase)>/ }],
};

const plainFormats: readonly AssertionFormat[] = [
  { start: /^\S.{0,300}:\d+: (?:Failure|FAILED:)$/, end: /^(?:\[ |={20,}|$)/ },
  { start: /\bAssertion .{0,1000} failed\b|^Assertion failed: /, end: /^/ },
  {
    start:
      /^(?:\s*\S{1,300}(?:\(\d+,\d+\)|:\d+:\d+)(?::| -) (?:fatal )?error\b|\S{1,300}:\d+: (?:fatal )?error:|error(?:\[E\d+\])?: )/,
    end: /^$/,
  },
  { start: /^\S{1,300}\.go:\d+:\d+: /, end: /^/ },
  { start: /^Traceback \(most recent call last\):$/, end: /^$/, key: /^\w[\w.]*(?:Error|Exception)\b/ },
  { start: /^(?:Uncaught )?\w*(?:Error|Exception)(?: \[\w+\])?: /, end: /^$/ },
];

const assertionNoise =
  /^\s*(?:duration_ms: |type: '(?:test|suite)'$|generatedMessage: |diff: 'simple'|at .*(?:node:|\/node_modules\/|<anonymous>\)$)|(?:async )?\S+ \((?:node:|<anonymous>\))|(?:new )?(?:async )?[\w.]* ?\(?node:|new \w+ \(<anonymous>\)$)/;

/** With -v, Go's test output stands below lines with its name, before the verdict. */
function sectionOfGoTest(lines: readonly string[], start: number): number {
  const name = /--- FAIL: (\S+) \(/.exec(lines[start] ?? '')?.[1] ?? '';
  if (/^\s+\S+\.go:\d+: /.test(lines[start + 1] ?? '')) return start;
  for (let at = start - 1; at >= 0; at -= 1) {
    const line = lines[at] ?? '';
    if (/^(?:ok|FAIL)\s/.test(line)) break;
    if (/^=== (?:RUN|CONT|NAME)\s/.test(line) && line.split(/\s+/)[2] === name) return at;
  }
  return start;
}
