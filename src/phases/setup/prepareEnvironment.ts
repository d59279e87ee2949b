import { parse } from 'yaml';
import * as z from 'zod';
import { type Failure, failureText } from '../../domain/beads/failure.ts';
import {
  SetupPlan,
  SetupProfile,
  SetupResult,
  setupPlanDocument,
  type ToolRequirement,
} from '../../domain/documents/setupPlan.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { CommitSha } from '../../domain/core/ids.ts';
import { inboxBodies } from '../../domain/ticket/inbox.ts';
import { attemptsOf } from '../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { HandlerDefinition, Run } from '../../engine/run/run.ts';
import { artifactChange, newestArtifact, readNotes } from '../shared/ticket/artifacts.ts';
import { endStraySessions } from '../shared/ask/sessionNotes.ts';
import { takeUserContext, ticketParts } from '../shared/ticket/ticketParts.ts';
import { errorContext, fallbackNote, failureNote, keepFailure } from '../shared/failureNote.ts';
import { runtimePaths, writeRuntime } from '../shared/worktree/runtime.ts';
import { endSessions, CallTrace } from '../shared/worktree/sessions.ts';
import { remakeWorktree, resetAttempt } from '../shared/worktree/worktree.ts';
import { toolRequirements } from './probes.ts';
import { reusedSetup, setupBasis } from './reuse.ts';
import { type SetupAttempt, setupAttempt } from './setupAttempt.ts';
import type { Change } from '../../engine/ports/storePort.ts';

const longestOutput = 300;
const reusable_artifacts = [
  {
    path: runtimePaths.environment,
    kind: 'environment',
    purpose: 'Search path and variables of every command.',
  },
  {
    path: runtimePaths.wrapper,
    kind: 'command-wrapper',
    purpose: 'Runs its arguments in that environment.',
  },
];
const Start = z.object({
  commit: CommitSha,
  plan: SetupPlan,
  notes: z.array(z.string()),
  proved: SetupResult.optional(),
});

/**
 * Prepares the runtime by the approved plan (docs/decisions/027-execution-setup.md). The engine writes the
 * profile from what it saw work. Throws SETUP_FAILED.
 */
export const prepareEnvironment: HandlerDefinition<'ready' | 'stale'> = {
  version: 1,
  run: async (run, ticket) => {
    const start = await readStart(run, ticket);
    const notes = [...start.notes];
    if (start.proved) return prepareAsBefore(run, ticket, start, start.proved);
    // Without steps no model is asked; then the context from people waits for coding.
    const sections = start.plan.steps.length > 0 ? await takeUserContext(run, ticket) : [];
    const attempts: SetupAttempt[] = [];
    for (let number = 1; number <= attemptsOf(run.limits); number += 1) {
      const work = { number, plan: start.plan, notes, sections, start: start.commit };
      const attempt = await setupAttempt(run, ticket, work);
      attempts.push(attempt);
      if (attempt.problem === '') {
        await accept(run, ticket, start.plan, attempts);
        return { exit: 'ready' };
      }
      notes.push(await giveUp(run, ticket, start.commit, attempt, notes));
      // Without an agent another attempt would give the same result.
      if (start.plan.steps.length === 0) break;
    }
    await run.record('report', z.null(), (io) => {
      io.save(reportOf(ticket, attempts));
      return null;
    });
    const { problem = '', failure } = attempts.at(-1) ?? {};
    const said = failure ? failureText(failure) : { reason: problem };
    throw new BeadsmithError('SETUP_FAILED', said, { diagnostics: failure ? { failure } : {} });
  },
};

/** Prepares what an earlier ticket proved. If that fails, the setup is planned and approved as usual. */
async function prepareAsBefore(
  run: Run,
  ticket: TicketSnapshot,
  { plan, commit }: z.infer<typeof Start>,
  proved: SetupResult,
): Promise<{ exit: 'ready' | 'stale' }> {
  const work = { number: 1, plan, notes: [], sections: [], start: commit, proved };
  const attempt = await setupAttempt(run, ticket, work);
  if (attempt.problem === '') {
    await accept(run, ticket, plan, [attempt]);
    return { exit: 'ready' };
  }
  await run.step('reset:reused', z.null(), async (io) => {
    await resetAttempt(io, ticket, commit, `setup-${ticket.attempt}-reused`);
    io.save(reportOf(ticket, [attempt]));
    return null;
  });
  return { exit: 'stale' };
}

/** After a retry, the notes of the archived attempt still count, and so does the user's note. */
function readStart(run: Run, ticket: TicketSnapshot): Promise<z.infer<typeof Start>> {
  const { worktree } = ticketParts(ticket);
  return run.step('start', Start, async (io) => {
    await endStraySessions(io, run.runId);
    await remakeWorktree(io, ticket);
    const plan = SetupPlan.parse(
      parse((await io.ports.store.artifact(ticket.id, setupPlanDocument.kind))?.content ?? ''),
    );
    // For the agent; what is missing is a problem of the attempt.
    await io.ports.workplace.provide(worktree, plan.inputs);
    const retry =
      ticket.entry.by === 'retry' ? inboxBodies.retry.safeParse(ticket.entry.body).data : undefined;
    const notes = retry ? readNotes((await newestArtifact(io, 'execution_setup_notes'))?.content) : [];
    if (retry && retry.note.trim() !== '') {
      notes.push(`From the user: ${retry.note.trim()}`);
      io.save(artifactChange(ticket, 'execution_setup_notes', notes));
    }
    const proved = ticket.entry.by === 'reused' ? await reusedSetup(io) : undefined;
    return { commit: await io.ports.git.head(worktree), plan, notes, ...(proved ? { proved } : {}) };
  });
}

async function accept(
  run: Run,
  ticket: TicketSnapshot,
  plan: SetupPlan,
  attempts: readonly SetupAttempt[],
): Promise<void> {
  await run.record('profile', z.null(), async (io) => {
    const last = attempts.at(-1);
    const earlier = attempts.slice(0, -1).flatMap(({ probes }) => probes);
    const bootstrap = last?.result?.bootstrap_commands ?? [];
    const known = { plan, bootstrap, probes: last?.probes ?? [], earlier };
    const tools = await toolRequirements(io, ticketParts(ticket).worktree, known);
    io.save(artifactChange(ticket, 'execution_setup_profile', profileOf(ticket, plan, last, tools)));
    io.save(reportOf(ticket, attempts));
    return null;
  });
  await run.step('runtime', z.string(), async (io) => {
    if (ticket.baseCommit !== null)
      io.save(artifactChange(ticket, 'setup_basis', await setupBasis(io.ports.workplace, ticket.baseCommit)));
    return writeRuntime(io, ticket);
  });
}

async function giveUp(
  run: Run,
  ticket: TicketSnapshot,
  start: string,
  { number, problem, failure }: SetupAttempt,
  notes: readonly string[],
): Promise<string> {
  const mine = (step: string) => step === `setup:${number}` || step === `note:${number}`;
  const end = (key: string) =>
    run.step(key, CallTrace, (io) =>
      endSessions(io, (session) => session.run === run.runId && mine(session.step)),
    );
  const trace = await end(`end:${number}`);
  const aim = 'The environment was to be prepared by the approved plan.';
  const note = await failureNote(run, ticket, {
    key: `note:${number}`,
    contextKey: 'execution_setup_note',
    prompt: 'setup-note',
    ...(trace.session ? { session: trace.session } : {}),
    state: { errorContext: errorContext(problem, trace) },
    fallback: fallbackNote(aim, failure ? inShort(failure) : problem, trace),
  });
  await end(`end-note:${number}`);
  await run.step(`reset:${number}`, z.null(), async (io) => {
    const ref = await resetAttempt(io, ticket, start, `setup-${ticket.attempt}-${number}`);
    const failed = { iteration: number, interrupted: false, failure: failure ?? null, note, ref };
    await keepFailure(io, ticket, 'setup_failures', failed);
    io.save(artifactChange(ticket, 'execution_setup_notes', [...notes, note]));
    return null;
  });
  return note;
}

/** A note that no model writes has little room. */
function inShort(failure: Failure): string {
  return `${failureText(failure).reason}\n\n${failure.output.slice(-longestOutput)}`.trim();
}

function profileOf(
  ticket: TicketSnapshot,
  plan: SetupPlan,
  attempt: SetupAttempt | undefined,
  tools: readonly ToolRequirement[],
): SetupProfile {
  const result = attempt?.result;
  return SetupProfile.parse({
    schema_version: 1,
    ticket_id: ticket.id,
    artifact: 'execution_setup_profile',
    status: 'ready',
    summary: result?.summary ?? '',
    temp_roots: plan.temp_roots,
    bootstrap_commands: result?.bootstrap_commands ?? [],
    tooling_probe_commands: (attempt?.probes ?? []).map(({ command }) => command),
    environment: result?.environment,
    inputs: plan.inputs,
    variables: plan.variables,
    hooks: plan.hooks,
    services: plan.services,
    reusable_artifacts,
    project_commands: plan.project_commands,
    tool_requirements: tools,
    probes: attempt?.probes ?? [],
    cautions: [...new Set([...plan.cautions, ...(result?.cautions ?? [])])],
  });
}

function reportOf(ticket: TicketSnapshot, attempts: readonly SetupAttempt[]): Change {
  return artifactChange(ticket, 'execution_setup_report', { schema_version: 1, attempts });
}
