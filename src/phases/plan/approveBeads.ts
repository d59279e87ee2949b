import * as z from 'zod';
import { Blueprint } from '../../domain/beads/bead.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Run } from '../../engine/run/run.ts';
import { storedDocument, yamlText } from '../shared/artifacts.ts';
import type { Resolution } from '../shared/coverage/coverageLoop.ts';
import { extraFix } from '../shared/coverage/extraFix.ts';
import { approvalGate } from '../shared/gate/approvalGate.ts';
import { beadsDocument, placeOfBeads } from './beadsDocument.ts';
import { blueprintOf, blueprintState, reviseBlueprint } from './blueprint.ts';
import { expandPlan } from './expandBeads.ts';

/**
 * WAITING_BEADS_APPROVAL. A fix revises the plan as it stands, edits included, and expands it again if that changed anything
 * (docs/decisions/024-coverage-loops.md).
 */
export const approveBeads = approvalGate(beadsDocument, (run, ticket, { key, gaps, history }) =>
  extraFix(run, ticket, {
    key,
    document: beadsDocument,
    domain: 'beads',
    revise: (winner) => revisePlan(run, ticket, { key, winner, gaps, history }),
    state: () => blueprintState,
  }),
);

async function revisePlan(
  run: Run,
  ticket: TicketSnapshot,
  fix: { readonly key: string; readonly winner: string; readonly gaps: readonly string[]; readonly history: readonly Resolution[] },
): Promise<readonly Resolution[]> {
  const { key, winner, gaps, history } = fix;
  const former = await run.record(`${key}-present`, z.string(), async (io) => {
    const { status, attempt } = await storedDocument(io, 'beads_blueprint', Blueprint);
    const content = yamlText(blueprintOf(await io.ports.store.beads(io.ticket)));
    io.save({ type: 'artifact', artifact: 'beads_blueprint', content, status, attempt });
    return content;
  });
  const resolutions = await reviseBlueprint(run, ticket, { key: `${key}-revise`, winner, gaps, history, sections: [], atGate: true });
  const changed = await run.record(`${key}-changed`, z.boolean(), async (io) => {
    return yamlText((await storedDocument(io, 'beads_blueprint', Blueprint)).document) !== former;
  });
  if (changed) await expandPlan(run, ticket, { key: `${key}-expand`, winner, sections: [], place: placeOfBeads });
  return resolutions;
}
