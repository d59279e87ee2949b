import { stringify } from 'yaml';
import * as z from 'zod';
import { SetupPlan, SetupPlanDraft, setupPlanDocument } from '../../domain/documents/setupPlan.ts';
import type { SetupReuse } from '../../domain/documents/setupReuse.ts';
import { LoopRequest, loopBead, needsProjectChecks } from '../../domain/ticket/loop.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { StepIo, HandlerDefinition } from '../../engine/run/run.ts';
import { lastApprovedSetup, approvedChecks } from '../shared/approvedSetup.ts';
import { artifactChange, isoNow, newestJson, storedJson } from '../shared/ticket/artifacts.ts';
import { offersFor } from './offers.ts';
import { readyResult, reuseSetup } from './reuse.ts';
import { planHash } from '../../domain/beads/beadPlan.ts';
import { beadsDocument } from '../../domain/documents/beads.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { savePolicyReceipt } from '../shared/ticket/receipts.ts';
import { saveBeads } from '../shared/ticket/saveBeads.ts';

const failedBefore =
  'The environment could not be prepared by this plan. Add what is missing, or approve it to let an agent prepare it.';
const SetupReport = z.object({ attempts: z.array(z.object({ problem: z.string() })) });
const longestProblem = 2_000;

/**
 * The setup of a loop, without a model or an approval (docs/decisions/142-loops.md): the one that was
 * approved last, or the person's own commands. If it was `tried` and failed, a person decides at the gate.
 */
export async function loopSetup(
  io: StepIo,
  ticket: TicketSnapshot,
  { tried }: { readonly tried: boolean },
): Promise<'reused' | 'ready'> {
  const { setup = [] } = (await newestJson(io, 'loop_request', LoopRequest)) ?? {};
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
    ...(last ? { project_commands: last.plan.project_commands } : {}),
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
    // As if an agent had reported them: the engine runs and proves them.
    prepared: readyResult({ bootstrap_commands: [...setup] }),
  };
  io.save(artifactChange(ticket, 'setup_reuse', reuse));
  return 'reused';
}

async function lastProblem(io: StepIo): Promise<string> {
  const report = await newestJson(io, 'execution_setup_report', SetupReport);
  return report?.attempts.at(-1)?.problem.slice(0, longestProblem) ?? '';
}

const why = 'it is the setup that the loop was started with';

/**
 * PREPARING_LOOP: makes the one bead of a loop, which its start approved (docs/decisions/142-loops.md).
 * Throws LOOP_UNPROVED if no command could prove it and nobody said why.
 */
export const prepareLoop: HandlerDefinition<'ready'> = {
  version: 1,
  run: async (run, ticket) => {
    await run.record('bead', z.null(), async (io) => {
      const { store } = io.ports;
      const request = await storedJson(io, 'loop_request', LoopRequest);
      if (!request)
        throw new BeadsmithError('UNEXPECTED', { reason: 'what the loop was started with is missing' });
      const needsChecks = needsProjectChecks(request);
      const tests = needsChecks ? [...(await approvedChecks(store, ticket.id))] : request.tests;
      if (needsChecks && tests.length === 0) throw new BeadsmithError('LOOP_UNPROVED');
      const beads = [loopBead(ticket, { tests, noTests: request.noTests }, isoNow(io))];
      saveBeads(io, beads, { status: ticket.status, attempt: ticket.attempt });
      const hash = planHash(beads);
      const hashes = { content_sha256: hash, stored_content_sha256: hash };
      savePolicyReceipt(io, ticket, 'loop', { artifact: beadsDocument.kind, ...hashes });
      return null;
    });
    return { exit: 'ready' };
  },
};
