import * as z from 'zod';
import { CommitSha } from './ids.ts';

/**
 * The tests that failed, by names that are the same from run to run; `tool` is the format they were read in.
 * `passed`: null if the tool doesn't name them, or if they are too many to keep. `ran`: how many tests there
 * were, skipped ones not counted; null if the tool doesn't say. `skipped`: how many those are; null as well
 * where the tool doesn't say.
 */
export const TestResults = z.object({
  tool: z.string(),
  failed: z.array(z.string()),
  passed: z.array(z.string()).nullable(),
  ran: z.number().int().nullable(),
  skipped: z.number().int().nullable().default(null),
});
export type TestResults = z.infer<typeof TestResults>;

/** The numbers of tests of a command by how they ended. `skipped`: null if the tool doesn't say. */
export const TestCounts = z.object({
  ran: z.number().int(),
  passed: z.number().int(),
  failed: z.number().int(),
  skipped: z.number().int().nullable(),
});
export type TestCounts = z.infer<typeof TestCounts>;

/** The facts against an exit code of 0: failed tests, or so many expected ones of which none ran. */
export const Contradiction = z.object({ failed: z.array(z.string()), expected: z.number().int().nullable() });
export type Contradiction = z.infer<typeof Contradiction>;

/** The engine's observations of a command. `head` and `tail`: the output's first and last 32 KiB. */
export const Evidence = z.object({
  command: z.string(),
  cwd: z.string(),
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  timedOut: z.boolean(),
  /** The time limit, set if it timed out. `times`: it is that many times the duration on the base. */
  limit: z
    .object({ setting: z.string(), ms: z.number().int(), times: z.number().int().optional() })
    .optional(),
  durationMs: z.number().int().nonnegative(),
  outputBytes: z.number().int().nonnegative(),
  head: z.string(),
  tail: z.string(),
  /** The tests in the whole output, set if that is longer than both windows. */
  tests: TestResults.optional(),
  /** It didn't check anything, it prepared the place for what does. */
  bootstrap: z.boolean().optional(),
  /** The service that wasn't ready: `command` started it and ended, or asked until the time was over. */
  service: z.string().optional(),
  /** Set if it fails only in what fails on the base as well: those tests, or none if none are named. */
  knownFailures: z.array(z.string()).optional(),
  /** Set if it ended with 0 and its output says that its tests didn't pass: then it failed. */
  contradicted: Contradiction.optional(),
  /** Set if it was seen to fail on the same tests without the work: how, and on which tree. */
  without: z.object({ tree: CommitSha, exitCode: z.number().int().nullable() }).optional(),
  /** Files of the commit that it changed, and sources that it made; they were put back. */
  changed: z.array(z.string()).optional(),
  /** Tools that weren't as the bootstrap had left them, so that it was run again before this command. */
  remade: z.array(z.string()).optional(),
  /** The lines of the output that say what failed, and its end; set if it failed and they are found. */
  excerpt: z.string().optional(),
  /** Set if it failed in a sandbox without a network and reached no host: these, if it names them. */
  unreachable: z.array(z.string()).optional(),
  /** It failed first, and passed when it ran again on the same files. */
  flaky: z.boolean().optional(),
  /** The tests that failed first, if it is flaky; none if the output didn't name them. */
  flakyTests: z.array(z.string()).optional(),
});
export type Evidence = z.infer<typeof Evidence>;

/** True if a command succeeded and its output doesn't deny it, or failed in nothing new. */
export function passed(
  evidence: Pick<Evidence, 'exitCode' | 'timedOut' | 'knownFailures' | 'contradicted'>,
): boolean {
  const isGood = evidence.exitCode === 0 && !evidence.timedOut && evidence.contradicted === undefined;
  return isGood || evidence.knownFailures !== undefined;
}
