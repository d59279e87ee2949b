import * as z from 'zod';
import { PassEntry } from '../../domain/beads/passes.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';
import type { Run } from '../../engine/run/run.ts';
import { appendRecord, readRecords } from './ticket/records.ts';

/** One that had ended, or whose ticket was blocked, has its end already (docs/decisions/140-passes.md). */
export async function recordStop(run: Run, ticket: TicketSnapshot): Promise<void> {
  const { settings } = ticket;
  if (!settings || rowOf(ticket.status).handler !== 'coding' || settings.maxPasses < 2) return;
  await run.record('user-stop', z.null(), async (io) => {
    const records = await readRecords(io);
    const open = (await io.ports.store.beads(ticket.id)).filter(({ status }) => status === 'in_progress');
    const stopped = open.flatMap(({ id, iteration }) => {
      const own = records.filter(
        (record) => record.bead === id && record.iteration === iteration && record.kind === 'gate',
      );
      const last = own.flatMap(({ payload }) => PassEntry.safeParse(payload).data ?? []).at(-1);
      if (last && last.end !== null) return [];
      const { minPasses: min, maxPasses: max } = settings;
      const payload: PassEntry = {
        pass: (last?.pass ?? 0) + 1,
        outcome: 'stopped',
        min,
        max,
        end: 'user_stop',
      };
      return [{ bead: id, iteration, kind: 'gate' as const, payload }];
    });
    if (stopped.length > 0) await appendRecord(io, ticket, ...stopped);
    return null;
  });
}
