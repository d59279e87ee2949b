/** A tool's report of a failed test, as lines of an output without colors. */
export interface AssertionFormat {
  /** The first line of what is said about one failure. */
  readonly start: RegExp;
  /** The first line that no longer belongs to it; the first line of the next one ends it too. */
  readonly end: RegExp;
  /** The line that says what went wrong, where sources or a trace may stand before it. */
  readonly key?: RegExp;
  /** Said of a group that failed because of what is in it. */
  readonly skip?: RegExp;
  /** Earlier lines about the same test, where the tool reports them before its verdict. */
  readonly before?: (lines: readonly string[], start: number) => number;
}

const parents = /failureType: 'subtestsFailed'|error: '\d+ subtests? failed'/;

/** Failures in the formats of `testFormats`, by tool. */
export const assertionFormats: Readonly<Record<string, readonly AssertionFormat[]>> = {
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

/**
 * The messages of programs without a test runner, and those when nothing was run because it doesn't build.
 */
export const plainFormats: readonly AssertionFormat[] = [
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

/**
 * Lines of a failure that help nobody: times, what kinds of thing it is, and calls within runners and
 * runtimes.
 */
export const assertionNoise =
  /^\s*(?:duration_ms: |type: '(?:test|suite)'$|generatedMessage: |diff: 'simple'|at .*(?:node:|\/node_modules\/|<anonymous>\)$)|(?:async )?\S+ \((?:node:|<anonymous>\))|(?:new )?(?:async )?[\w.]* ?\(?node:|new \w+ \(<anonymous>\)$)/;

/** With -v, what a test of Go writes stands below lines that name it, before its verdict. */
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
