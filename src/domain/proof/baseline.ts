import * as z from 'zod';
import { type Evidence, passed } from '../core/evidence.ts';
import { CommitSha } from '../core/ids.ts';
import { testResultsOf, wholeOutput } from './testResults.ts';

/** The kinds of checks that a project has for itself. */
export const CheckKind = z.enum(['test', 'lint', 'typecheck', 'build']);
export type CheckKind = z.infer<typeof CheckKind>;

/** A command as it came out before anything was changed. */
export const BaselineCheck = z.object({
  kind: CheckKind,
  command: z.string(),
  passed: z.boolean(),
  timedOut: z.boolean(),
  durationMs: z.number().int().nonnegative(),
  /** Tests or places that failed, by names that stay the same; null if the output names none. */
  failed: z.array(z.string()).nullable(),
  /** Those that failed in one of two runs only. */
  flaky: z.array(z.string()),
  /** It failed in one of two runs, and passed in the other. */
  unsteady: z.boolean().default(false),
  /** Number of tests that ran; null if the output doesn't say. */
  ran: z.number().int().nullable().default(null),
});
export type BaselineCheck = z.infer<typeof BaselineCheck>;

/** `baseline`: the project's own checks on the untouched base (docs/decisions/049-baseline.md). */
export const Baseline = z.object({
  schema_version: z.literal(1),
  commit: CommitSha,
  checks: z.array(BaselineCheck),
});
export type Baseline = z.infer<typeof Baseline>;

/**
 * A result compared to the baseline. `known`: it fails as before. `new`: it fails in `names`, or as a whole
 * if there are none. `unclear`: it failed before, too, and doesn't say in what.
 */
export type Comparison =
  | { readonly verdict: 'passed' | 'known' | 'unclear' }
  | { readonly verdict: 'new'; readonly names: readonly string[] };

/** Compares a result with the same command's on the base; `before` is undefined if it never ran there. */
export function compareWithBaseline(evidence: Evidence, before: BaselineCheck | undefined): Comparison {
  if (passed(evidence)) return { verdict: 'passed' };
  if (before === undefined || (before.passed && !before.unsteady))
    return { verdict: 'new', names: failuresIn(evidence) ?? [] };
  if (evidence.timedOut && !before.timedOut) return { verdict: 'new', names: [] };
  const now = failuresIn(evidence);
  if (now === null || before.failed === null) return { verdict: 'unclear' };
  // It fails, and names nothing that did: something else broke.
  if (now.length === 0) return { verdict: 'new', names: [] };
  const expected = new Set([...before.failed, ...before.flaky]);
  const names = now.filter((name) => !expected.has(name));
  return names.length === 0 ? { verdict: 'known' } : { verdict: 'new', names };
}

/** The check of two runs on the base: what fails in only one of them is flaky. */
export function baselineCheck(kind: CheckKind, runs: readonly [Evidence, ...Evidence[]]): BaselineCheck {
  // A command may succeed although tests of it fail.
  const lists = runs.map((run) => (passed(run) ? [...(testResultsOf(run)?.failed ?? [])] : failuresIn(run)));
  const known = lists.every((list) => list !== null) ? lists : null;
  const all = [...new Set(known?.flat() ?? [])].sort();
  const flaky = all.filter((name) => known?.some((list) => !list.includes(name)));
  return {
    kind,
    command: runs[0].command,
    passed: runs.some((run) => passed(run)),
    unsteady: runs.some((run) => passed(run)) && runs.some((run) => !passed(run)),
    ran: ranIn(runs),
    timedOut: runs.some(({ timedOut }) => timedOut),
    durationMs: Math.max(...runs.map(({ durationMs }) => durationMs)),
    failed: known === null ? null : all.filter((name) => !flaky.includes(name)),
    flaky,
  };
}

/** A run that was cut short ran fewer. */
function ranIn(runs: readonly Evidence[]): number | null {
  const counts = runs.map((run) => testResultsOf(run)?.ran ?? null).filter((count) => count !== null);
  return counts.length === 0 ? null : Math.max(...counts);
}

/** The failed tests, or else the places that the output complains about; null if it names neither. */
function failuresIn(evidence: Evidence): string[] | null {
  const results = testResultsOf(evidence);
  if (results) return [...results.failed];
  const places = placesIn(wholeOutput(evidence) ?? '');
  return places.length > 0 ? places : null;
}

/**
 * Lines such as `src/a.ts:12:3 error …`, without their numbers, which move with every change above them.
 * Several of the same text count once each, so that one more of them is new.
 */
function placesIn(output: string): string[] {
  const counts = new Map<string, number>();
  const places: string[] = [];
  for (const line of output.split('\n').slice(0, 20_000)) {
    if (line.length > 1_000 || !/[\w./\\-]+\.\w{1,8}[:(]\d+/.test(line)) continue;
    const text = line.replace(/\d+/g, '#').trim();
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    places.push(count === 1 ? text : `${text} (${String(count)})`);
  }
  return places.sort();
}
