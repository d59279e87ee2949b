import { parse, stringify } from 'yaml';
import * as z from 'zod';
import { SetupPlan, SetupPlanDraft, setupPlanDocument } from '../../domain/documents/setupPlan.ts';
import { SetupReuse } from '../../domain/documents/setupReuse.ts';
import { BeadsmithError, type ErrorCode } from '../../domain/core/errors.ts';
import { timeoutMs } from '../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { HandlerDefinition } from '../../engine/run/run.ts';
import { artifactChange, newestArtifact, readNotes } from '../shared/ticket/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import type { Question } from '../shared/structured/askTypes.ts';
import { takeUserContext, ticketParts } from '../shared/ticket/ticketParts.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import { loopSetup } from './loopSetup.ts';
import { offersFor } from './offers.ts';
import { reuseSetup } from './reuse.ts';

/**
 * Drafts the setup plan that a person approves next (docs/decisions/027-execution-setup.md); after
 * `regenerate`, from the previous plan and the person's note. A quick ticket takes over the last approved
 * one, if that still holds (docs/decisions/104-setups-that-still-hold.md); a loop needs no model for its own
 * (docs/decisions/142-loops.md).
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
      return {
        exit: await run.step('loop', z.enum(['reused', 'ready']), (io) => loopSetup(io, ticket, { tried })),
      };
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
    const question: Question<SetupPlanDraft> = {
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
      accept: async (io, draft) => {
        const before = SetupPlan.safeParse(
          parse((await newestArtifact(io, setupPlanDocument.kind))?.content ?? ''),
        ).data;
        const plan = { ...completePlan(ticket, draft), ...(await offersFor(io, ticket, before)) };
        io.save(artifactChange(ticket, setupPlanDocument.kind, stringify(plan)));
      },
    };
    try {
      await ask(run, ticket, question);
    } catch (error) {
      if (!(error instanceof BeadsmithError) || !undraftable.includes(error.code)) throw error;
      const { message } = error;
      await run.step('without-draft', z.null(), async (io) => {
        const before = SetupPlan.safeParse(
          parse((await newestArtifact(io, setupPlanDocument.kind))?.content ?? ''),
        ).data;
        const plan = {
          ...withoutDraft(ticket, again ? before : undefined, message),
          ...(await offersFor(io, ticket, before)),
        };
        io.save(artifactChange(ticket, setupPlanDocument.kind, stringify(plan)));
        return null;
      });
    }
    return { exit: 'ready' };
  },
};

/**
 * Failures that a person can make up for at the gate: the model answered, and nothing of it could be used.
 */
const undraftable: readonly ErrorCode[] = ['RESPONSE_INVALID', 'OUTPUT_TRUNCATED'];

/**
 * The plan that reaches the gate without a usable draft: the one before, or an empty one; its gap says what
 * was wrong.
 */
function withoutDraft(ticket: TicketSnapshot, before: SetupPlan | undefined, problem: string): SetupPlan {
  const gap = `No model drafted this plan: ${problem}`;
  const empty = {
    readiness: { status: 'missing' as const, actions_required: false, evidence: [], gaps: [] },
  };
  const plan = before ?? completePlan(ticket, SetupPlanDraft.parse(empty));
  return { ...plan, status: 'draft', readiness: { ...plan.readiness, gaps: [gap, ...plan.readiness.gaps] } };
}

/** Fills in what a draft may leave out: step ids, and title and rationale from the purpose. */
function completePlan(ticket: TicketSnapshot, draft: SetupPlanDraft): SetupPlan {
  const steps = draft.steps.map((step, index) => {
    const id = step.id || `setup-step-${index + 1}`;
    return {
      ...step,
      id,
      title: step.title || step.purpose || id,
      rationale: step.rationale || step.purpose,
    };
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
