import type { Bead } from '../../../domain/beads/bead.ts';
import { beadLines } from '../../../domain/beads/beadPlan.ts';
import { beadsDocument } from '../../../domain/documents/beads.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { Status } from '../../../domain/workflow/workflow.ts';
import type { RecordIo } from '../../../engine/run/run.ts';
import type { StoreIo } from './artifacts.ts';

/**
 * Stages a plan in place of the current one: rows and the artifact (one bead per line). Returns the text of
 * the artifact. `byPerson`: a person saw or wrote all of it.
 */
export function saveBeads(
  io: RecordIo,
  beads: readonly Bead[],
  place: { readonly status: Status; readonly attempt: number; readonly byPerson?: boolean },
): string {
  const content = beadLines(beads);
  const { byPerson = false, ...filed } = place;
  io.save({ type: 'beads', beads, byPerson });
  io.save({ type: 'artifact', artifact: beadsDocument.kind, content, ...filed });
  return content;
}

/**
 * Returns the place where a new version of the plan is filed: with the version it replaces, so that both are
 * archived together.
 */
export async function placeOfBeads(
  io: StoreIo,
): Promise<{ readonly status: Status; readonly attempt: number }> {
  const stored = await io.ports.store.artifact(io.ticket, beadsDocument.kind);
  if (!stored) throw new BeadsmithError('UNEXPECTED', { reason: 'the bead plan is missing' });
  const { status, attempt } = stored.info;
  return { status, attempt };
}
