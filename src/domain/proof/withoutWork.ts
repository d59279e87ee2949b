import * as z from 'zod';
import type { Evidence } from '../core/evidence.ts';
import { CommitSha } from '../core/ids.ts';
import { BaselineCheck } from './baseline.ts';

/** A command's result without some work, on `tree`, with the work's tests. */
export const RunWithout = z.object({
  ...BaselineCheck.shape,
  tree: CommitSha,
  exitCode: z.number().int().nullable(),
});
export type RunWithout = z.infer<typeof RunWithout>;

/** `runs_without_work`: each command runs once per tree (docs/decisions/051-red-first.md). */
export const RunsWithout = z.object({ schema_version: z.literal(1), runs: z.array(RunWithout) });
export type RunsWithout = z.infer<typeof RunsWithout>;

/** True if a passing command failed without the work; with known base failures, in something else. */
export function failsWithout(
  { knownFailures }: Pick<Evidence, 'knownFailures'>,
  without: RunWithout,
): boolean {
  if (without.passed) return false;
  if (knownFailures === undefined || without.failed === null) return true;
  return [...without.failed, ...without.flaky].some((name) => !knownFailures.includes(name));
}

/** A text with another version's inline tests; undefined without any. */
export function withInlineTests(before: string, after: string): string | undefined {
  const [work, tests] = [splitInlineTests(before)[0], splitInlineTests(after)[1]];
  return tests === undefined ? undefined : `${work}${tests}`;
}

/** A text before and from its inline tests, which end Rust files. */
export function splitInlineTests(text: string): readonly [string, string | undefined] {
  const at = text.search(/^[ \t]*#\[cfg\(test\)\]/m);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at)];
}
