import { Bead } from '../../domain/bead.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Run } from '../../engine/run.ts';
import { changeBead } from './changeBead.ts';
import { isoNow } from './isoNow.ts';

/** Marks a finalized bead as done and closes its sessions. */
export async function acceptBead(run: Run, ticket: TicketSnapshot, bead: Bead, key: string): Promise<void> {
  await run.record(key, Bead, async (io) => {
    for (const session of await io.ports.store.sessions(ticket.id)) {
      if (session.bead === bead.id && session.state === 'active') io.save({ type: 'session.state', id: session.id, state: 'completed' });
    }
    const now = isoNow(io);
    return changeBead(io, bead.id, () => ({ status: 'done', completedAt: now, updatedAt: now }));
  });
}
