import { addedLines, type ChangedText } from './changedText.ts';
import { configurationChanges, scriptChanges } from './checkChanges.ts';
import { isCheckConfiguration, isTestFile } from './provingFiles.ts';
import {
  looserAssertions,
  assertionLine,
  assertionsIn,
  isComment,
  isShell,
  weakerBodies,
} from './testBodies.ts';
import { replacedSubjects } from './replacedSubjects.ts';
import { testDetection } from './testDetection.ts';
import { namesOfTests } from './testNames.ts';
import type { Weakening } from './weakening.ts';
import { splitInlineTests } from './withoutWork.ts';

/**
 * Finds possible weakenings in texts, for a person to decide. `programs`: files that the project's checks
 * start. `named`: files of test commands, which are tests if they assert.
 */
export function findWeakenings(
  changes: readonly ChangedText[],
  programs: readonly string[] = [],
  named: readonly string[] = [],
): readonly Weakening[] {
  return changes.flatMap((change): readonly Weakening[] => {
    if (isCheckConfiguration(change.path)) return configurationChanges(change);
    if (isTestFile(change.path) || (named.includes(change.path) && isTest(change)))
      return inTest(change, changes);
    if (change.before !== null && programs.includes(change.path))
      return [{ ...at(change.path), kind: 'scripts' }];
    const detected = ofKind('detected', change.path, testDetection(change));
    return [...scriptChanges(change), ...inlineTests(change, changes), ...detected];
  });
}

/** Outside the conventions: it names tests, or loads assertions. */
function isTest({ before }: ChangedText): boolean {
  return (
    before !== null &&
    (before.split('\n').some((line) => line.length <= 500 && asserting.test(line)) ||
      namesOfTests(before).length > 0)
  );
}

const asserting =
  /^(?:.*\brequire\(|import\b.*|from\b.*|#\s*include\b.*).*\b(?:assert|node:test|chai|unittest|pytest|assert\.h)\b/;

/** Rust writes tests into the source; other code isn't a test. */
function inlineTests({ path, before, after }: ChangedText, changes: readonly ChangedText[]): Weakening[] {
  if (before === null || after === null || !path.endsWith('.rs')) return [];
  const [work, tests] = splitInlineTests(before);
  if (tests === undefined) return [];
  const [newWork, newTests = ''] = splitInlineTests(after);
  const blank = (text: string): string => '\n'.repeat(text.split('\n').length - 1);
  return inTest({ path, before: blank(work) + tests, after: blank(newWork) + newTests }, changes);
}

function inTest(change: ChangedText, changes: readonly ChangedText[]): Weakening[] {
  const { path, before, after } = change;
  if (before !== null && after === null) return [{ kind: 'deleted', ...at(path) }];
  if (after === null) return [];
  if (before === null) return [...byLine(path, '', after), ...withoutAssertion(path, after)];
  const present = new Set(namesOfTests(after));
  const lost = namesOfTests(before).filter((name) => !present.has(name));
  const deleted = lost.map((text): Weakening => ({ kind: 'deleted', path, line: null, text }));
  const found = byLine(path, before, after);
  // A deleted test takes its assertions along.
  const fewer = lost.length === 0 && countAssertions(path, after) < countAssertions(path, before);
  if (fewer) found.push({ kind: 'weakened', ...at(path) });
  else if (lost.length === 0) {
    const looser = ofKind('looser', path, looserAssertions(path, before, after));
    const changed = changedAssertions(path, before, after);
    found.push(...looser, ...changed.filter(({ text }) => looser.every((one) => one.text !== text)));
  }
  const bodies = weakerBodies(path, before, after).map((one): Weakening => ({ path, ...one }));
  const replaced = ofKind('replaced', path, replacedSubjects(change, changes));
  return [...deleted, ...found, ...earlyEnds(path, before, after), ...bodies, ...replaced];
}

function byLine(path: string, before: string, after: string): Weakening[] {
  return addedLines(before, after).flatMap(({ line, text }): Weakening[] => {
    const rule = testRules.find(({ pattern }) => pattern.test(text));
    return rule ? [{ kind: rule.kind, path, line, text }] : [];
  });
}

/** A new file of tests that only fail if something is missing. */
function withoutAssertion(path: string, after: string): Weakening[] {
  const asserts = after
    .split('\n')
    .some((line) => !importLine.test(line.trim()) && (assertionLine.test(line) || failing.test(line)));
  return isShell(path) || asserts || namesOfTests(after).length === 0
    ? []
    : [{ kind: 'pretended', ...at(path) }];
}

const failing =
  /\b(?:throw|raise|panic!?|fail|rejects?|ok|is|equals?|deep\w*|verify|snapshot|must\w*|should\w*)\b|\b(?:t|b)\.\w+\(/i;

/** In shell scripts, any line may be an assertion. */
function changedAssertions(path: string, before: string, after: string): Weakening[] {
  const pattern = isShell(path) ? /^[^#]/ : assertionLine;
  return addedLines(after, before)
    .filter(({ text }) => pattern.test(text) && !importLine.test(text))
    .map(({ text }) => ({ kind: 'changed', path, line: null, text }));
}

const importLine = /^(?:import\b|from\b|use\b|#include\b|(?:const|let|var)\b.*\brequire\()/;

/** Lines that end a file's tests as if all had passed. */
function earlyEnds(path: string, before: string, after: string): Weakening[] {
  const ends = addedLines(before, after).filter(({ text }) => earlyEnd.test(text));
  return ofKind('narrowed', path, ends);
}

const earlyEnd =
  /^exec\s+(?:true|:)\b|^trap\b.*\bexit 0|\breallyExit\(\s*0|^(?:func TestMain\(.*\)\s*\{\s*\}|def load_tests\b)|^\/\/go:build\b|#!?\[cfg\((?!test\)).*\btest\b|^exit(?:\s+0)?\s*;?$|\b(?:process\.exit|sys\.exit|os\._exit|process::exit|_exit|os\.Exit)\(\s*0?\s*\)/;

const testRules: readonly { readonly kind: Weakening['kind']; readonly pattern: RegExp }[] = [
  {
    kind: 'narrowed',
    pattern:
      /\b(?:it|test|describe|context|suite|bench)\.only\b|\b(?:fit|fdescribe|fcontext)\s*\(|\bonly:\s*true\b/,
  },
  {
    kind: 'skipped',
    pattern:
      /\b(?:it|test|describe|context|suite)\.(?:skip|todo|skipIf|runIf|fixme)\b|\b(?:xit|xtest|xdescribe|xcontext|pending)\s*\(/,
  },
  {
    kind: 'skipped',
    pattern:
      /\bthis\.skip\(|\b(?:skip|todo):\s*(?:true|['"`])|\bt\.(?:skip|todo|Skip|SkipNow|Skipf)\(|\btesting\.Short\(/,
  },
  {
    kind: 'skipped',
    pattern:
      /@(?:pytest\.mark\.)?(?:skip|skipif|xfail)\b|\bpytest\.(?:skip|xfail|importorskip)\(|@?unittest\.(?:skip\w*|expectedFailure)|raise\s+(?:unittest\.)?SkipTest/,
  },
  {
    kind: 'skipped',
    pattern:
      /#\[ignore\b|@(?:Disabled|Enabled|Ignore)\w*\b|\bassume(?:True|False|That|NoException)\(|#\[should_panic\b|\[(?:Ignore|Skip)\b|\bGTEST_SKIP\(|\bmarkTestSkipped\(|^\s*skip\b/,
  },
  {
    kind: 'pretended',
    pattern:
      /\b(?:assert|assert\.ok|expect|assertTrue|ok)\s*\(\s*(?:true|True|1)\s*[,)]|\bassert\s+(?:True|1)\s*(?:#.*)?$|\bassert!\(\s*true\b|\bexpect\((.{1,100})\)\.to\w+\(\1\)|[eE]quals?\((.{1,100}), \2\)|\bassert(?: |\()(.{1,100}?) ?===? ?\3(?:\)|;|$|,)|\bassert_eq!\((.{1,100}), \4\)|(\b[\w.]+\(.{1,80}?\)) ?===? ?\5(?=[\s;),]|$)|^assert \(.+,\s*["'][^"']*["']\)$|\bassert\(\(\s*\w+\s*=[^=]/,
  },
  {
    kind: 'pretended',
    pattern:
      /\bif\s*\(\s*(?:false|0)\s*\)|\bif\s+(?:False|0)\s*:|^#\s*if 0\b|\bwhile\s*\(\s*(?:false|0)\s*\)|(?:^|[({;,]\s*)false\s*&&|\bof \[\]|\bin (?:\[\]|\(\)):|\.each\(\s*\[\s*\]\s*\)|parametrize\(.*,\s*\[\s*\]\s*[,)]/,
  },
];

function countAssertions(path: string, text: string): number {
  const lines = text.split('\n').filter((line) => !importLine.test(line.trim()) && !isComment(line.trim()));
  if (isShell(path)) return lines.filter((line) => assertionsIn(path).test(line.trim())).length;
  return (
    lines
      .join('\n')
      .match(
        /\b(?:assert\w*|expect|should|require\.\w+|EXPECT_\w+|ASSERT_\w+|t\.(?:Error|Errorf|Fatal|Fatalf|Fail))\b/g,
      )?.length ?? 0
  );
}

function ofKind(
  kind: Weakening['kind'],
  path: string,
  found: readonly Pick<Weakening, 'line' | 'text'>[],
): Weakening[] {
  return found.map(({ line, text }) => ({ kind, path, line, text }));
}

function at(path: string): { readonly path: string; readonly line: null; readonly text: string } {
  return { path, line: null, text: '' };
}
