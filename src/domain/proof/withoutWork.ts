import * as z from 'zod';
import type { Evidence } from '../core/evidence.ts';
import { CommitSha } from '../core/ids.ts';
import { BaselineCheck } from './baseline.ts';

/** The result of a command without some work, on the files of `tree`, which have the work's tests. */
export const RunWithout = z.object({
  ...BaselineCheck.shape,
  tree: CommitSha,
  exitCode: z.number().int().nullable(),
});
export type RunWithout = z.infer<typeof RunWithout>;

/** `runs_without_work`: no command runs twice on the same files (docs/decisions/051-red-first.md). */
export const RunsWithout = z.object({ schema_version: z.literal(1), runs: z.array(RunWithout) });
export type RunsWithout = z.infer<typeof RunsWithout>;

/**
 * Returns true if a command that passes with the work was seen to fail without it. Where it passes only
 * because of failures that the base has as well, it has to fail in something else.
 */
export function failsWithout(
  { knownFailures }: Pick<Evidence, 'knownFailures'>,
  without: RunWithout,
): boolean {
  if (without.passed) return false;
  if (knownFailures === undefined || without.failed === null) return true;
  return [...without.failed, ...without.flaky].some((name) => !knownFailures.includes(name));
}

/** A text with the tests within it taken from another version; undefined if it has none. */
export function withInlineTests(before: string, after: string): string | undefined {
  const [work, tests] = [splitInlineTests(before)[0], splitInlineTests(after)[1]];
  return tests === undefined ? undefined : `${work}${tests}`;
}

/** A text before its inline tests, and from there. Rust's modules of tests end their file. */
export function splitInlineTests(text: string): readonly [string, string | undefined] {
  const at = text.search(/^[ \t]*#\[cfg\(test\)\]/m);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at)];
}
