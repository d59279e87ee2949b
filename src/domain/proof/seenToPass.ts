import type { Evidence } from '../core/evidence.ts';
import { testResultsOf, wholeOutput } from './testResults.ts';

/**
 * The tests that a successful command doesn't show to pass, in words
 * (docs/decisions/048-clean-room-proof.md); undefined without any. `red`: tests that failed without the work.
 */
export function unseenTests(evidence: Evidence, red: readonly string[]): string | undefined {
  // A wholly failed file is named by path; its tests have other names.
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
