import type { ContextState } from '../../context/contextState.ts';
import type { Bead, BlueprintBead } from '../../domain/beads/bead.ts';
import { Blueprint, BlueprintRevision, reasonWithoutProof } from '../../domain/beads/bead.ts';
import { beadsDocument, beadsOutline } from '../../domain/documents/beads.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Run, RecordIo } from '../../engine/run/run.ts';
import { storedDocument, yamlText } from '../shared/artifacts.ts';
import type { Resolution } from '../shared/coverage/coverageLoop.ts';
import { reviseCandidate, type Revision } from '../shared/coverage/reviseCandidate.ts';
import { repeatedIds } from '../../domain/documents/check.ts';

/** Why a blueprint can't be used; undefined if it can. */
export function blueprintProblem({ beads }: Blueprint): string | undefined {
  const repeated = repeatedIds(
    'beads',
    beads.map((bead) => bead.id),
  );
  const unproved = beads.filter((bead) => bead.testCommands.length === 0 && reasonWithoutProof(bead) === '').map(({ id }) => id);
  return repeated ?? (unproved.length === 0 ? undefined : `beads: no testCommands, and no unprovedReason: ${unproved.join(', ')}`);
}

/** The current plan as a blueprint: its beads without what expansion added, edits of a person included. */
export function blueprintOf(beads: readonly Bead[]): Blueprint {
  return { beads: beads.map(semanticPart) };
}

function semanticPart(bead: Bead): BlueprintBead {
  const { id, title, prdRefs, description, contextGuidance, acceptanceCriteria, tests, testCommands, unprovedReason } = bead;
  const part = { id, title, prdRefs, description, contextGuidance, acceptanceCriteria, tests, testCommands };
  return unprovedReason === undefined ? part : { ...part, unprovedReason };
}

/** What audits and revisions of a plan see of it: the blueprint, before expansion. */
export async function blueprintState(io: RecordIo): Promise<Partial<ContextState>> {
  return { beads: (await storedDocument(io, 'beads_blueprint', Blueprint)).content };
}

/** One revision of the blueprint for one round of gaps. */
export function reviseBlueprint(run: Run, ticket: TicketSnapshot, revision: Revision): Promise<readonly Resolution[]> {
  return reviseCandidate(run, ticket, revision, {
    domain: beadsDocument.kind,
    schema: BlueprintRevision,
    guard: {
      outline: beadsOutline,
      before: async (io) => (await storedDocument(io, 'beads_blueprint', Blueprint)).document,
      documentOf: ({ beads }) => ({ beads }),
      problemOf: blueprintProblem,
    },
    state: blueprintState,
    placeOf: (io) => storedDocument(io, 'beads_blueprint', Blueprint),
    save: (io, { beads }, place) => {
      io.save({ type: 'artifact', artifact: 'beads_blueprint', content: yamlText({ beads }), ...place });
    },
  });
}
