import type { Bead } from '../domain/bead.ts';
import { planLines } from '../domain/beadPlan.ts';

/** A plan as a prompt shows it: one bead a line, in order, without what changes while beads run. */
export function planText(beads: readonly Bead[]): string {
  return planLines(beads).trimEnd();
}
