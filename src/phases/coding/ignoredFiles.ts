import * as z from 'zod';
import { classifyChange } from '../../domain/core/noise.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { StepIo } from '../../engine/run/run.ts';
import { artifactChange, storedJson } from '../shared/ticket/artifacts.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { preparedPaths } from '../shared/worktree/runtime.ts';

const Inventory = z.object({ bead: z.string(), ignored: z.array(z.string()) });
/** With more ignored paths than this nobody can tell which are new. */
const mostListed = 5_000;

export function takeInventory(
  io: StepIo,
  ticket: TicketSnapshot,
  bead: string,
  ignored: readonly string[],
): void {
  const inventory = Inventory.parse({ bead, ignored: ignored.slice(0, mostListed) });
  io.save(artifactChange(ticket, 'worktree_inventory', inventory));
}

export async function madeMeanwhile(
  io: StepIo,
  ticket: TicketSnapshot,
  bead: string,
): Promise<readonly string[]> {
  const before = await storedJson(io, 'worktree_inventory', Inventory);
  if (before?.bead !== bead || before.ignored.length >= mostListed) return [];
  const setup = await preparedPaths(io);
  const known = new Set(before.ignored);
  const { ignored } = await io.ports.git.inspect(ticketParts(ticket).worktree);
  return ignored.filter(
    (path) => !known.has(path) && classifyChange({ path, state: 'untracked' }, { setup }) !== 'setup',
  );
}
