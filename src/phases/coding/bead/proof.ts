import type { Bead } from '../../../domain/beads/bead.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run } from '../../../engine/run/run.ts';
import { projectChecks } from '../../shared/proof/baseline.ts';
import { type Check, Proof, proveCommit } from '../../shared/proof/cleanRoom.ts';
import { earlierCommands } from './earlierBeads.ts';

/**
 * Runs in the scratch worktree what a commit has to pass (docs/decisions/048-clean-room-proof.md): the bead's
 * commands, the project's checks, and the commands of earlier beads that the commit may have broken. Ends at
 * the first one that fails in something new.
 */
export function prove(
  run: Run,
  ticket: TicketSnapshot,
  bead: Bead,
  commit: string,
  key: string,
): Promise<Proof> {
  // Each command has a limit of its own. The step has none: what checks take isn't taken from the agent's
  // time.
  return run.step(key, Proof, async (io): Promise<Proof> => {
    const own = bead.testCommands.map(
      (command) => ({ kind: 'test', command, strict: true, own: true }) as const,
    );
    const project = (await projectChecks(io)).map((check) => ({ ...check, strict: false, own: false }));
    const earlier = (await earlierCommands(io, ticket, bead, commit)).map(
      (command) => ({ kind: 'test', command, strict: true, own: false }) as const,
    );
    const checks: Check[] = [];
    for (const check of [...own, ...project, ...earlier]) {
      if (check.own || !checks.some(({ command }) => command === check.command)) checks.push(check);
    }
    return proveCommit(io, ticket, { commit, limits: run.limits }, checks);
  });
}
