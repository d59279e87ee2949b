import * as z from 'zod';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Run } from '../../engine/run.ts';
import { ticketParts } from './ticketParts.ts';
import { writeRuntime } from './writeRuntime.ts';

/** Before an agent may edit: takes away what an earlier agent left to configure this one, and puts the runtime's files in place. Answers what was removed. */
export function prepareSession(run: Run, ticket: TicketSnapshot, key: string): Promise<string[]> {
  const { worktree } = ticketParts(ticket);
  return run.step(key, z.array(z.string()), async (io) => {
    const removed = await io.ports.git.sweepAgentConfig(worktree);
    await writeRuntime(io, ticket);
    return [...removed];
  });
}
