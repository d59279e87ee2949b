import * as z from 'zod';
import { addedLines, type ChangedText } from './changedText.ts';
import { configurationChanges, scriptChanges } from './checkChanges.ts';
import { isCheckConfiguration, isTestFile } from './provingFiles.ts';
import { splitInlineTests } from './withoutWork.ts';

/** What may make tests prove less, by kind. Views and pages translate the texts. */
export const weakeningLabels = {
  earlier: 'a check fails with the tests as they were before this work',
  deleted: 'a test was deleted',
  skipped: 'a test is skipped',
  narrowed: 'only some of the tests run',
  weakened: 'there are fewer assertions than before',
  changed: 'an assertion of an existing test was changed',
  pretended: 'an assertion can never fail',
  scripts: 'a script that checks the project was changed',
  configuration: 'the configuration of a check was changed',
  detected: 'the code behaves differently while it is tested',
  unproved: 'nothing that ran would fail without this work',
  unseen: 'tests that were red were not seen to pass',
} as const;
const kinds = Object.keys(weakeningLabels) as (keyof typeof weakeningLabels)[];

/** A change that may make tests prove less (docs/decisions/050-test-integrity.md). `line`: of the new text, from 1; null if there is none. */
export const Weakening = z.object({
  kind: z.enum(kinds),
  path: z.string(),
  line: z.number().int().positive().nullable(),
  text: z.string(),
});
export type Weakening = z.infer<typeof Weakening>;

/** `weakened_tests_receipt:{bead}`: what a person accepted, and of which commit. */
export const WeakenedTests = z.object({
  schema_version: z.literal(1),
  bead_id: z.string(),
  commit: z.string().nullable(),
  content_sha256: z.string(),
  weakenings: z.array(Weakening),
  accepted_by: z.literal('user'),
  accepted_at: z.string(),
});
export type WeakenedTests = z.infer<typeof WeakenedTests>;

/**
 * Finds in the changes of a bead what may make tests prove less. It reads texts only, so a person decides what each of them means. `programs`: files
 * that the checks of the project start.
 */
export function findWeakenings(changes: readonly ChangedText[], programs: readonly string[] = []): readonly Weakening[] {
  return changes.flatMap((change): readonly Weakening[] => {
    if (isCheckConfiguration(change.path)) return configurationChanges(change);
    if (isTestFile(change.path)) return inTest(change);
    if (change.before !== null && programs.includes(change.path)) return [{ ...at(change.path), kind: 'scripts' }];
    return [...scriptChanges(change), ...inlineTests(change), ...inSource(change)];
  });
}

/** Rust writes tests into the source; the code beside them isn't read as a test. */
function inlineTests({ path, before, after }: ChangedText): Weakening[] {
  if (before === null || after === null || !path.endsWith('.rs')) return [];
  const [work, tests] = splitInlineTests(before);
  if (tests === undefined) return [];
  const [newWork, newTests = ''] = splitInlineTests(after);
  const pad = '\n'.repeat(newWork.split('\n').length - 1);
  return inTest({ path, before: `${'\n'.repeat(work.split('\n').length - 1)}${tests}`, after: `${pad}${newTests}` });
}

function inTest({ path, before, after }: ChangedText): Weakening[] {
  if (before !== null && after === null) return [{ kind: 'deleted', ...at(path) }];
  if (after === null) return [];
  const present = new Set(namesOfTests(after));
  const lost = namesOfTests(before ?? '').filter((name) => !present.has(name));
  const deleted = lost.map((text): Weakening => ({ kind: 'deleted', path, line: null, text }));
  const found = addedLines(before, after).flatMap(({ line, text }): Weakening[] => {
    const rule = testRules.find(({ pattern }) => pattern.test(text));
    return rule ? [{ kind: rule.kind, path, line, text }] : [];
  });
  // Of a deleted test the assertions are gone with it.
  const fewer = lost.length === 0 && countAssertions(after) < countAssertions(before ?? '');
  if (fewer) found.push({ kind: 'weakened', ...at(path) });
  else if (lost.length === 0) found.push(...changedAssertions(path, before ?? '', after));
  return [...deleted, ...found, ...(before === null ? [] : earlyEnds(path, before, after))];
}

/** Assertions that an existing test doesn't have any more as they were. In shell scripts, any line may be one. */
function changedAssertions(path: string, before: string, after: string): Weakening[] {
  const pattern = /\.(?:sh|bats)$/.test(path) ? /^[^#]/ : assertionLine;
  return addedLines(after, before)
    .filter(({ text }) => pattern.test(text) && !importLine.test(text))
    .map(({ text }) => ({ kind: 'changed', path, line: null, text }));
}

const assertionLine =
  /\b(?:assert\w*|expect\w*|should|check\w*|EXPECT_\w+|ASSERT_\w+|CHECK\w*|REQUIRE\w*)\b|\brequire\.\w+|\bt\.(?:Errorf?|Fatalf?|Fail)\b/;
const importLine = /^(?:import\b|from\b|use\b|#include\b|(?:const|let|var)\b.*\brequire\()/;

/** Lines that end the tests of a file as if all had passed. */
function earlyEnds(path: string, before: string, after: string): Weakening[] {
  return addedLines(before, after)
    .filter(({ text }) => earlyEnd.test(text))
    .map(({ line, text }) => ({ kind: 'narrowed', path, line, text }));
}

const earlyEnd = /^exit(?:\s+0)?\s*;?$|\b(?:process\.exit|sys\.exit|os\._exit|process::exit|_exit|os\.Exit)\(\s*0?\s*\)/;

const testRules: readonly { readonly kind: Weakening['kind']; readonly pattern: RegExp }[] = [
  { kind: 'narrowed', pattern: /\b(?:it|test|describe|context|suite|bench)\.only\b|\b(?:fit|fdescribe|fcontext)\s*\(|\bonly:\s*true\b/ },
  {
    kind: 'skipped',
    pattern: /\b(?:it|test|describe|context|suite)\.(?:skip|todo|skipIf|runIf|fixme)\b|\b(?:xit|xtest|xdescribe|xcontext|pending)\s*\(/,
  },
  {
    kind: 'skipped',
    pattern: /\bthis\.skip\(|\b(?:skip|todo):\s*(?:true|['"`])|\bt\.(?:skip|todo|Skip|SkipNow|Skipf)\(|\btesting\.Short\(/,
  },
  {
    kind: 'skipped',
    pattern:
      /@(?:pytest\.mark\.)?(?:skip|skipif|xfail)\b|\bpytest\.(?:skip|xfail|importorskip)\(|@?unittest\.(?:skip\w*|expectedFailure)|raise\s+(?:unittest\.)?SkipTest/,
  },
  { kind: 'skipped', pattern: /#\[ignore\b|@(?:Disabled|Ignore)\b|\[(?:Ignore|Skip)\b|\bGTEST_SKIP\(|\bmarkTestSkipped\(|^\s*skip\b/ },
  {
    kind: 'pretended',
    pattern:
      /\b(?:assert|assert\.ok|expect|assertTrue|ok)\s*\(\s*(?:true|True|1)\s*[,)]|\bassert\s+(?:True|1)\s*(?:#.*)?$|\bassert!\(\s*true\b|\bexpect\((\w+)\)\.to(?:Be|Equal|StrictEqual)\(\1\)/,
  },
];

/** The names of the tests in a file, as far as their language writes them on one line. */
export function namesOfTests(text: string): string[] {
  const names: string[] = [];
  for (const line of text.split('\n')) {
    if (line.length > 2_000) continue;
    for (const pattern of namePatterns) {
      const name = pattern.exec(line)?.slice(1).find(Boolean);
      if (name !== undefined) names.push(name);
    }
  }
  for (const [, name = ''] of text.matchAll(marked)) names.push(name);
  return [...new Set(names)];
}

/** A mark of its own line makes the next function a test: `#[test]`, `@Test`, `[Fact]`. */
const marked =
  /^[ \t]*(?:#\[(?:\w+::)?test\b[^\n]*|@(?:Test|ParameterizedTest)\b[^\n]*|\[(?:Fact|Theory|Test|TestMethod|TestCase)\b[^\n]*)\n(?:[ \t]*[#@[][^\n]*\n){0,20}[ \t]*(?:(?:pub|public|private|internal|protected|static|final|async|override|suspend|fun|fn|void|Task|unsafe)[ \t]+)*`?([\w][\w ]{0,200}?)`?[ \t]{0,20}\(/gm;

const namePatterns: readonly RegExp[] = [
  /\b(?:it|test|specify|scenario)(?:\.\w+)*\s*\(\s*(?:'((?:[^'\\]|\\.)+)'|"((?:[^"\\]|\\.)+)"|`((?:[^`\\]|\\.)+)`)/,
  /^\s*(?:async\s+)?def\s+(test\w*)\s*\(/,
  /^func\s+((?:Test|Fuzz|Example)\w*)\s*\(/,
  /^\s*(?:pub\s+)?(?:async\s+)?fn\s+(\w*test\w*)\s*\(/i,
  /^\s*(?:public\s+)?(?:void|fun|function)\s+(test\w+|\w+Test)\s*\(/,
  /^\s*it\s+(?:'([^']+)'|"([^"]+)")\s+do\b/,
  /\bTEST(?:_F|_P)?\s*\(\s*(\w+\s*,\s*\w+)\s*\)/,
];

function countAssertions(text: string): number {
  const lines = text.split('\n').filter((line) => !importLine.test(line.trim()));
  return (
    lines.join('\n').match(/\b(?:assert\w*|expect|should|require\.\w+|EXPECT_\w+|ASSERT_\w+|t\.(?:Error|Errorf|Fatal|Fatalf|Fail))\b/g)
      ?.length ?? 0
  );
}

/** New code that asks whether it is being tested, or that takes tests their means. */
function inSource({ path, before, after }: ChangedText): Weakening[] {
  if (after === null || !/\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|cs|php|c|cc|cpp|sh)$/.test(path)) return [];
  return addedLines(before, after)
    .filter(({ text }) => detection.test(text))
    .map(({ line, text }): Weakening => ({ kind: 'detected', path, line, text }));
}

/** It asks for a mark of a test runner, or replaces what tests assert with, or how a process tells that they failed. */
const detection =
  /NODE_ENV\b.{0,20}['"`]test['"`]|\b(?:JEST_WORKER_ID|VITEST(?:_\w+)?|MOCHA_\w+|PYTEST_CURRENT_TEST|NODE_TEST_CONTEXT|GO_TEST|RUST_TEST\w*)\b|['"`]pytest['"`]\s+in\s+sys\.modules|\btesting\.Testing\(|\bflag\.Lookup\(['"`]test\.|npm_lifecycle_event\b.{0,20}test|\bassert['"`]?\)?(?:\.strict)?\.\w+\s*=[^=>]|\bTestCase\.\w+\s*=[^=]|\b(?:globalThis|global|window)\.(?:expect|assert|test|it|describe)\s*=[^=]|\.on(?:ce)?\(\s*['"`](?:exit|beforeExit)['"`].*\bexit|\bprocess\.exitCode\s*=\s*0|\batexit\.register\(.*exit|\bprocess\.(?:exit|reallyExit)\s*=[^=]/;

function at(path: string): { readonly path: string; readonly line: null; readonly text: string } {
  return { path, line: null, text: '' };
}
