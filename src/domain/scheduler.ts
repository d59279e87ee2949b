import type { Bead } from './bead.ts';

/** The pending beads whose every `blocked_by` is done (seed 001 section 6). */
export function getRunnable(beads: readonly Bead[]): Bead[] {
  const done = new Set(beads.filter((bead) => bead.status === 'done').map((bead) => bead.id));
  return beads.filter((bead) => bead.status === 'pending' && bead.dependencies.blocked_by.every((id) => done.has(id)));
}

/** The runnable bead with the lowest priority number; equal numbers go by list order. */
export function getNextBead(beads: readonly Bead[]): Bead | undefined {
  let next: Bead | undefined;
  for (const bead of getRunnable(beads)) if (!next || bead.priority < next.priority) next = bead;
  return next;
}

/** Whether every bead is done. An empty plan is never complete. */
export function isAllComplete(beads: readonly Bead[]): boolean {
  return beads.length > 0 && beads.every((bead) => bead.status === 'done');
}
