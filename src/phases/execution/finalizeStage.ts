import { BeadsmithError } from '../../domain/errors.ts';
import type { BeadExecution } from '../../domain/reports.ts';
import type { StageHandler } from '../../engine/run.ts';
import { finalizeBead } from './finalizeBead.ts';
import { IterationInput, iterationStateOf } from './iteration.ts';
import { toJson } from './toJson.ts';

/** Makes the checked work of an iteration durable. Throws BEAD_FINALIZATION_FAILED. */
export const finalizeStage: StageHandler = async (run, ticket, input, before) => {
  const { bead } = IterationInput.parse(input);
  const state = iterationStateOf(before);
  const start = bead.beadStartCommit;
  if (start === null) throw new BeadsmithError('UNEXPECTED', { reason: `bead ${bead.id} has no start commit` });
  const execution: BeadExecution = {
    schema_version: 1,
    checkpoint: {
      beadId: bead.id,
      iteration: bead.iteration,
      startedAt: bead.startedAt,
      updatedAt: bead.updatedAt,
      beadStartCommit: start,
    },
    outcome: 'accepted',
    marker: state.marker,
    devRecord: state.devRecord,
    evidence: state.evidence,
    tree: state.tree,
    reason: '',
  };
  await finalizeBead(run, ticket, bead, execution);
  // The evidence is in the checkpoint; the parent needn't carry it.
  return { exit: 'done', result: toJson({ ...state, evidence: [] }) };
};
