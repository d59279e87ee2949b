import { setupPlanDocument, type SetupPlan } from '../../domain/documents/setupPlan.ts';
import { artifactChange, newestArtifact, readNotes } from '../shared/ticket/artifacts.ts';
import { artifactDocument, type GateDocument } from '../shared/coverage/gateDocument.ts';

/**
 * The setup plan at its gate. The notes of every regeneration are filed, because the next draft is told of
 * all of them.
 */
export const setupGate: GateDocument<SetupPlan> = {
  ...artifactDocument(setupPlanDocument.kind),
  keepNote: async (io, ticket, note) => {
    if (note.trim() === '') return;
    const notes = readNotes((await newestArtifact(io, 'execution_setup_plan_notes'))?.content);
    io.save(artifactChange(ticket, 'execution_setup_plan_notes', [...notes, note.trim()]));
  },
};
