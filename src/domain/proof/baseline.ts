import * as z from 'zod';
import { type Evidence, passed } from '../core/evidence.ts';
import { CommitSha } from '../core/ids.ts';
import { testResultsOf, wholeOutput } from './testResults.ts';

/** Kinds of a project's own checks. */
export const CheckKind = z.enum(['test', 'lint', 'typecheck', 'build']);
export type CheckKind = z.infer<typeof CheckKind>;

/** A command's result on the base. */
export const BaselineCheck = z.object({
  kind: CheckKind,
  command: z.string(),
  passed: z.boolean(),
  timedOut: z.boolean(),
  durationMs: z.number().int().nonnegative(),
  /** By stable names; null if unnamed. */
  failed: z.array(z.string()).nullable(),
  flaky: z.array(z.string()),
  unsteady: z.boolean().default(false),
  /** Null if unknown. */
  ran: z.number().int().nullable().default(null),
});
export type BaselineCheck = z.infer<typeof BaselineCheck>;

/** `baseline`: the project's checks on the untouched base (docs/decisions/049-baseline.md). */
export const Baseline = z.object({
  schema_version: z.literal(1),
  commit: CommitSha,
  checks: z.array(BaselineCheck),
});
export type Baseline = z.infer<typeof Baseline>;

/**
 * A comparison. `known`: fails as before. `new`: in `names`, or as a whole if empty. `unclear`: failed
 * before, too, with unnamed failures.
 */
export type Comparison =
  | { readonly verdict: 'passed' | 'known' | 'unclear' }
  | { readonly verdict: 'new'; readonly names: readonly string[] };

/** Compares a result with the base's; `before` is undefined if it never ran there. */
export function compareWithBaseline(evidence: Evidence, before: BaselineCheck | undefined): Comparison {
  if (passed(evidence)) return { verdict: 'passed' };
  if (before === undefined || (before.passed && !before.unsteady))
    return { verdict: 'new', names: failuresIn(evidence) ?? [] };
  if (evidence.timedOut && !before.timedOut) return { verdict: 'new', names: [] };
  const now = failuresIn(evidence);
  if (now === null || before.failed === null) return { verdict: 'unclear' };
  // Something unnamed broke.
  if (now.length === 0) return { verdict: 'new', names: [] };
  const expected = new Set([...before.failed, ...before.flaky]);
  const names = now.filter((name) => !expected.has(name));
  return names.length === 0 ? { verdict: 'known' } : { verdict: 'new', names };
}

/** The check of two base runs; failures in one are flaky. */
export function baselineCheck(kind: CheckKind, runs: readonly [Evidence, ...Evidence[]]): BaselineCheck {
  // A command may succeed although tests fail.
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

/** A cut run ran fewer. */
function ranIn(runs: readonly Evidence[]): number | null {
  const counts = runs.map((run) => testResultsOf(run)?.ran ?? null).filter((count) => count !== null);
  return counts.length === 0 ? null : Math.max(...counts);
}

function failuresIn(evidence: Evidence): string[] | null {
  const results = testResultsOf(evidence);
  if (results) return [...results.failed];
  const places = placesIn(wholeOutput(evidence) ?? '');
  return places.length > 0 ? places : null;
}

/**
 * Lines such as `src/a.ts:12:3 error …` without their moving numbers. Repeated ones are counted, so that one
 * more is new.
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
