import * as z from 'zod';
import { Bead } from '../../domain/bead.ts';
import { getNextBead, isAllComplete } from '../../domain/scheduler.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Run } from '../../engine/run.ts';
import { changeBead } from './changeBead.ts';
import { isoNow } from './isoNow.ts';
import { ticketParts } from './ticketParts.ts';

export const Selection = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('bead'), bead: Bead }),
  z.object({ kind: z.literal('complete') }),
  z.object({ kind: z.literal('deadlock'), waiting: z.array(z.string()) }),
]);
export type Selection = z.infer<typeof Selection>;

/** Picks the next bead by the scheduler's rules and marks it in progress, with the commit it can be taken back to. */
export function selectBead(run: Run, ticket: TicketSnapshot, key: string): Promise<Selection> {
  const { worktree } = ticketParts(ticket);
  return run.step(key, Selection, async (io): Promise<Selection> => {
    const beads = await io.ports.store.beads(ticket.id);
    if (isAllComplete(beads)) return { kind: 'complete' };
    const next = getNextBead(beads);
    if (!next) return { kind: 'deadlock', waiting: beads.filter(({ status }) => status !== 'done').map(({ id }) => id) };
    const now = isoNow(io);
    const head = await io.ports.git.head(worktree);
    const bead = await changeBead(io, next.id, () => ({
      status: 'in_progress',
      startedAt: next.startedAt === '' ? now : next.startedAt,
      updatedAt: now,
      beadStartCommit: head,
    }));
    return { kind: 'bead', bead };
  });
}
