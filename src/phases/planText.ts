import { type Bead, beadRuntimeFields } from '../domain/bead.ts';

/** A plan as a prompt shows it: one bead a line, in order, without what changes while beads run. */
export function planText(beads: readonly Bead[]): string {
  return beads
    .map((bead) => {
      const fields: Partial<Bead> = { ...bead };
      for (const field of beadRuntimeFields) delete fields[field];
      return JSON.stringify(fields);
    })
    .join('\n');
}
