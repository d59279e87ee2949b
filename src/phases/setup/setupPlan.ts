import { parse, stringify } from 'yaml';
import * as z from 'zod';
import { SetupPlan, SetupPlanDraft, setupPlanDocument } from '../../domain/documents/setupPlan.ts';
import { isNothingNew, SetupReuse } from '../../domain/documents/setupReuse.ts';
import { BeadsmithError, type ErrorCode } from '../../domain/core/errors.ts';
import { timeoutMs } from '../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { HandlerDefinition, StepIo } from '../../engine/run/run.ts';
import { lastApprovedSetup } from '../shared/approvedSetup.ts';
import { artifactChange, newestArtifact, newestJson, readNotes } from '../shared/ticket/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import type { Call } from '../shared/structured/askTypes.ts';
import { takeUserContext, ticketParts } from '../shared/ticket/ticketParts.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import { loopSetup } from './loopSetup.ts';
import { offersFor } from './offers.ts';
import { reuseSetup } from './reuse.ts';
import { artifactDocument, type GateDocument } from '../shared/coverage/gateDocument.ts';

/**
 * Drafts the setup plan for its gate (docs/decisions/027-execution-setup.md). A quick ticket takes over the
 * last approved one, if that still holds (docs/decisions/104-setups-that-still-hold.md); a loop needs no
 * model (docs/decisions/142-loops.md).
 */
export const setupPlan: HandlerDefinition<'ready' | 'reused'> = {
  version: 1,
  run: async (run, ticket) => {
    const { settings } = ticketParts(ticket);
    if (settings.depth === 'quick' && ticket.entry.by === 'passed') {
      const { from } = await run.step('reuse', SetupReuse, (io) => reuseSetup(io, ticket));
      if (from !== null) return { exit: 'reused' };
    }
    if (settings.depth === 'loop' && ticket.entry.by !== 'regenerate') {
      const tried = ticket.entry.by === 'stale';
      const Exit = z.enum(['reused', 'ready']);
      return { exit: await run.step('loop', Exit, (io) => loopSetup(io, ticket, { tried })) };
    }
    const again = ticket.entry.by === 'regenerate';
    const former = again
      ? await run.step('former', z.object({ plan: z.string(), notes: z.array(z.string()) }), async (io) => ({
          plan: (await newestArtifact(io, setupPlanDocument.kind))?.content ?? '',
          notes: readNotes((await newestArtifact(io, 'execution_setup_plan_notes'))?.content),
        }))
      : undefined;
    const note = former?.notes.at(-1);
    const told = await takeUserContext(run, ticket);
    const call: Call<SetupPlanDraft> = {
      key: 'plan',
      contextKey: again ? 'execution_setup_plan_regenerate' : 'execution_setup_plan',
      prompt: again ? 'setup-plan-regenerate' : 'setup-plan',
      member: settings.mainImplementer,
      ...(former
        ? { state: { executionSetupPlan: former.plan, executionSetupPlanNotes: former.notes } }
        : {}),
      sections: note === undefined ? told : [...told, { name: 'user_note', content: note }],
      parse: parseStructured({ tag: 'EXECUTION_SETUP_PLAN', schema: SetupPlanDraft }),
      result: SetupPlanDraft,
      activeMs: timeoutMs(run.limits.councilResponseTimeout),
      accept: (io, draft) => savePlan(io, ticket, () => completePlan(ticket, draft)),
    };
    try {
      await ask(run, ticket, call);
    } catch (error) {
      if (!(error instanceof BeadsmithError) || !undraftable.includes(error.code)) throw error;
      const { message } = error;
      await run.step('without-draft', z.null(), async (io) => {
        await savePlan(io, ticket, (before) => withoutDraft(ticket, again ? before : undefined, message));
        return null;
      });
    }
    return { exit: 'ready' };
  },
};

/** A person can make up for these at the gate: the model answered, and nothing of it could be used. */
const undraftable: readonly ErrorCode[] = ['RESPONSE_INVALID', 'OUTPUT_TRUNCATED'];

/** Stores a plan with what it offers; decisions of the plan before stay. */
async function savePlan(
  io: StepIo,
  ticket: TicketSnapshot,
  planOf: (before: SetupPlan | undefined) => SetupPlan,
): Promise<void> {
  const stored = await newestArtifact(io, setupPlanDocument.kind);
  const before = SetupPlan.safeParse(parse(stored?.content ?? '')).data;
  const plan = { ...planOf(before), ...(await offersFor(io, ticket, before)) };
  io.save(artifactChange(ticket, setupPlanDocument.kind, stringify(plan)));
}

/** The plan before, or an empty one, with the problem in it. */
function withoutDraft(ticket: TicketSnapshot, before: SetupPlan | undefined, problem: string): SetupPlan {
  const gap = `No model drafted this plan: ${problem}`;
  const readiness = { status: 'missing', actions_required: false, evidence: [], gaps: [] };
  const plan = before ?? completePlan(ticket, SetupPlanDraft.parse({ readiness }));
  return { ...plan, status: 'draft', readiness: { ...plan.readiness, gaps: [gap, ...plan.readiness.gaps] } };
}

function completePlan(ticket: TicketSnapshot, draft: SetupPlanDraft): SetupPlan {
  const steps = draft.steps.map((step, index) => {
    const id = step.id || `setup-step-${index + 1}`;
    const title = step.title || step.purpose || id;
    return { ...step, id, title, rationale: step.rationale || step.purpose };
  });
  return SetupPlan.parse({
    schema_version: 1,
    ticket_id: ticket.id,
    artifact: setupPlanDocument.kind,
    status: 'draft',
    ...draft,
    steps,
  });
}

/** Files the notes of every regeneration, because the next draft is told of all of them. */
export const setupGate: GateDocument<SetupPlan> = {
  ...artifactDocument(setupPlanDocument.kind),
  keepNote: async (io, ticket, note) => {
    if (note.trim() === '') return;
    const notes = readNotes((await newestArtifact(io, 'execution_setup_plan_notes'))?.content);
    io.save(artifactChange(ticket, 'execution_setup_plan_notes', [...notes, note.trim()]));
  },
  // A setup that was taken over is only planned again where it failed.
  rule: async (io, plan) => {
    const approved = await lastApprovedSetup(io.ports.store, io.ticket);
    if (!approved || approved.receipt.with_gaps.length > 0) return undefined;
    if ((await newestJson(io, 'setup_reuse', SetupReuse))?.from) return undefined;
    return isNothingNew(plan, approved.plan) ? 'setup_ready' : undefined;
  },
};
