import { stringify } from 'yaml';
import * as z from 'zod';
import {
  SetupPlan,
  SetupPlanDraft,
  type SetupResult,
  setupPlanDocument,
} from '../../domain/documents/setupPlan.ts';
import type { SetupReuse } from '../../domain/documents/setupReuse.ts';
import { LoopRequest } from '../../domain/ticket/loop.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { StepIo } from '../../engine/run/run.ts';
import { lastApprovedSetup } from '../shared/approvedSetup.ts';
import { artifactChange, newestArtifact, readJson } from '../shared/ticket/artifacts.ts';
import { offersFor } from './offers.ts';
import { reuseSetup } from './reuse.ts';

const failedBefore =
  'The environment could not be prepared by this plan. Add what is missing, or approve it to let an agent prepare it.';
const SetupReport = z.object({ attempts: z.array(z.object({ problem: z.string() })) });
const longestProblem = 2_000;

/**
 * The setup of a loop, without a model (docs/decisions/142-loops.md): the one that was approved last, if it
 * still holds and the person named no commands of their own; else one of just those commands, with the
 * project's checks as they were approved last. It needs no approval. If it was `tried` and didn't prepare the
 * environment, a person decides at the gate.
 */
export async function loopSetup(
  io: StepIo,
  ticket: TicketSnapshot,
  { tried }: { readonly tried: boolean },
): Promise<'reused' | 'ready'> {
  const { setup = [] } = readJson(LoopRequest, (await newestArtifact(io, 'loop_request'))?.content) ?? {};
  if (setup.length === 0 && !tried && (await reuseSetup(io, ticket)).from !== null) return 'reused';
  const last = await lastApprovedSetup(io.ports.store, ticket.id);
  const draft = SetupPlanDraft.parse({
    summary: setup.length === 0 ? 'Nothing is prepared.' : 'The commands that the loop was started with.',
    readiness: {
      status: setup.length === 0 ? 'ready' : 'partial',
      actions_required: setup.length > 0,
      gaps: tried ? [`${failedBefore} ${await lastProblem(io)}`.trim()] : [],
    },
    steps: setup.length === 0 ? [] : [{ id: 'loop-setup', title: 'Prepare the checkout', commands: setup }],
    ...(last
      ? { project_commands: last.plan.project_commands, quality_gate_policy: last.plan.quality_gate_policy }
      : {}),
  });
  const base = {
    schema_version: 1,
    ticket_id: ticket.id,
    artifact: setupPlanDocument.kind,
    status: tried ? 'draft' : 'approved',
  };
  const plan = SetupPlan.parse({ ...base, ...draft, ...(await offersFor(io, ticket, last?.plan)) });
  io.save(artifactChange(ticket, setupPlanDocument.kind, stringify(plan)));
  if (tried) return 'ready';
  const reuse: SetupReuse = {
    schema_version: 1,
    from: null,
    approved_at: '',
    plan_sha256: null,
    reason: why,
    prepared: preparedBy(setup),
  };
  io.save(artifactChange(ticket, 'setup_reuse', reuse));
  return 'reused';
}

/** Returns the reason why the environment could not be prepared, as the engine saw it last. */
async function lastProblem(io: StepIo): Promise<string> {
  const report = readJson(SetupReport, (await newestArtifact(io, 'execution_setup_report'))?.content);
  return report?.attempts.at(-1)?.problem.slice(0, longestProblem) ?? '';
}

const why = 'it is the setup that the loop was started with';

/**
 * The commands as if an agent had reported them: the engine runs them, and proves that a fresh checkout gets
 * ready by them.
 */
function preparedBy(setup: readonly string[]): SetupResult {
  return {
    status: 'ready',
    summary: '',
    bootstrap_commands: [...setup],
    tooling_probe_commands: [],
    environment: { path_prepend: [], variables: {} },
    cautions: [],
    checks: { workspace: 'pass', tooling: 'pass', temp_scope: 'pass', policy: 'pass' },
  };
}
