import type { Bead } from '../../domain/bead.ts';
import { BeadsmithError } from '../../domain/errors.ts';
import type { RecordIo } from '../../engine/run.ts';
import { emitBead } from './emitBead.ts';

/** Stages a change of a bead with its step's receipt and tells live views. Answers the bead as it will be. */
export async function changeBead(io: RecordIo, id: string, change: (bead: Bead) => Partial<Bead>): Promise<Bead> {
  const beads = await io.ports.store.beads(io.ticket);
  const bead = beads.find((candidate) => candidate.id === id);
  if (!bead) throw new BeadsmithError('UNEXPECTED', { reason: `the plan has no bead ${id}` });
  const set = change(bead);
  io.save({ type: 'bead', id, set });
  const changed = { ...bead, ...set };
  emitBead(io, beads, changed);
  return changed;
}
