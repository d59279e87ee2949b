import type { Evidence } from '../core/evidence.ts';
import { testResultsOf, wholeOutput } from './testResults.ts';

/**
 * Returns in words which of these tests a command that succeeded doesn't show to have passed; undefined if
 * there is nothing to say. `red`: tests that failed without the work, by name. A process that ends with 0
 * before its tests have run is no success (docs/decisions/048-clean-room-proof.md).
 */
export function unseenTests(evidence: Evidence, red: readonly string[]): string | undefined {
  // A file that failed as a whole is named by its path, and its tests have other names.
  const awaited = red.filter((name) => name.includes('::') || !/[/\\]|\.\w{1,4}$|_FailedTest\b/.test(name));
  const results = testResultsOf(evidence);
  if (awaited.length === 0 || (!results && wholeOutput(evidence) === undefined)) return undefined;
  if (!results)
    return `${String(awaited.length)} tests failed without the work, and its output shows none that ran`;
  const { passed, ran } = results;
  const excused = new Set([...(evidence.knownFailures ?? []), ...results.failed]);
  const missing = passed ? awaited.filter((name) => !passed.includes(name) && !excused.has(name)) : [];
  if (missing.length > 0)
    return `these tests failed without the work, and were not seen to pass: ${missing.slice(0, 10).join(', ')}`;
  const isFewer = ran !== null && ran < awaited.length;
  return isFewer
    ? `${String(awaited.length)} tests failed without the work, and only ${String(ran)} ran with it`
    : undefined;
}
