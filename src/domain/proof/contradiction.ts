import { type Contradiction, type Evidence } from '../core/evidence.ts';
import type { BaselineCheck } from './baseline.ts';
import { testResultsOf } from './testResults.ts';

/**
 * Finds what the output of a command says against its exit code of 0: tests failed that don't fail on the
 * base, or none ran although some do there. Undefined if nothing does
 * (docs/decisions/048-clean-room-proof.md). `before`: the same command on the base, undefined if it never ran
 * there.
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
