import * as z from 'zod';
import type { Section } from '../../context/sections.ts';
import { commandFailure, Failure, failure } from '../../domain/beads/failure.ts';
import { type SetupPlan, SetupResult } from '../../domain/documents/setupPlan.ts';
import { Evidence } from '../../domain/core/evidence.ts';
import { timeoutMs } from '../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../engine/run/run.ts';
import { ask } from '../shared/ask/ask.ts';
import { setupCallFailure } from '../shared/ask/callFailure.ts';
import { failedCall, isFailureOf } from '../shared/ask/providerError.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { failuresOf, runCommands } from '../shared/worktree/commands.ts';
import { selectPaths } from '../shared/worktree/commit.ts';
import { openFreshScratch } from '../shared/proof/scratch.ts';
import { writeWrapper } from '../shared/worktree/runtime.ts';
import { servicesFor } from '../shared/worktree/services.ts';
import { prepareSession } from '../shared/worktree/sessions.ts';
import { takingBack } from '../shared/worktree/worktree.ts';
import { describeProbe, missingTool, readinessProbes } from './probes.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import { readyResult } from './reuse.ts';

/** `problem`: empty if nothing is wrong. */
export const SetupAttempt = z.object({
  number: z.number().int(),
  result: SetupResult.nullable(),
  probes: z.array(Evidence),
  problem: z.string(),
  /** Attempts of earlier versions have none. */
  failure: Failure.nullable().optional(),
});
export type SetupAttempt = z.infer<typeof SetupAttempt>;

interface SetupWork {
  readonly number: number;
  readonly plan: SetupPlan;
  readonly notes: readonly string[];
  readonly sections: readonly Section[];
  /** The preparation that an earlier ticket proved; with it no agent is asked. */
  readonly proved?: SetupResult;
  /** The commit the status began at. Setup never moves it. */
  readonly start: string;
}

/** Follows the approved plan, unless it is proved already, then runs the probes and checks what was left. */
export async function setupAttempt(run: Run, ticket: TicketSnapshot, work: SetupWork): Promise<SetupAttempt> {
  const { number, plan, proved } = work;
  let result = proved ?? readyResult({ summary: plan.summary, cautions: plan.cautions });
  if (plan.steps.length > 0 && !proved) {
    await prepareSession(run, ticket, `sweep:${number}`);
    try {
      result = await prepare(run, ticket, work);
    } catch (error) {
      if (!isFailureOf(error, failedCall)) throw error;
      const why = setupCallFailure(error, run.limits);
      return { number, result: null, probes: [], problem: error.message, failure: why };
    }
  }
  const claim = claimProblem(result);
  if (claim !== '') {
    const why = failure('setup_blocked', { reason: claim });
    return { number, result, probes: [], problem: claim, failure: why };
  }
  result = { ...result, bootstrap_commands: bootstrapOf(plan, result) };
  return run.step(`prove:${number}`, SetupAttempt, async (io) => {
    const { worktree } = ticketParts(ticket);
    const { git } = io.ports;
    const seen: Evidence[] = [];
    const problems = (await io.ports.workplace.provide(worktree, plan.inputs)).map(
      (problem) => `An approved input is missing. ${problem}.`,
    );
    const wrapper = await writeWrapper(io, ticket, result.environment);
    const known = { plan, bootstrap: result.bootstrap_commands, probes: result.tooling_probe_commands };
    const wanted = await readinessProbes(io, worktree, known);
    // Without anything to probe, only the wrapper is checked.
    const commands = wanted.length > 0 ? wanted : ['true'];
    const engine = { wrapper, limits: run.limits, allowed: plan };
    const probes = await takingBack(io, ticket, async () => {
      // What an agent would have prepared.
      const first = { commands: result.bootstrap_commands, ...engine, installs: true };
      const unprepared = proved ? failuresOf(await runCommands(io, ticket, first)) : [];
      if (unprepared.length > 0) return [...unprepared];
      const place = { cwd: worktree, wrapper, allowed: plan };
      const { failed, end } = await servicesFor(io, ticket, plan.services, place);
      if (failed) return [failed];
      try {
        return await runCommands(io, ticket, { commands, ...engine, all: true });
      } finally {
        await end();
      }
    });
    seen.push(...failuresOf(probes));
    problems.push(...seen.map(describeProbe));
    const inputs = plan.inputs.filter(({ use }) => use !== 'leave').map(({ path }) => path);
    const changes = await git.status(worktree);
    const tracked = changes
      .filter(({ path, state }) => state !== 'untracked' && inputs.includes(path))
      .map(({ path }) => path);
    const listing = 'so the plan must not list it under `inputs`.';
    if (tracked.length > 0) problems.push(`The repository tracks ${tracked.join(', ')}, ${listing}`);
    const { paths } = (await selectPaths(io, { setup: [...plan.temp_roots, ...inputs] }))(changes);
    if (paths.length > 0)
      problems.push(`Changes to the project were left behind: ${paths.slice(0, 20).join(', ')}.`);
    if ((await git.head(worktree)) !== work.start)
      problems.push('A commit was made, which the setup may not do.');
    if (problems.length === 0) {
      const probed = { ...result, tooling_probe_commands: [...wanted] };
      const fresh = await failuresOfFresh(io, ticket, probed, { ...work, limits: run.limits });
      seen.push(...fresh);
      problems.push(...describeFresh(result, fresh));
    }
    const problem = problems.join('\n\n');
    const why = problem === '' ? {} : { failure: whyFailed(seen, problem) };
    return { number, result, probes, problem, ...why };
  });
}

/** The commands that every proof repeats in its fresh checkout. */
function bootstrapOf({ steps }: SetupPlan, { bootstrap_commands }: SetupResult): string[] {
  return bootstrap_commands.length > 0
    ? bootstrap_commands
    : steps.filter(({ required }) => required).flatMap(({ commands }) => commands);
}

/** Failures of a checkout that only the bootstrap prepares (docs/decisions/048-clean-room-proof.md). */
async function failuresOfFresh(
  io: StepIo,
  ticket: TicketSnapshot,
  { bootstrap_commands, tooling_probe_commands, environment }: SetupResult,
  { plan: allowed, start, limits }: Pick<SetupWork, 'plan' | 'start'> & { readonly limits: Run['limits'] },
): Promise<readonly Evidence[]> {
  if (bootstrap_commands.length + tooling_probe_commands.length + allowed.services.length === 0) return [];
  const setup = { commands: bootstrap_commands, services: allowed.services, environment, allowed, limits };
  const { path: cwd, wrapper, failed, end } = await openFreshScratch(io, ticket, start, setup);
  const commands = failed.length > 0 ? [] : tooling_probe_commands;
  try {
    const probes = await runCommands(io, ticket, { commands, wrapper, limits, cwd, all: true, allowed });
    return [...failed, ...failuresOf(probes)];
  } finally {
    await end();
  }
}

function describeFresh(
  { bootstrap_commands }: SetupResult,
  failures: readonly Evidence[],
): readonly string[] {
  if (failures.length === 0) return [];
  const list = bootstrap_commands.map((command) => `\`${command}\``).join(', ') || 'none';
  return [
    `A fresh checkout doesn't get ready by the bootstrap commands (${list}):`,
    ...failures.map(describeProbe),
  ];
}

/** Missing programs explain the rest. */
function whyFailed(failures: readonly Evidence[], problem: string): Failure {
  const missing = failures.flatMap((evidence) => missingTool(evidence) ?? []);
  if (missing.length > 0) return failure('tool_missing', { reason: `${missing.join('; ')}.` });
  return failures[0] ? commandFailure(failures[0]) : failure('setup_incomplete', { reason: problem });
}

async function prepare(
  run: Run,
  ticket: TicketSnapshot,
  { number, notes, sections }: SetupWork,
): Promise<SetupResult> {
  const { value } = await ask(run, ticket, {
    key: `setup:${number}`,
    contextKey: 'execution_setup',
    prompt: 'setup',
    member: ticketParts(ticket).settings.mainImplementer,
    state: { executionSetupNotes: notes },
    sections,
    parse: parseStructured({ tag: 'EXECUTION_SETUP_RESULT', schema: SetupResult }),
    result: SetupResult,
    activeMs: timeoutMs(run.limits.executionSetupTimeout),
  });
  return value;
}

function claimProblem({ status, summary, checks }: SetupResult): string {
  const failed = Object.entries(checks).filter(([, check]) => check === 'fail');
  if (status === 'ready' && failed.length === 0) return '';
  const named = failed.length > 0 ? ` Failed checks: ${failed.map(([name]) => name).join(', ')}.` : '';
  return `The agent reports "${status}".${named} ${summary}`.trim();
}
