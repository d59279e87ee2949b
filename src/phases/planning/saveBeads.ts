import type { Bead } from '../../domain/bead.ts';
import { beadLines } from '../../domain/beadPlan.ts';
import type { Status } from '../../domain/workflow.ts';
import type { RecordIo } from '../../engine/run.ts';

/** Stages a plan in the place of the present one: rows and the artifact `beads` (one bead a line). Answers the artifact's text. */
export function saveBeads(io: RecordIo, beads: readonly Bead[], place: { readonly status: Status; readonly attempt: number }): string {
  const content = beadLines(beads);
  io.save({ type: 'beads', beads });
  io.save({ type: 'artifact', artifact: 'beads', content, ...place });
  return content;
}
