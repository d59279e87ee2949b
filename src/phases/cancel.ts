import * as z from 'zod';
import { inboxBodies } from '../domain/ticket/inbox.ts';
import { toBeadsmithError } from '../domain/core/errors.ts';
import { presquashRef } from '../domain/core/ids.ts';
import type { HandlerDefinition, StepIo } from '../engine/run/run.ts';
import { partCache } from './shared/ask/partCache.ts';
import { readNotes } from './shared/ask/sessionNotes.ts';
import { tellIssueInStep } from './shared/tellIssue.ts';
import { leaveMerge } from './delivery/forgeMerge.ts';
import { recordStop } from './shared/stoppedLoop.ts';
import { stopServices } from './shared/worktree/services.ts';
import { attempted } from './shared/worktree/worktree.ts';
import { artifactChange, isoNow } from './shared/ticket/artifacts.ts';
import { tell } from '../engine/run/tell.ts';

/**
 * Ends a ticket's work (docs/decisions/003-retry-continue-and-cancel.md). The worktree is removed only once
 * its sessions have stopped, and its content is kept under a ref.
 */
export const cancel: HandlerDefinition<'canceled'> = {
  version: 2,
  run: async (run, ticket) => {
    const request = inboxBodies.cancel.parse(ticket.entry.body);
    await run.step('stop-sessions', z.array(z.string()), async (io) => {
      const live = await liveSessions(io);
      for (const { id, directory, recorded } of live) {
        await io.ports.agent.abort({ id, directory });
        if (recorded) io.save({ type: 'session.state', id, state: 'abandoned' });
      }
      partCache.clearContextCache(ticket.id);
      await leaveMerge(io, ticket);
      return live.map(({ id }) => id);
    });
    const { worktree } = ticket;
    if (worktree !== null) {
      await run.step('remove-scratch', z.null(), async (io) => {
        await attempted(io, () => stopServices(io, ticket));
        await attempted(io, () => io.ports.git.removeScratch(ticket.id));
        await attempted(io, () => io.ports.workplace.release(ticket.id));
        // Frees the branch for any other checkout.
        if (!request.deleteWorktree) await attempted(io, () => io.ports.git.detach(worktree));
        return null;
      });
    }
    if (worktree !== null && request.deleteWorktree) {
      await run.step('delete-worktree', z.null(), async (io) => {
        try {
          const message = `What ${ticket.id} left when it was canceled`;
          await io.ports.git.keep(worktree, presquashRef(ticket.id, 0), message);
        } catch (error) {
          // Without a worktree there is nothing to keep; after any other error nothing may be deleted.
          if (toBeadsmithError(error).code === 'WORKTREE_LOST') return null;
          throw error;
        }
        await io.fence();
        const left = await io.ports.git.removeWorktree(worktree);
        if (left === null) return null;
        const text = `Ignored files of the worktree, and what else git can't keep, are in ${left}.`;
        tell(io, text);
        return null;
      });
    }
    if (request.reason !== '') {
      await run.record('receipt', z.null(), (io) => {
        const receipt = {
          schema_version: 1,
          surface: 'cancel_ticket',
          item_ids: [],
          skipped_by: 'user',
          skipped_at: isoNow(io),
          reason: request.reason,
        };
        io.save(artifactChange(ticket, 'skip_receipt:cancel_ticket', JSON.stringify(receipt)));
        return null;
      });
    }
    await recordStop(run, ticket);
    await tellIssueInStep(run, ticket, 'canceled');
    return { exit: 'canceled', ...(request.deleteWorktree ? { patch: { worktree: null } } : {}) };
  },
};

interface LiveSession {
  readonly id: string;
  readonly directory: string;
  readonly recorded: boolean;
}

/** Active sessions, and those of steps that were interrupted before they could record them. */
async function liveSessions(io: StepIo): Promise<readonly LiveSession[]> {
  const { store } = io.ports;
  const recorded = await store.sessions(io.ticket);
  const live = new Map<string, LiveSession>();
  for (const { id, directory, state } of recorded)
    if (state === 'active') live.set(id, { id, directory, recorded: true });
  for (const run of await store.runs(io.ticket)) {
    if (run.state !== 'open') continue;
    for (const step of await store.steps(run.id)) {
      if (step.state !== 'intent') continue;
      for (const { id, directory } of readNotes(step.notes).sessions)
        live.set(id, { id, directory, recorded: recorded.some((session) => session.id === id) });
    }
  }
  return [...live.values()];
}
