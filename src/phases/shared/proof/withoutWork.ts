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
import { artifactChange, readJson } from '../ticket/artifacts.ts';
import { runCommands } from '../worktree/commands.ts';
import { openScratch } from './scratch.ts';

/** A proved commit, the commit before its work, and the commands that passed on it. */
interface Work {
  readonly start: string;
  readonly commit: string;
  readonly passed: readonly Evidence[];
  /** Files that are declared to be tests, wherever they lie. */
  readonly declared?: readonly string[];
  readonly limits: Run['limits'];
}

/**
 * `seen`: a command that fails without the work, or undefined if each passes. `tests`: the tests that came
 * with the work.
 */
export interface SeenWithout {
  readonly seen: RunWithout | undefined;
  readonly tests: readonly string[];
}

/** So many runs of a ticket are remembered. */
const mostRuns = 500;
/**
 * A command that hangs without the work has failed. It gets three times what it took with the work, but at
 * least this.
 */
const leastMs = 60_000;

/**
 * Runs commands on the files before the work, with its tests, and looks for one that fails
 * (docs/decisions/051-red-first.md). Where the environment can't be made there, nothing can be told: that
 * counts as failed.
 */
export async function runWithoutWork(io: StepIo, ticket: TicketSnapshot, work: Work): Promise<SeenWithout> {
  const { start, commit, passed, limits, declared = [] } = work;
  const { store } = io.ports;
  const { grafted, tests, isInseparable } = await graftTests(io, { start, commit, declared });
  const runs = [
    ...(readJson(RunsWithout, (await store.artifact(ticket.id, 'runs_without_work'))?.content)?.runs ?? []),
  ];
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
    io.save(
      artifactChange(
        ticket,
        'runs_without_work',
        RunsWithout.parse({ schema_version: 1, runs: runs.slice(-mostRuns) }),
      ),
    );
  }
  return { seen, tests };
}

interface Grafted {
  readonly grafted: { readonly commit: string; readonly tree: string };
  readonly tests: readonly string[];
  /** A new file holds work and its tests in one, so that the tests can't run without it. */
  readonly isInseparable: boolean;
}

/**
 * The commit before the work, with the tests of the work and what they need. If the work is nothing else,
 * without them.
 */
async function graftTests(
  io: StepIo,
  { start, commit, declared }: Pick<Work, 'start' | 'commit'> & { readonly declared: readonly string[] },
): Promise<Grafted> {
  const { git } = io.ports;
  const proves = (path: string): boolean => isProving(path) || declared.includes(path);
  const changes = await git.compare(start, commit);
  const paths = changes
    .flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [path, oldPath]))
    .filter(proves);
  const tests = paths.filter((path) => isTestFile(path) || declared.includes(path));
  const texts: Record<string, string> = {};
  let isInseparable = false;
  for (const { path, change } of changes) {
    if (!path.endsWith('.rs') || change === 'deleted' || proves(path)) continue;
    const after = await textOf(io, commit, path);
    const before = change === 'added' ? '' : await textOf(io, start, path);
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

async function textOf(io: StepIo, commit: string, path: string): Promise<string> {
  return new TextDecoder().decode((await io.ports.git.blob(commit, path)) ?? new Uint8Array());
}

async function runOn(
  io: StepIo,
  ticket: TicketSnapshot,
  {
    commit,
    evidence,
    limits,
  }: { readonly commit: string; readonly evidence: Evidence; readonly limits: Run['limits'] },
): Promise<Omit<RunWithout, 'tree'>> {
  const { path: cwd, wrapper, failed, end } = await openScratch(io, ticket, commit, { limits });
  const [first] = failed;
  if (first)
    return { ...baselineCheck('test', [first]), command: evidence.command, exitCode: first.exitCode };
  const commandTimeout = Math.min(
    timeoutMs(limits.commandTimeout),
    Math.max(leastMs, 3 * evidence.durationMs),
  );
  const work = { commands: [evidence.command], wrapper, limits: { ...limits, commandTimeout }, cwd };
  try {
    const [run] = await runCommands(io, ticket, work);
    return { ...baselineCheck('test', [run as Evidence]), exitCode: (run as Evidence).exitCode };
  } finally {
    await end();
  }
}
