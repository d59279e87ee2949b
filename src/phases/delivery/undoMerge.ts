import * as z from 'zod';
import { MergeReport } from '../../domain/beads/reports.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { because } from '../../domain/forge/forgeReasons.ts';
import type { HandlerDefinition } from '../../engine/run/run.ts';
import { say, storedJson } from '../shared/ticket/artifacts.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { remakeAndPrepare } from '../shared/worktree/bootstrap.ts';
import { attempted } from '../shared/worktree/worktree.ts';

/**
 * Takes the base branch back to where it was before the ticket's merge
 * (docs/decisions/198-a-merge-can-be-undone.md). Throws UNDO_REFUSED.
 */
export const undoMerge: HandlerDefinition<'undone'> = {
  version: 1,
  run: async (run, ticket) => {
    await run.step('undo', z.null(), async (io) => {
      const { baseBranch: base, branch } = ticketParts(ticket);
      const { mergeCommit: from, before: to } = (await storedJson(io, 'merge_report', MergeReport)) ?? {};
      if (!from || to === undefined)
        throw new BeadsmithError('UNDO_REFUSED', { base, ...because('notMerged') });
      await io.fence();
      await io.ports.git.undoMerge({ base, branch, from, to });
      return null;
    });
    // The base is back already, so that nothing here may fail: the review needs no worktree.
    await run.step('worktree', z.null(), async (io) => {
      const made = await attempted(io, async () => {
        await remakeAndPrepare(io, ticket, run.limits);
        // On its branch again.
        await io.ports.git.status(ticketParts(ticket).worktree);
      });
      if (!made.ok) say(io, `The worktree can't be used yet: ${made.error.message} ${made.error.nextStep}`);
      return null;
    });
    return { exit: 'undone' };
  },
};
