import * as z from 'zod';
import { CommitSha } from './ids.ts';

/**
 * Failed tests by stable names; `tool` is their format. `passed`: null if unnamed or too many; `ran` (without
 * skipped) and `skipped`: null if unknown.
 */
export const TestResults = z.object({
  tool: z.string(),
  failed: z.array(z.string()),
  passed: z.array(z.string()).nullable(),
  ran: z.number().int().nullable(),
  skipped: z.number().int().nullable().default(null),
});
export type TestResults = z.infer<typeof TestResults>;

/** Numbers of tests. `skipped`: null if unknown. */
export const TestCounts = z.object({
  ran: z.number().int(),
  passed: z.number().int(),
  failed: z.number().int(),
  skipped: z.number().int().nullable(),
});
export type TestCounts = z.infer<typeof TestCounts>;

/** Facts against an exit code of 0: failed tests, or the number of expected ones of which none ran. */
export const Contradiction = z.object({ failed: z.array(z.string()), expected: z.number().int().nullable() });
export type Contradiction = z.infer<typeof Contradiction>;

/** The engine's observations of a command. `head` and `tail`: the output's first and last 32 KiB. */
export const Evidence = z.object({
  command: z.string(),
  cwd: z.string(),
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  timedOut: z.boolean(),
  /** Set if it timed out. `times`: that many times the duration on the base. */
  limit: z
    .object({ setting: z.string(), ms: z.number().int(), times: z.number().int().optional() })
    .optional(),
  durationMs: z.number().int().nonnegative(),
  outputBytes: z.number().int().nonnegative(),
  head: z.string(),
  tail: z.string(),
  /** Set if the output exceeds both windows. */
  tests: TestResults.optional(),
  /** It prepared the place, and checked nothing. */
  bootstrap: z.boolean().optional(),
  /** The unready service: `command` started it, or waited for it. */
  service: z.string().optional(),
  /** Set if all its failures are also on the base: their names, if known. */
  knownFailures: z.array(z.string()).optional(),
  /** The output denies the exit code 0: the command failed. */
  contradicted: Contradiction.optional(),
  /** It failed on the same tests without the work. */
  without: z.object({ tree: CommitSha, exitCode: z.number().int().nullable() }).optional(),
  /** Tracked or source files that it changed, and that were put back. */
  changed: z.array(z.string()).optional(),
  /** Tools that the bootstrap had to restore before it. */
  remade: z.array(z.string()).optional(),
  /** Telling lines of a failed output, and its end. */
  excerpt: z.string().optional(),
  /** Hosts that a sandbox without a network kept from it. */
  unreachable: z.array(z.string()).optional(),
  /** It failed, then passed on the same files. */
  flaky: z.boolean().optional(),
  /** Tests that failed first; none if unnamed. */
  flakyTests: z.array(z.string()).optional(),
});
export type Evidence = z.infer<typeof Evidence>;

/** True if a command succeeded undenied, or failed in nothing new. */
export function passed(
  evidence: Pick<Evidence, 'exitCode' | 'timedOut' | 'knownFailures' | 'contradicted'>,
): boolean {
  const isGood = evidence.exitCode === 0 && !evidence.timedOut && evidence.contradicted === undefined;
  return isGood || evidence.knownFailures !== undefined;
}

/** The end of the output, which says what failed. */
export function outputOf({ head, tail }: Pick<Evidence, 'head' | 'tail'>): string {
  return tail === '' ? head : tail;
}

/** Evidence with the end of its output, in so many characters. */
export function withOutput({ head, tail, ...ran }: Evidence, most: number) {
  return { ...ran, output: outputOf({ head, tail }).slice(-most) };
}
