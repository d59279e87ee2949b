import * as z from 'zod';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { CallRow, SessionRow } from '../../../engine/ports/storePort.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { writeRuntime } from './runtime.ts';

/**
 * Before an agent may edit: writes the runtime's files. The list is empty; earlier versions of the handlers
 * recorded one.
 */
export function prepareSession(run: Run, ticket: TicketSnapshot, key: string): Promise<string[]> {
  return run.step(key, z.array(z.string()), async (io) => {
    await writeRuntime(io, ticket);
    return [];
  });
}

/**
 * The remains of an attempt's calls: its last session, if it can still be asked, and what went wrong in it.
 */
export const CallTrace = z.object({
  session: z.object({ id: z.string(), directory: z.string(), prompts: z.number().int() }).nullable(),
  failedTools: z.array(z.string()),
  lastOutput: z.string(),
});
export type CallTrace = z.infer<typeof CallTrace>;

/**
 * The steps by which a reviewer is asked, votes on findings, or talks about a bead before it is coded. Their
 * sessions are none of those that worked.
 */
export const reviewStep = 'review';
/** The step by which an analyst of a failure is asked. */
export const analyseStep = 'analyse';
export const voteStep = 'vote';
export const kickoffStep = 'kickoff';
/** The step by which a finished ticket is looked back at. */
export const lookBackStep = 'look-back';
const apart: readonly string[] = [analyseStep, voteStep, kickoffStep, lookBackStep];

/**
 * Returns true if a step asks someone who judges or advises: a reviewer's step is `reviewStep`, or starts
 * with it and a colon.
 */
function isApart(step: string): boolean {
  return step === reviewStep || step.startsWith(`${reviewStep}:`) || apart.includes(step);
}

/**
 * The failed tools and the characters of output that a note is made from, at most
 * (docs/decisions/029-iterations-and-reset.md).
 */
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
  const output = reply
    ? reply.ok
      ? reply.text
      : reply.partial
    : lastOutputOf(await store.calls(io.ticket), last.id);
  return {
    session: open === undefined ? null : { id: last.id, directory: last.directory, prompts: open },
    failedTools: (reply?.tools ?? [])
      .filter((tool) => tool.status === 'error')
      .slice(-mostTools)
      .map((tool) => `${tool.tool} ${tool.title}: ${tool.excerpt}`),
    lastOutput: output.slice(-longestOutput),
  };
}

function lastOutputOf(calls: readonly CallRow[], session: string): string {
  return calls.findLast((call) => call.session === session)?.output ?? '';
}
