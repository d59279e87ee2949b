import * as z from 'zod';
import { type Failure, failure } from '../../domain/beads/failure.ts';
import { attemptRef } from '../../domain/core/ids.ts';
import { settingName } from '../../domain/settings/rows.ts';
import { timeoutMs } from '../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { StageInput } from '../../domain/beads/beadStages.ts';
import type { RecordIo, Run, StepIo, StageHandler } from '../../engine/run/run.ts';
import type { Section } from '../../context/sections.ts';
import type { LoopEnd } from '../../domain/beads/passes.ts';
import { ask } from '../shared/ask/ask.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { loopOf, loopSections } from './passes.ts';
import type { Answer, Call } from '../shared/structured/askTypes.ts';
import { BeadReport, parseBeadMarker, reportNonce, wanted } from './bead/beadMarker.ts';
import { startOf } from './bead/proveCandidate.ts';
import { onlyMarkerMissing } from './checkStage.ts';
import { retryHint } from './failure/analyseStage.ts';
import { coderSections, beadSections, beadSlices } from './bead/beadContext.ts';
import { wantsRestart } from './contextInbox.ts';
import { callFailure } from '../shared/ask/callFailure.ts';
import { failedCall, isFailureOf, leftSession } from '../shared/ask/providerError.ts';
import { isWorkStep, prepareSession, workStep } from '../shared/worktree/sessions.ts';
import { resetBead } from './resetBead.ts';

/**
 * Lets the main implementer work on the bead: in a fresh session first, in the same one after failed checks.
 * `done` if the session answered, even without a readable marker; else `failed`.
 */
export const codeStage: StageHandler<'code'> = async (run, ticket, input) => {
  const visit = input.visit + 1;
  const { acknowledged } = input;
  const loop = loopOf(ticket);
  // Asking only for the marker is no pass; without passes all visits of an iteration are one.
  const pass = isMarking(input) || (!loop.hasPasses && input.pass > 0) ? input.pass : input.pass + 1;
  const ended = (end: LoopEnd): LoopEnd | null => (loop.hasPasses ? end : null);
  const failed = (problem: string, why: Failure, interrupted = false) =>
    ({
      exit: 'failed',
      output: {
        visit,
        pass,
        session: input.session,
        marker: null,
        devRecord: null,
        acknowledged,
        problem,
        failure: why,
        interrupted,
        ended: ended(why.cause === 'timed_out' ? 'timed_out' : 'failed'),
      },
    }) as const;
  const whole = timeoutMs(run.limits.perIterationTimeout);
  const seconds = Math.round(whole / 1_000);
  const spent = input.visit === 0 ? 0 : await run.record('spent', z.number(), (io) => agentMs(io, run.runId));
  if (spent >= whole) {
    const limit = `${settingName('perIterationTimeout')} = ${String(seconds)} s`;
    const used = `The agent used up its time for one iteration (${limit}).`;
    const why = failure('timed_out', { seconds }, { limit: 'perIterationTimeout', about: input.problem });
    return failed(`${used} Last problem:\n\n${input.problem}`, why);
  }
  try {
    const { value, session } = await code(run, ticket, { ...input, pass }, whole - spent);
    const { marker, devRecord, unclear } = value;
    // What dictated such a report may also have changed files, so the checks prove nothing.
    if (unclear !== '') return failed(unclear, failure('unclear', { reason: unclear }, { about: unclear }));
    const named = [...new Set([...acknowledged, ...(devRecord?.context_acknowledged ?? [])])];
    const marked = { ...unmarked, marker, devRecord, visit, pass, session };
    return { exit: 'done', output: { ...marked, acknowledged: named, problem: input.problem } };
  } catch (error) {
    if (isFailureOf(error, ['CONTEXT_RESTART'])) return failed(error.message, failure('context_added'), true);
    if (!isFailureOf(error, failedCall)) throw error;
    const left = leftSession(error);
    // The work may still be done: the checks say so.
    if (left) {
      const output = { ...unmarked, visit, pass, session: left, acknowledged, problem: input.problem };
      return { exit: 'done', output };
    }
    const problem = input.problem === '' ? error.message : `${error.message}\n\n${input.problem}`;
    const isInterruption = error.code === 'SESSION_LOST' && error.diagnostics['losses'] === undefined;
    return failed(problem, callFailure(error, run.limits, problem), isInterruption);
  }
};

const unmarked = { marker: null, devRecord: null, failure: null, interrupted: false, ended: null } as const;

function isMarking({ session, problem }: Pick<StageInput<'code'>, 'session' | 'problem'>): boolean {
  return session !== null && problem.startsWith(onlyMarkerMissing);
}

async function agentMs(io: RecordIo, run: string): Promise<number> {
  const asked = (await io.ports.store.steps(run)).filter(({ key }) => isWorkStep(key, ['code']));
  return asked.reduce((sum, step) => sum + step.activeMs, 0);
}

async function code(
  run: Run,
  ticket: TicketSnapshot,
  input: StageInput<'code'>,
  budgetMs: number,
): Promise<Answer<BeadReport>> {
  const { bead, member, context, session, problem, pass, passes, checks } = input;
  const loop = loopOf(ticket);
  // Named after what the session was told last: the same in all prompts of a pass.
  const nonce = reportNonce(run, `pass:${String(pass)}`);
  const told = { name: 'report_nonce', content: nonce } as const;
  const common = {
    key: workStep,
    contextKey: 'coding',
    member,
    state: beadSlices(bead),
    parse: parseBeadMarker({ bead: bead.id, nonce, promise: loop.promise }),
    result: BeadReport,
    activeMs: budgetMs,
    limit: { name: 'perIterationTimeout', ms: timeoutMs(run.limits.perIterationTimeout) },
    bead,
    order: loop.promptOrder,
    endsWhenLost: true,
    restartsOn: wantsRestart,
  } as const satisfies Partial<Call<BeadReport>>;
  if (session && isMarking(input)) {
    // Without tools, so that nothing can change what was proved.
    return ask(run, ticket, {
      ...common,
      prompt: 'structured-repair',
      session,
      order: 'stable',
      inputs: { problem: `${problem} ${wanted(nonce)}`, output: '(see above)' },
    });
  }
  const isEarly = passes.at(-1)?.outcome === 'claimed_early';
  const said: Section = isEarly
    ? { name: 'pass_report', content: problem }
    : { name: 'failing_evidence', content: problem };
  const last = problem === '' ? [] : [said];
  const about = async (io: StepIo): Promise<readonly Section[]> => [
    ...last,
    ...(await loopSections(io, ticket, { run, bead, pass, passes, left: budgetMs })),
    told,
  ];
  // A pivot needs to know what was tried, so it keeps the session.
  const pivots = checks.at(-1)?.pivot === true && !isEarly;
  const ref = attemptRef(ticket.id, bead.id, bead.iteration);
  // In the order of loops the stories stand in the change proposal.
  const stories = loop.promptOrder !== 'seed';
  const whole = async (io: StepIo): Promise<readonly Section[]> => [
    ...(await coderSections(io, ticket, bead)),
    ...(await beadSections(io, ticket, bead, { commit: startOf(bead), stories })),
    { name: 'retry_hint', content: await retryHint(io, ticket, bead) },
    ...(context.length > 0 ? [{ name: 'added_context', content: context.join('\n\n') } as const] : []),
    ...(await about(io)),
  ];
  // A later pass builds on earlier ones, so their work stays when a session is lost.
  const keepWork = async (io: StepIo): Promise<void> => {
    const { worktree } = ticketParts(ticket);
    const message = `${bead.id}, pass ${String(pass)}: interrupted`;
    await io.ports.git.keep(worktree, `${ref}-pass-${String(pass)}`, message);
  };
  if (session && (pivots || !(loop.hasPasses && loop.freshPasses)))
    return ask(run, ticket, {
      ...common,
      prompt: pivots ? 'pivot' : 'coding-continue',
      session,
      sections: about,
      inFreshSession: { prompt: 'coding', sections: whole, beforeFreshSession: keepWork },
    });
  await prepareSession(run, ticket, 'prepare');
  return ask(run, ticket, {
    ...common,
    prompt: 'coding',
    sections: whole,
    beforeFreshSession: async (io) => {
      if (pass > 1) await keepWork(io);
      else
        await resetBead(io, ticket, bead, { ref: `${ref}-interrupted`, limits: run.limits, isFinal: false });
    },
  });
}
