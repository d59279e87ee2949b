import * as z from 'zod';
import { classifyChange } from '../../domain/core/noise.ts';
import { SetupProfile } from '../../domain/documents/setupPlan.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { StepIo } from '../../engine/run/run.ts';
import { artifactChange, readJson } from '../shared/ticket/artifacts.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';

/**
 * The ignored paths that a worktree had when an iteration of a bead began; a folder that is ignored as a
 * whole as one.
 */
const Inventory = z.object({ bead: z.string(), ignored: z.array(z.string()) });
/** The most ignored paths that are listed. Where there are more, nobody can tell which are new. */
const mostListed = 5_000;

/** Stores what is ignored in the worktree now, before a bead's session works there. */
export function takeInventory(
  io: StepIo,
  ticket: TicketSnapshot,
  bead: string,
  ignored: readonly string[],
): void {
  const inventory = Inventory.parse({ bead, ignored: ignored.slice(0, mostListed) });
  io.save(artifactChange(ticket, 'worktree_inventory', inventory));
}

/**
 * The ignored paths that came since the iteration of a bead began, and that don't belong to the prepared
 * environment.
 */
export async function madeMeanwhile(
  io: StepIo,
  ticket: TicketSnapshot,
  bead: string,
): Promise<readonly string[]> {
  const { store, git } = io.ports;
  const before = readJson(Inventory, (await store.artifact(ticket.id, 'worktree_inventory'))?.content);
  if (before?.bead !== bead || before.ignored.length >= mostListed) return [];
  const profile = readJson(
    SetupProfile,
    (await store.artifact(ticket.id, 'execution_setup_profile'))?.content,
  );
  const setup = profile
    ? [...profile.temp_roots, ...[...profile.reusable_artifacts, ...profile.inputs].map((item) => item.path)]
    : [];
  const known = new Set(before.ignored);
  const { ignored } = await git.inspect(ticketParts(ticket).worktree);
  return ignored.filter(
    (path) => !known.has(path) && classifyChange({ path, state: 'untracked' }, { setup }) !== 'setup',
  );
}
