import type { Evidence } from '../../../domain/core/evidence.ts';
import { baselineCheck } from '../../../domain/proof/baseline.ts';
import { isProving, isTestFile } from '../../../domain/proof/provingFiles.ts';
import {
  failsWithout,
  RunsWithout,
  type RunWithout,
  withInlineTests,
} from '../../../domain/proof/withoutWork.ts';
import { timeoutMs } from '../../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { artifactChange, storedJson } from '../ticket/artifacts.ts';
import { runCommand } from '../worktree/commands.ts';
import { pathsOf } from '../worktree/commit.ts';
import { fileText } from './changedTexts.ts';
import { openScratch } from './scratch.ts';

interface Work {
  readonly start: string;
  readonly commit: string;
  readonly passed: readonly Evidence[];
  readonly declared?: readonly string[];
  readonly limits: Run['limits'];
}

interface SeenWithout {
  readonly seen: RunWithout | undefined;
  readonly tests: readonly string[];
}

const mostRuns = 500;
/** Hanging without the work is failing: after three times what it took with it, but at least this. */
const leastMs = 60_000;

/**
 * Looks for a command that fails without the work (docs/decisions/051-red-first.md). An environment that
 * can't be made there counts as failed.
 */
export async function runWithoutWork(io: StepIo, ticket: TicketSnapshot, work: Work): Promise<SeenWithout> {
  const { start, commit, passed, limits, declared = [] } = work;
  const { grafted, tests, isInseparable } = await graftTests(io, { start, commit, declared });
  const runs = [...((await storedJson(io, 'runs_without_work', RunsWithout))?.runs ?? [])];
  const before = runs.length;
  let seen: RunWithout | undefined;
  for (const evidence of passed) {
    const known = runs.find(({ tree, command }) => tree === grafted.tree && command === evidence.command);
    const run = known ?? {
      ...(await runOn(io, ticket, { commit: grafted.commit, evidence, limits })),
      tree: grafted.tree,
    };
    if (!known) runs.push(run);
    if (isInseparable || failsWithout(evidence, run)) {
      seen = run;
      break;
    }
  }
  if (runs.length > before) {
    const kept = RunsWithout.parse({ schema_version: 1, runs: runs.slice(-mostRuns) });
    io.save(artifactChange(ticket, 'runs_without_work', kept));
  }
  return { seen, tests };
}

interface Grafted {
  readonly grafted: { readonly commit: string; readonly tree: string };
  readonly tests: readonly string[];
  /** A new file holds work and its tests in one. */
  readonly isInseparable: boolean;
}

/** Without the tests if the work is nothing else. */
async function graftTests(
  io: StepIo,
  { start, commit, declared }: Pick<Work, 'start' | 'commit'> & { readonly declared: readonly string[] },
): Promise<Grafted> {
  const { git } = io.ports;
  const proves = (path: string): boolean => isProving(path) || declared.includes(path);
  const changes = await git.compare(start, commit);
  const paths = changes.flatMap(pathsOf).filter(proves);
  const tests = paths.filter((path) => isTestFile(path) || declared.includes(path));
  const texts: Record<string, string> = {};
  let isInseparable = false;
  for (const { path, change } of changes) {
    if (!path.endsWith('.rs') || change === 'deleted' || proves(path)) continue;
    const after = await fileText(io, commit, path);
    const before = change === 'added' ? '' : await fileText(io, start, path);
    const text = withInlineTests(before, after);
    if (text === undefined) continue;
    if (change !== 'modified') isInseparable = true;
    else texts[path] = text;
    tests.push(path);
  }
  const isConfigurationOnly = tests.length === 0 && changes.every(({ path }) => proves(path));
  const grafted = await git.graft({ start, from: commit, paths: isConfigurationOnly ? [] : paths, texts });
  return { grafted, tests: [...new Set(tests)], isInseparable };
}

async function runOn(
  io: StepIo,
  ticket: TicketSnapshot,
  { commit, evidence, limits }: Pick<Work, 'commit' | 'limits'> & { readonly evidence: Evidence },
): Promise<Omit<RunWithout, 'tree'>> {
  const { path: cwd, wrapper, failed, end } = await openScratch(io, ticket, commit, { limits });
  const [first] = failed;
  if (first)
    return { ...baselineCheck('test', [first]), command: evidence.command, exitCode: first.exitCode };
  const longest = Math.max(leastMs, 3 * evidence.durationMs);
  const commandTimeout = Math.min(timeoutMs(limits.commandTimeout), longest);
  const work = { wrapper, limits: { ...limits, commandTimeout }, cwd, isOnBase: true };
  try {
    const run = await runCommand(io, ticket, evidence.command, work);
    return { ...baselineCheck('test', [run]), exitCode: run.exitCode };
  } finally {
    await end();
  }
}
