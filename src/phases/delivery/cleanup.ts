import * as z from 'zod';
import { CleanupReport } from '../../domain/reports.ts';
import type { HandlerDefinition } from '../../engine/run.ts';
import { artifactChange } from '../execution/artifactChange.ts';
import { attempted } from '../execution/attempted.ts';
import { ticketParts } from '../execution/ticketParts.ts';

/** What only served the work (LoopTroop 11.6). Documents, logs, worktree and branch stay. */
const runtimeFiles = [
  '.ticket/runtime/execution-setup',
  '.ticket/runtime/execution-setup-profile.json',
  '.ticket/runtime/state.yaml',
  '.ticket/runtime/locks',
  '.ticket/runtime/sessions',
  '.ticket/runtime/streams',
  '.ticket/runtime/tmp',
];

/** Removes runtime files and lets the agent's server forget the worktree. What can't be removed is a warning, never a failure. */
export const cleanup: HandlerDefinition<'cleaned'> = {
  version: 1,
  run: async (run, ticket) => {
    const { worktree, branch } = ticketParts(ticket);
    await run.step('clean', z.null(), async (io) => {
      const { files, agent } = io.ports;
      const removed: string[] = [];
      const warnings: string[] = [];
      for (const path of runtimeFiles) {
        const outcome = await attempted(io, async () => {
          if (!(await files.exists(worktree, path))) return;
          await files.remove(worktree, path);
          removed.push(path);
        });
        if (!outcome.ok) warnings.push(`${path}: ${outcome.error.message}`);
      }
      const released = await attempted(io, () => agent.release(worktree));
      if (!released.ok) warnings.push(released.error.message);
      const report: CleanupReport = {
        schema_version: 1,
        status: warnings.length === 0 ? 'clean' : 'warning',
        removed,
        kept: [worktree, branch, '.ticket'],
        warnings,
      };
      io.save(artifactChange(ticket, 'cleanup_report', CleanupReport.parse(report)));
      return null;
    });
    return { exit: 'cleaned' };
  },
};
