import * as z from 'zod';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { CleanupReport } from '../../domain/beads/reports.ts';
import type { HandlerDefinition } from '../../engine/run/run.ts';
import { artifactChange } from '../shared/ticket/artifacts.ts';
import { tellIssueInStep } from '../shared/tellIssue.ts';
import { partCache } from '../shared/ask/partCache.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { attempted } from '../shared/worktree/worktree.ts';
import { Ending } from './review.ts';

/** Files that only served the work (docs/decisions/042-integration-and-merge.md). */
const runtimeFiles = [
  '.ticket/runtime/execution-setup',
  '.ticket/runtime/execution-setup-profile.json',
  '.ticket/runtime/state.yaml',
  '.ticket/runtime/locks',
  '.ticket/runtime/sessions',
  '.ticket/runtime/streams',
  '.ticket/runtime/tmp',
];

/** Removes runtime files. What can't be removed is a warning, never a failure. */
export const cleanup: HandlerDefinition<'cleaned'> = {
  version: 1,
  run: async (run, ticket) => {
    const { worktree, branch, settings } = ticketParts(ticket);
    await run.step('clean', z.null(), async (io) => {
      const { files, agent, git, workplace } = io.ports;
      const removed: string[] = [];
      const warnings: string[] = [];
      const trying = async <T>(work: () => Promise<T>, about = '') => {
        const outcome = await attempted(io, work);
        if (!outcome.ok) warnings.push(`${about}${outcome.error.message}`);
        return outcome;
      };
      for (const path of runtimeFiles) {
        const remove = async () => {
          if (!(await files.exists(worktree, path))) return;
          await files.remove(worktree, path);
          removed.push(path);
        };
        await trying(remove, `${path}: `);
      }
      await trying(() => git.removeScratch(ticket.id));
      await trying(() => workplace.release(ticket.id));
      const wish =
        Ending.safeParse(ticket.entry.body).data?.deleteWorktree ?? settings.worktreeAtEnd === 'remove';
      const fenced = async <T>(work: () => Promise<T>): Promise<T> => {
        await io.fence();
        return work();
      };
      // What a removed worktree has is kept under a ref (docs/decisions/011-attempt-refs.md). One that stays
      // is detached, so that a person can check out the branch.
      const freed = wish ? await trying(() => fenced(() => git.removeWorktree(worktree))) : undefined;
      if (!wish) await trying(() => fenced(() => git.detach(worktree)));
      if (freed?.ok === true) removed.push(worktree);
      await trying(() => agent.release(worktree));
      partCache.clearContextCache(ticket.id);
      const report: CleanupReport = {
        schema_version: 1,
        status: warnings.length === 0 ? 'clean' : 'warning',
        removed,
        kept:
          freed?.ok === true
            ? [branch, ...(freed.value === null ? [] : [freed.value])]
            : [worktree, branch, '.ticket'],
        warnings,
      };
      io.save(artifactChange(ticket, 'cleanup_report', CleanupReport.parse(report)));
      return null;
    });
    await tellIssueInStep(run, ticket, 'completed');
    return { exit: 'cleaned' };
  },
};

/** The engine never runs it. */
export const rest: HandlerDefinition<never> = {
  version: 1,
  run: (_run, ticket) =>
    Promise.reject(new BeadsmithError('UNEXPECTED', { reason: `a ticket in ${ticket.status} was driven` })),
};
