import type { Bead } from '../../../domain/beads/bead.ts';
import { beadLines } from '../../../domain/beads/beadPlan.ts';
import { beadsDocument } from '../../../domain/documents/beads.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { RecordIo } from '../../../engine/run/run.ts';
import { artifactChange, type Place, type StoreIo } from './artifacts.ts';

/** Returns the artifact's text. `byPerson`: a person saw or wrote it all. */
export function saveBeads(
  io: RecordIo,
  beads: readonly Bead[],
  place: Place & { readonly byPerson?: boolean },
): string {
  const content = beadLines(beads);
  io.save({ type: 'beads', beads, byPerson: place.byPerson ?? false });
  io.save(artifactChange(place, beadsDocument.kind, content));
  return content;
}

export async function placeOfBeads(io: StoreIo): Promise<Place> {
  const stored = await io.ports.store.artifact(io.ticket, beadsDocument.kind);
  if (!stored) throw new BeadsmithError('UNEXPECTED', { reason: 'the bead plan is missing' });
  const { status, attempt } = stored.info;
  return { status, attempt };
}
