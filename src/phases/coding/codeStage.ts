import * as z from 'zod';
import { BeadStatusMarker, DevRecord } from '../../domain/beads/bead.ts';
import { attemptRef } from '../../domain/ids.ts';
import { timeoutMs } from '../../domain/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Run, StageHandler } from '../../engine/run/run.ts';
import { ask } from '../shared/ask/ask.ts';
import type { Answer, Question } from '../shared/ask/askTypes.ts';
import { parseBeadMarker } from './beadMarker.ts';
import { activeMs } from '../shared/commands.ts';
import { beadPrompt } from './changeBead.ts';
import { failedCall, isFailureOf } from '../shared/ask/providerError.ts';
import { IterationInput, type IterationState, iterationStateOf } from './iteration.ts';
import { prepareSession } from '../shared/sessions.ts';
import { resetBead } from './resetBead.ts';
import { ticketParts } from '../shared/ask/ticketParts.ts';
import { toJson } from '../shared/artifacts.ts';

const Outcome = z.object({ marker: BeadStatusMarker, devRecord: DevRecord.nullable() });
type Outcome = z.infer<typeof Outcome>;

/**
 * Lets the main implementer work on the bead: in a fresh session the first time, in the same one after checks that failed. Ends `done` when the
 * session gave a valid marker, whatever it says, and `failed` when it gave none, ran out of time, or was lost.
 */
export const codeStage: StageHandler = async (run, ticket, input, before) => {
  const work = IterationInput.parse(input);
  const state = iterationStateOf(before);
  const failed = (problem: string, interrupted = false) => ({
    exit: 'failed',
    result: toJson({ ...state, visit: state.visit + 1, evidence: [], tree: null, problem, interrupted }),
  });
  const whole = timeoutMs(run.limits.perIterationTimeout);
  const spent = state.visit === 0 ? 0 : await run.record('spent', z.number(), (io) => activeMs(io, run.runId));
  if (spent >= whole) return failed(`The iteration's ${Math.round(whole / 1_000)} s are used up. Last problem:\n\n${state.problem}`);
  try {
    const answer = await code(run, ticket, work, state, whole - spent);
    const next: IterationState = { ...state, ...answer.value, visit: state.visit + 1, session: answer.session, evidence: [], tree: null };
    return { exit: 'done', result: toJson(next) };
  } catch (error) {
    if (!isFailureOf(error, failedCall)) throw error;
    return failed(state.problem === '' ? error.message : `${error.message}\n\n${state.problem}`, error.code === 'SESSION_LOST');
  }
};

async function code(
  run: Run,
  ticket: TicketSnapshot,
  { bead, context }: IterationInput,
  state: IterationState,
  budgetMs: number,
): Promise<Answer<Outcome>> {
  const { settings } = ticketParts(ticket);
  const common = {
    key: 'ask',
    contextKey: 'coding',
    member: settings.mainImplementer,
    state: beadPrompt(bead),
    parse: parseBeadMarker(bead.id),
    result: Outcome,
    activeMs: budgetMs,
    bead: { id: bead.id, iteration: bead.iteration },
  } as const satisfies Partial<Question<Outcome>>;
  if (state.session) {
    return ask(run, ticket, {
      ...common,
      prompt: 'coding-continue',
      session: state.session,
      sections: [{ name: 'failing_evidence', content: state.problem }],
    });
  }
  await prepareSession(run, ticket, 'prepare');
  return ask(run, ticket, {
    ...common,
    prompt: 'coding',
    sections: context.length > 0 ? [{ name: 'user_context', content: context.join('\n\n') }] : [],
    beforeFreshSession: (io) => resetBead(io, ticket, bead, `${attemptRef(ticket.id, bead.id, bead.iteration)}-interrupted`),
  });
}
