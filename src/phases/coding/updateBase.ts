import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Run } from '../../engine/run/run.ts';
import { look, Standing } from '../shared/base/standing.ts';
import { takeBase } from '../shared/base/takeBase.ts';
import { settleEdits, uncommittedPaths } from '../shared/proof/personEdits.ts';
import { recoverBeads } from './recoverBeads.ts';

/**
 * Puts the finished beads of a blocked ticket on their moved base, proved there, before another bead is coded
 * (docs/decisions/076-update-from-base.md). The bead that blocked it is made pending first. A new run codes
 * it: only that one knows the new base.
 */
export async function updateBase(run: Run, ticket: TicketSnapshot): Promise<{ readonly exit: 'updated' }> {
  await recoverBeads(run, ticket);
  const standing = await run.step('base:look', Standing, async (io) => {
    // What nobody committed would be lost with the files of the old base.
    await settleEdits(io, ticket, await uncommittedPaths(io, ticket));
    return look(io, ticket);
  });
  const { base } = standing;
  if (base) await takeBase(run, ticket, { ...standing, base });
  return { exit: 'updated' };
}
