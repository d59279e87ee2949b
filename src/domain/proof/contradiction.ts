import { type Contradiction, type Evidence } from '../core/evidence.ts';
import type { BaselineCheck } from './baseline.ts';
import { testResultsOf } from './testResults.ts';

/**
 * The denial of an exit code 0 by its output: new failures, or no tests although some ran on the base
 * (docs/decisions/048-clean-room-proof.md).
 */
export function contradictionOf(
  evidence: Evidence,
  before: BaselineCheck | undefined,
): Contradiction | undefined {
  const results = evidence.exitCode === 0 && !evidence.timedOut ? testResultsOf(evidence) : undefined;
  if (!results) return undefined;
  const known = new Set([...(before?.failed ?? []), ...(before?.flaky ?? [])]);
  const failed = results.failed.filter((name) => !known.has(name));
  const expected = before?.ran ?? 0;
  const isEmpty = results.ran === 0 && expected > 0;
  return failed.length > 0 || isEmpty
    ? { failed: failed.slice(0, mostNames), expected: isEmpty ? expected : null }
    : undefined;
}

const mostNames = 100;
const mostShown = 10;

/** A contradiction as the end of a sentence about the command. */
export function contradictionText({ failed, expected }: Contradiction): string {
  if (expected !== null) return `but none of the ${String(expected)} tests ran that run on the base`;
  const more = failed.length > mostShown ? ` and ${String(failed.length - mostShown)} more` : '';
  return `but these tests failed: ${failed.slice(0, mostShown).join(', ')}${more}`;
}
