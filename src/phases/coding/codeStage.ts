import * as z from 'zod';
import { BeadStatusMarker, DevRecord } from '../../domain/beads/bead.ts';
import { type Failure, failure } from '../../domain/beads/failure.ts';
import { attemptRef } from '../../domain/ids.ts';
import type { BeadsmithError } from '../../domain/errors.ts';
import { limitSettings } from '../../domain/limits.ts';
import { timeoutMs } from '../../domain/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { StageInput } from '../../domain/workflow/beadStages.ts';
import type { RecordIo, Run } from '../../engine/run/run.ts';
import type { StageHandler } from '../../engine/run/stage.ts';
import { ask } from '../shared/ask/ask.ts';
import type { Answer, OpenSession, Question } from '../shared/ask/askTypes.ts';
import { parseBeadMarker } from './beadMarker.ts';
import { beadPrompt } from './changeBead.ts';
import { onlyMarkerMissing } from './checkStage.ts';
import { retryHint } from './failure/analysis.ts';
import { coderSections } from './coderContext.ts';
import { callFailure } from '../shared/ask/callFailure.ts';
import { failedCall, isFailureOf } from '../shared/ask/providerError.ts';
import { prepareSession } from '../shared/sessions.ts';
import { resetBead } from './resetBead.ts';

const Outcome = z.object({ marker: BeadStatusMarker, devRecord: DevRecord.nullable() });
type Outcome = z.infer<typeof Outcome>;

/**
 * Lets the main implementer work on the bead: in a fresh session the first time, in the same one after checks that failed. Where only
 * the marker is missing, only that is asked for. Ends `done` when the session answered, with a valid marker, whatever it says, or without one that can be
 * read; and `failed` when it ran out of time, was lost, or ended otherwise.
 */
export const codeStage: StageHandler<'code'> = async (run, ticket, input) => {
  const visit = input.visit + 1;
  const failed = (problem: string, why: Failure, interrupted = false) =>
    ({
      exit: 'failed',
      output: { visit, session: input.session, marker: null, devRecord: null, problem, failure: why, interrupted },
    }) as const;
  const whole = timeoutMs(run.limits.perIterationTimeout);
  const timedOut = (): Failure =>
    failure('timed_out', { seconds: Math.round(whole / 1_000) }, { limit: 'perIterationTimeout', about: input.problem });
  const spent = input.visit === 0 ? 0 : await run.record('spent', z.number(), (io) => agentMs(io, run.runId));
  if (spent >= whole) {
    const limit = `${limitSettings.perIterationTimeout} = ${String(Math.round(whole / 1_000))} s`;
    return failed(`The agent used up its time for one iteration (${limit}). Last problem:\n\n${input.problem}`, timedOut());
  }
  try {
    const { value, session } = await code(run, ticket, input, whole - spent);
    return { exit: 'done', output: { ...value, visit, session, problem: input.problem, failure: null, interrupted: false } };
  } catch (error) {
    if (!isFailureOf(error, failedCall)) throw error;
    const left = sessionOf(error);
    // The work may be done all the same: the checks say so.
    if (left) return { exit: 'done', output: { ...unmarked, visit, session: left, problem: input.problem } };
    const problem = input.problem === '' ? error.message : `${error.message}\n\n${input.problem}`;
    const isInterruption = error.code === 'SESSION_LOST' && error.diagnostics['losses'] === undefined;
    return failed(problem, callFailure(error, run.limits, problem), isInterruption);
  }
};

const unmarked = { marker: null, devRecord: null, failure: null, interrupted: false } as const;
const LeftSession = z.object({ session: z.string(), directory: z.string(), prompts: z.number().int() });

/** The session that answered, and gave no marker that can be read. It still has all it knows. */
function sessionOf({ code, diagnostics }: BeadsmithError): OpenSession | undefined {
  const { data } = LeftSession.safeParse(diagnostics);
  return code !== 'RESPONSE_INVALID' || !data ? undefined : { id: data.session, directory: data.directory, prompts: data.prompts };
}

/** The active milliseconds of an iteration in which the agent worked. What the engine ran meanwhile has limits of its own. */
async function agentMs(io: RecordIo, run: string): Promise<number> {
  const asked = (await io.ports.store.steps(run)).filter(({ key }) => /^code:\d+\/ask$/.test(key));
  return asked.reduce((sum, step) => sum + step.activeMs, 0);
}

async function code(
  run: Run,
  ticket: TicketSnapshot,
  { bead, member, context, session, problem, checks }: StageInput<'code'>,
  budgetMs: number,
): Promise<Answer<Outcome>> {
  const common = {
    key: 'ask',
    contextKey: 'coding',
    member,
    state: beadPrompt(bead),
    parse: parseBeadMarker(bead.id),
    result: Outcome,
    activeMs: budgetMs,
    limit: { name: 'perIterationTimeout', ms: timeoutMs(run.limits.perIterationTimeout) },
    bead: { id: bead.id, iteration: bead.iteration },
    endsWhenLost: true,
  } as const satisfies Partial<Question<Outcome>>;
  if (session && problem.startsWith(onlyMarkerMissing)) {
    // Without tools, so that nothing can change what was proved.
    return ask(run, ticket, { ...common, prompt: 'structured-repair', session, inputs: { problem, output: '(see above)' } });
  }
  if (session) {
    const sections = [{ name: 'failing_evidence', content: problem }] as const;
    return ask(run, ticket, { ...common, prompt: checks.at(-1)?.pivot ? 'pivot' : 'coding-continue', session, sections });
  }
  await prepareSession(run, ticket, 'prepare');
  return ask(run, ticket, {
    ...common,
    prompt: 'coding',
    sections: async (io) => [
      ...(await coderSections(io, ticket, bead)),
      { name: 'retry_hint', content: await retryHint(io, ticket, bead) },
      ...(context.length > 0 ? [{ name: 'user_context', content: context.join('\n\n') } as const] : []),
    ],
    beforeFreshSession: (io) =>
      resetBead(io, ticket, bead, {
        ref: `${attemptRef(ticket.id, bead.id, bead.iteration)}-interrupted`,
        limits: run.limits,
        isFinal: false,
      }),
  });
}
