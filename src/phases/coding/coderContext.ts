import type { Section } from '../../context/sections.ts';
import type { Bead } from '../../domain/beads/bead.ts';
import { SetupProfile } from '../../domain/documents/setupPlan.ts';
import { Kickoff, kickoffText } from '../../domain/beads/kickoff.ts';
import { Baseline } from '../../domain/proof/baseline.ts';
import { BeadExecution } from '../../domain/beads/reports.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { StepIo } from '../../engine/run/run.ts';
import { newestArtifact, readJson } from '../shared/ticket/artifacts.ts';

/**
 * Returns the sections that the coder gets beside the bead and its notes
 * (docs/decisions/067-what-the-coder-gets.md): the insights of the kickoff, the project's commands with their
 * measured times, and what earlier beads leave for this one. The repository's rules come with the prompt
 * itself.
 */
export async function coderSections(
  io: StepIo,
  ticket: TicketSnapshot,
  bead: Bead,
): Promise<readonly Section[]> {
  const [workspace, handoff] = await Promise.all([workspaceOf(io, ticket), handoffOf(io, ticket, bead)]);
  return [
    { name: 'kickoff_insights', content: await insightsOf(io, ticket, bead.id) },
    { name: 'workspace', content: workspace },
    { name: 'handoff', content: handoff },
  ];
}

async function insightsOf(io: StepIo, ticket: TicketSnapshot, bead: string): Promise<string> {
  const kickoff = readJson(
    Kickoff,
    (await io.ports.store.artifact(ticket.id, `bead_kickoff:${bead}`))?.content,
  );
  return kickoff ? kickoffText(kickoff) : '';
}

/**
 * The time that a tool call may take if the agent says nothing, in seconds; see `serverSetup` of the OpenCode
 * adapter.
 */
const usualSeconds = 600;

async function workspaceOf(io: StepIo, ticket: TicketSnapshot): Promise<string> {
  const { store } = io.ports;
  const [profile, baseline] = await Promise.all([
    store
      .artifact(ticket.id, 'execution_setup_profile')
      .then((stored) => readJson(SetupProfile, stored?.content)),
    store.artifact(ticket.id, 'baseline').then((stored) => readJson(Baseline, stored?.content)),
  ]);
  const lines = [
    `A command that you run ends after ${String(usualSeconds)} s. Give one that may take longer a \`timeout\` of its own, in milliseconds.`,
  ];
  const times = new Map(baseline?.checks.map((check) => [check.command, check]));
  for (const [kind, commands] of Object.entries(profile?.project_commands ?? {})) {
    for (const command of commands) {
      const measured = times.get(command);
      lines.push(`- ${kind.replace(/_full$/, '')}: \`${command}\`${measured ? measuredText(measured) : ''}`);
    }
  }
  for (const { name, start, ready, stop } of profile?.services ?? []) {
    const end = stop === '' ? '' : `, stop it with \`${stop}\``;
    lines.push(
      `- service ${name}: the engine starts it for its own runs only. For yours, start \`${start}\` in the background, wait until \`${ready}\` succeeds${end}, and leave nothing of it running.`,
    );
  }
  for (const caution of profile?.cautions ?? []) lines.push(`- ${caution}`);
  return lines.join('\n');
}

/**
 * Says how long a command took on the untouched base, what to allow it, and whether it fails there as well.
 */
function measuredText({ durationMs, passed, timedOut }: Baseline['checks'][number]): string {
  const seconds = Math.ceil(durationMs / 1_000);
  const allowed = Math.ceil((3 * durationMs) / 60_000) * 60_000;
  const state = timedOut ? 'didn’t end' : passed ? 'took' : 'fails, and took';
  const advice = allowed > usualSeconds * 1_000 ? `; run it with \`timeout: ${String(allowed)}\`` : '';
  return ` (on the untouched base it ${state}${timedOut ? ` within ${String(seconds)} s` : ` ${String(seconds)} s`}${advice})`;
}

/** So many earlier beads are told about: those that this one builds on, then the newest. */
const mostBeads = 6;
const longestRecord = 1_200;

async function handoffOf(io: StepIo, ticket: TicketSnapshot, bead: Bead): Promise<string> {
  const done = (await io.ports.store.beads(ticket.id)).filter(
    ({ status, id }) => status === 'done' && id !== bead.id,
  );
  const newest = done.toSorted((a, b) => b.completedAt.localeCompare(a.completedAt));
  const needed = newest.filter(({ id }) => bead.dependencies.blocked_by.includes(id));
  const told = [...new Set([...needed, ...newest])].slice(0, mostBeads);
  return recordsOf(io, told);
}

/** Returns what the records of beads say of their decisions, shortened. */
export async function recordsOf(io: StepIo, told: readonly Pick<Bead, 'id' | 'title'>[]): Promise<string> {
  const records = await Promise.all(
    told.map(async ({ id, title }) => ({ title, id, lines: await recordLines(io, id) })),
  );
  return records
    .filter(({ lines }) => lines.length > 0)
    .map(({ id, title, lines }) => `### Bead ${id}: ${title}\n\n${lines.join('\n').slice(0, longestRecord)}`)
    .join('\n\n');
}

async function recordLines(io: StepIo, bead: string): Promise<readonly string[]> {
  const record = readJson(
    BeadExecution,
    (await newestArtifact(io, `bead_execution:${bead}`))?.content,
  )?.devRecord;
  if (!record) return [];
  return [
    ...record.decisions.map((decision) => `- Decided: ${decision}`),
    ...record.notes_for_reviewer.map((note) => `- Noted for reviewers: ${note}`),
  ];
}
