import { stringify } from 'yaml';
import { type SetupProfile, type SetupResult, setupPlanDocument } from '../../domain/documents/setupPlan.ts';
import { decidesBootstrap, holdsScripts } from '../../domain/proof/provingFiles.ts';
import { type SetupBasis, SetupReuse } from '../../domain/documents/setupReuse.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Workplace } from '../../engine/ports/workplacePort.ts';
import type { RecordIo, StepIo } from '../../engine/run/run.ts';
import { type ApprovedSetup, lastApprovedSetup } from '../shared/approvedSetup.ts';
import { artifactChange, storedJson } from '../shared/ticket/artifacts.ts';
import { offersFor } from './offers.ts';
import { isReadinessProbe } from './probes.ts';

/**
 * Takes over the setup that a person approved last in this repository, if it still holds
 * (docs/decisions/104-setups-that-still-hold.md). Stores the plan and its origin, or why a new one is needed.
 */
export async function reuseSetup(io: StepIo, ticket: TicketSnapshot): Promise<SetupReuse> {
  const last = await lastApprovedSetup(io.ports.store, ticket.id);
  const reason = last ? await whyNot(io, ticket, last) : 'no setup was approved in this repository yet';
  const reuse: SetupReuse = {
    schema_version: 1,
    from: reason === '' ? (last?.ticket ?? null) : null,
    approved_at: last?.receipt.approved_at ?? '',
    plan_sha256: last?.planHash ?? null,
    reason,
    ...(last && reason === '' ? { prepared: preparedBy(last.profile) } : {}),
  };
  if (last && reason === '') {
    const plan = stringify({ ...last.plan, ticket_id: ticket.id });
    io.save(artifactChange(ticket, setupPlanDocument.kind, plan));
  }
  io.save(artifactChange(ticket, 'setup_reuse', reuse));
  return reuse;
}

export async function reusedSetup(io: RecordIo): Promise<SetupReuse['prepared']> {
  return (await storedJson(io, 'setup_reuse', SetupReuse))?.prepared;
}

/** Facts that a proved setup rests on beside the repository's files. */
export async function setupBasis(workplace: Pick<Workplace, 'facts'>, commit: string): Promise<SetupBasis> {
  const { system, tools } = await workplace.facts();
  return { schema_version: 1, commit, system, tools: tools.map(({ name, version }) => ({ name, version })) };
}

async function whyNot(
  io: StepIo,
  ticket: TicketSnapshot,
  { plan, profile, basis, receipt }: ApprovedSetup,
): Promise<string> {
  const { git, workplace } = io.ports;
  const { baseCommit } = ticket;
  if (receipt.with_gaps.length > 0) return 'the last one was approved with gaps';
  if (!basis || baseCommit === null) return 'nobody noted what the last one rests on';
  const now = await setupBasis(workplace, baseCommit);
  if (now.system !== basis.system) return `the system is ${now.system}, and was ${basis.system}`;
  const versions = new Map(now.tools.map(({ name, version }) => [name, version]));
  const before = new Map(basis.tools.map(({ name, version }) => [name, version]));
  const other = [...new Set([...versions.keys(), ...before.keys()])].find((name) =>
    differs(versions.get(name), before.get(name)),
  );
  if (other !== undefined)
    return `${other} is ${versions.get(other) ?? 'gone'}, and was ${before.get(other) ?? 'not there'}`;
  const commands = [...profile.bootstrap_commands, ...Object.values(plan.project_commands).flat()];
  if ((await git.resolve(basis.commit)) === undefined) return 'the commit that it was proved on is gone';
  const changed = (await git.compare(basis.commit, baseCommit))
    .flatMap(({ path, oldPath }) => [path, oldPath])
    .find((path) => path !== null && (decidesBootstrap(path, commands) || holdsScripts(path)));
  if (typeof changed === 'string') return `${changed} changed since`;
  const offered = await offersFor(io, ticket, plan);
  const named = (['inputs', 'variables', 'hooks'] as const).find(
    (kind) => offered[kind].length !== plan[kind].length,
  );
  return named === undefined ? '' : `there are ${named} that nobody decided on`;
}

/** A tool that didn't say its version in time may be the same. */
function differs(now: string | undefined, before: string | undefined): boolean {
  return now !== before && now !== '' && before !== '';
}

/** Leaves out the engine's own probes, which belong to the beads of their ticket. */
function preparedBy(profile: SetupProfile): SetupResult {
  const { summary, bootstrap_commands, environment, cautions } = profile;
  const probes = profile.tooling_probe_commands.filter((command) => !isReadinessProbe(command));
  return readyResult({
    summary,
    bootstrap_commands,
    tooling_probe_commands: probes,
    environment,
    cautions,
  });
}

export function readyResult(found: Partial<SetupResult>): SetupResult {
  return {
    status: 'ready',
    summary: '',
    bootstrap_commands: [],
    tooling_probe_commands: [],
    environment: { path_prepend: [], variables: {} },
    cautions: [],
    checks: { workspace: 'pass', tooling: 'pass', temp_scope: 'pass', policy: 'pass' },
    ...found,
  };
}
