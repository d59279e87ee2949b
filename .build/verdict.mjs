// What test processes came to, without running any: .build/test.mjs does that.

/**
 * @typedef {{ title: string, message: string }} Failure
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {Counts & { failures: readonly Failure[], lacking?: string }} Result `lacking`: why tests were
 * left out
 * @typedef {{ file: string, failures: readonly Failure[] }} Unsteady
 */

/**
 * What a process came to. Whatever is wrong with the process itself counts as a failure more.
 * @param {(Counts & { failures?: readonly Failure[], left?: string, lacking?: string }) | undefined} written
 * what it wrote, if it came that far
 * @param {number | string | null} code its exit code, or the signal that ended it
 * @returns {Result}
 */
export function resultOf(written, code) {
  const { passed = 0, failed = 0, skipped = 0, failures = [], lacking } = written ?? {};
  const problem = problemOf(written, code);
  const counts = { passed, failed, skipped, ...(lacking && { lacking }) };
  if (!problem) return { ...counts, failures };
  return {
    ...counts,
    failed: failed + 1,
    failures: [...failures, { title: 'the process', message: problem }],
  };
}

function problemOf(written, code) {
  if (!written) return `ended with ${code} and without counts`;
  if (written.left) return `left behind: ${written.left}`;
  if (code !== 0 && written.failed === 0) return `ended with ${code} although no test failed`;
  return undefined;
}

/**
 * The files that failed and passed when run again, each with what it failed with.
 * @param {readonly { file: string, first: Result, again: Result }[]} repeated
 * @returns {Unsteady[]}
 */
export function unsteadyIn(repeated) {
  return repeated
    .filter(({ again }) => again.failed === 0)
    .map(({ file, first }) => ({ file, failures: first.failures }));
}

/**
 * What a run of all suites prints at its end, and its exit code. The last line is always
 * `N passed, M failed, K skipped`. `failures`: the suites that failed; `failedTests`: what failed in them, by
 * suite; `unsteady`: the files that passed when run again, each a failure: an accident of a busy machine is a
 * defect of the test, or of the product; `overCost`: what took too much of the processor, a sentence each,
 * which fails a run only if it is `strict`: a slow laptop fails nothing.
 * @param {{ counts: Counts, failures: readonly string[], failedTests?: readonly Unsteady[], unsteady:
 * readonly Unsteady[], overCost?: readonly string[], strict?: boolean }} run
 * @returns {{ lines: string[], exitCode: 0 | 1 }}
 */
export function verdict({ counts, failures, failedTests = [], unsteady, overCost = [], strict = false }) {
  const unsteadyFiles = unsteady.length === 1 ? '1 unsteady file' : `${unsteady.length} unsteady files`;
  const tooExpensive = strict ? overCost.length : 0;
  const failed = [
    ...failures,
    ...(unsteady.length > 0 ? [unsteadyFiles] : []),
    ...(tooExpensive > 0 ? ['cost'] : []),
  ];
  const total = counts.failed + unsteady.length + tooExpensive;
  const lines = [`${counts.passed} passed, ${total} failed, ${counts.skipped} skipped`];
  if (failed.length > 0) lines.unshift(`failed: ${failed.join(', ')}`);
  if (unsteady.length > 0) lines.unshift(listed('unsteady, passed only when run again:', unsteady));
  if (overCost.length > 0)
    lines.unshift(
      [strict ? 'too expensive:' : 'warning: too expensive', ...overCost.map((line) => `  ${line}`)].join(
        '\n',
      ),
    );
  // Where the tests ran, thousands of lines are between them and this end.
  if (failedTests.length > 0) lines.unshift(listed('failed tests:', failedTests));
  return { lines, exitCode: total > 0 ? 1 : 0 };
}

/**
 * The line about a suite: its counts, and why tests of it were left out.
 * @param {string} name
 * @param {Counts} counts
 * @param {readonly Result[]} results
 */
export function suiteLine(name, { passed, failed, skipped }, results) {
  const reasons = [...new Set(results.flatMap(({ lacking }) => lacking ?? []))];
  return `${name}: ${passed} passed, ${failed} failed, ${skipped} skipped${reasons.length > 0 ? ` (some ${reasons.join('; some ')})` : ''}`;
}

function listed(heading, byFile) {
  const files = byFile.map(({ file, failures }) => `  ${file}\n${failureList(failures)}`);
  return [heading, ...files].join('\n');
}

/**
 * Names and messages of failures, indented. Of a long message the first lines: the whole of it is where the
 * test ran.
 */
export function failureList(failures) {
  const short = (message) =>
    message
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(0, 6)
      .join('\n      ');
  return failures.map(({ title, message }) => `    ${title}: ${short(message)}`).join('\n');
}
