import * as z from 'zod';
import { type BeadStage, stageOfStep } from '../../../domain/beads/beadStages.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { SessionRow } from '../../../engine/ports/storePort.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { OpenSession } from '../structured/askTypes.ts';
import { writeRuntime } from './runtime.ts';

/** The empty list is for earlier versions' records. */
export function prepareSession(run: Run, ticket: TicketSnapshot, key: string): Promise<string[]> {
  return run.step(key, z.array(z.string()), async (io) => {
    await writeRuntime(io, ticket);
    return [];
  });
}

export const CallTrace = z.object({
  session: OpenSession.nullable(),
  failedTools: z.array(z.string()),
  lastOutput: z.string(),
});
export type CallTrace = z.infer<typeof CallTrace>;

/** The step of `code` and `fix` whose session works on the bead. */
export const workStep = 'ask';

/** Returns true for the key of such a step in one of `stages`. */
export function isWorkStep(key: string, stages: readonly BeadStage[]): boolean {
  const { stage, step } = stageOfStep(key) ?? {};
  return step === workStep && stages.some((one) => one === stage);
}

/** Steps whose sessions did no work. */
export const reviewStep = 'review';
export const analyseStep = 'analyse';
export const voteStep = 'vote';
export const kickoffStep = 'kickoff';
export const lookBackStep = 'look-back';
const apart: readonly string[] = [analyseStep, voteStep, kickoffStep, lookBackStep];

/** `review:` starts a reviewer's step, too. */
function isApart(step: string): boolean {
  return step === reviewStep || step.startsWith(`${reviewStep}:`) || apart.includes(step);
}

const mostTools = 5;
const longestOutput = 2_000;

/**
 * Stops every session of an attempt, so that nothing changes the worktree any more. One that only reviewed or
 * talked is never asked for a note.
 */
export async function endSessions(io: StepIo, belongs: (session: SessionRow) => boolean): Promise<CallTrace> {
  const { store, agent } = io.ports;
  const sessions = (await store.sessions(io.ticket)).filter(belongs);
  for (const session of sessions) {
    if ((await agent.look(session)).state === 'busy') await agent.abort(session);
    if (session.state === 'active') io.save({ type: 'session.state', id: session.id, state: 'abandoned' });
  }
  const last = sessions.findLast(({ step }) => !isApart(step));
  if (!last) return { session: null, failedTools: [], lastOutput: '' };
  const look = await agent.look(last);
  const open = look.state === 'answered' || look.state === 'orphaned' ? look.prompts : undefined;
  const reply = look.state === 'answered' ? look.reply : undefined;
  const calls = reply ? [] : await store.calls(io.ticket);
  const output = reply
    ? reply.ok
      ? reply.text
      : reply.partial
    : (calls.findLast((call) => call.session === last.id)?.output ?? '');
  return {
    session: open === undefined ? null : { id: last.id, directory: last.directory, prompts: open },
    failedTools: (reply?.tools ?? [])
      .filter((tool) => tool.status === 'error')
      .slice(-mostTools)
      .map((tool) => `${tool.tool} ${tool.title}: ${tool.excerpt}`),
    lastOutput: output.slice(-longestOutput),
  };
}
