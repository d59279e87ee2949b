import type { Bead } from './bead.ts';

/** The pending beads whose every `blocked_by` is done (docs/decisions/028-bead-scheduling.md). */
export function getRunnable(beads: readonly Bead[]): Bead[] {
  const done = doneIds(beads);
  return beads.filter((bead) => isRunnable(bead, done));
}

/** The runnable bead with the lowest priority number; equal numbers go by list order. */
export function getNextBead(beads: readonly Bead[]): Bead | undefined {
  const done = doneIds(beads);
  let next: Bead | undefined;
  for (const bead of beads) if ((!next || bead.priority < next.priority) && isRunnable(bead, done)) next = bead;
  return next;
}

/** Whether every bead is done. An empty plan is never complete. */
export function isAllComplete(beads: readonly Bead[]): boolean {
  return beads.length > 0 && beads.every((bead) => bead.status === 'done');
}

function isRunnable(bead: Bead, done: ReadonlySet<string>): boolean {
  return bead.status === 'pending' && bead.dependencies.blocked_by.every((id) => done.has(id));
}

function doneIds(beads: readonly Bead[]): ReadonlySet<string> {
  const done = new Set<string>();
  for (const bead of beads) if (bead.status === 'done') done.add(bead.id);
  return done;
}
