import * as z from 'zod';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { SessionRow } from '../../../engine/ports/storePort.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { writeRuntime } from './runtime.ts';

/** Writes the runtime's files before an agent edits. The empty list is for earlier versions' records. */
export function prepareSession(run: Run, ticket: TicketSnapshot, key: string): Promise<string[]> {
  return run.step(key, z.array(z.string()), async (io) => {
    await writeRuntime(io, ticket);
    return [];
  });
}

/** The remains of an attempt's calls: its last session, if it can be asked, and what went wrong. */
export const CallTrace = z.object({
  session: z.object({ id: z.string(), directory: z.string(), prompts: z.number().int() }).nullable(),
  failedTools: z.array(z.string()),
  lastOutput: z.string(),
});
export type CallTrace = z.infer<typeof CallTrace>;

/** Steps that ask a reviewer, vote on findings or talk about a bead: their sessions did no work. */
export const reviewStep = 'review';
export const analyseStep = 'analyse';
export const voteStep = 'vote';
export const kickoffStep = 'kickoff';
/** The step by which a finished ticket is looked back at. */
export const lookBackStep = 'look-back';
const apart: readonly string[] = [analyseStep, voteStep, kickoffStep, lookBackStep];

/** True if a step asks someone who judges or advises; `review:` starts a reviewer's step, too. */
function isApart(step: string): boolean {
  return step === reviewStep || step.startsWith(`${reviewStep}:`) || apart.includes(step);
}

/** Failed tools and characters of output in a note (docs/decisions/029-iterations-and-reset.md), at most. */
const mostTools = 5;
const longestOutput = 2_000;

/**
 * Stops every session of an attempt, so that nothing changes the worktree any more, and returns what a note
 * needs. `belongs` selects the sessions; one that only reviewed or talked is never asked for a note.
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
