import type { Bead } from '../../domain/beads/bead.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Run } from '../../engine/run/run.ts';
import { projectChecks } from '../shared/proof/baseline.ts';
import { CleanRoom, Proof } from '../shared/proof/cleanRoom.ts';
import { earlierCommands } from './earlierBeads.ts';

/**
 * Runs in the scratch worktree what a commit has to pass (docs/decisions/048-clean-room-proof.md): the bead's commands, the project's checks, and the
 * commands of earlier beads that the commit may have broken. Ends at the first one that fails in something new.
 */
export function prove(run: Run, ticket: TicketSnapshot, bead: Bead, commit: string, key: string): Promise<Proof> {
  // Each command has a limit of its own. The step has none: what checks take isn't taken from the agent's time.
  return run.step(key, Proof, async (io): Promise<Proof> => {
    const room = new CleanRoom(io, ticket, { commit, limits: run.limits });
    const own = bead.testCommands.map((command) => ({ kind: 'test', command, strict: true, own: true }) as const);
    const project = (await projectChecks(io)).map((check) => ({ ...check, strict: false, own: false }));
    const earlier = (await earlierCommands(io, ticket, bead, commit)).map(
      (command) => ({ kind: 'test', command, strict: true, own: false }) as const,
    );
    const ran = new Set<string>();
    for (const check of [...own, ...project, ...earlier]) {
      if (ran.has(check.command) && !check.own) continue;
      ran.add(check.command);
      if (!(await room.check(check))) break;
    }
    return room.proof();
  });
}
