import type { ContextState } from '../../context/contextState.ts';
import type { Bead } from '../../domain/beads/bead.ts';
import { Blueprint, BlueprintRevision, reasonWithoutProof } from '../../domain/beads/bead.ts';
import { semanticPart } from '../../domain/beads/revisedPlan.ts';
import { beadsDocument, beadsOutline } from '../../domain/documents/beads.ts';
import { Prd, prdDocument } from '../../domain/requirements/prd.ts';
import type { AuditSubject } from '../../domain/links/auditRows.ts';
import { refsProblem } from '../../domain/requirements/criteria.ts';
import { planSubject } from '../../domain/links/subjects.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Run, RecordIo } from '../../engine/run/run.ts';
import { storedDocument, type StoreIo, yamlText } from '../shared/ticket/artifacts.ts';
import { linkedPrd } from '../shared/ticket/linkedPrd.ts';
import type { Resolution } from '../shared/coverage/coverageLoop.ts';
import { reviseCandidate, type Revision } from '../shared/coverage/reviseCandidate.ts';
import { repeatedIds } from '../../domain/documents/base/check.ts';

/** Returns the reason why a blueprint can't be used; undefined if it can. */
function blueprintProblem({ beads }: Blueprint): string | undefined {
  const repeated = repeatedIds(
    'beads',
    beads.map((bead) => bead.id),
  );
  const unproved = beads
    .filter((bead) => bead.testCommands.length === 0 && reasonWithoutProof(bead) === '')
    .map(({ id }) => id);
  return (
    repeated ??
    (unproved.length === 0
      ? undefined
      : `beads: no testCommands, and no unprovedReason: ${unproved.join(', ')}`)
  );
}

/**
 * Returns a check that gives the reason why a blueprint can't be used beside the PRD: the reason above, or
 * names that the PRD doesn't have.
 */
export async function blueprintChecker(io: StoreIo): Promise<(blueprint: Blueprint) => string | undefined> {
  const prd = await linkedPrd(io);
  return (blueprint) => blueprintProblem(blueprint) ?? (prd && refsProblem(blueprint.beads, prd));
}

/** Returns the items that an audit of the plan has to speak of: each criterion of the PRD. */
export async function planSubjectOf(io: StoreIo): Promise<AuditSubject> {
  const prd = (await storedDocument(io, prdDocument.kind, Prd)).document;
  return planSubject(prd, (await storedDocument(io, 'beads_blueprint', Blueprint)).document.beads);
}

/** The current plan as a blueprint: its beads without what expansion added, edits of a person included. */
export function blueprintOf(beads: readonly Bead[]): Blueprint {
  return { beads: beads.map(semanticPart) };
}

/** Returns what audits and revisions of a plan see of it: the blueprint, before expansion. */
export async function blueprintState(io: RecordIo): Promise<Partial<ContextState>> {
  return { beads: (await storedDocument(io, 'beads_blueprint', Blueprint)).content };
}

/** One revision of the blueprint for one round of gaps. */
export function reviseBlueprint(
  run: Run,
  ticket: TicketSnapshot,
  revision: Revision,
): Promise<readonly Resolution[]> {
  return reviseCandidate(run, ticket, revision, {
    domain: beadsDocument.kind,
    schema: BlueprintRevision,
    guard: {
      outline: beadsOutline,
      before: async (io) => (await storedDocument(io, 'beads_blueprint', Blueprint)).document,
      documentOf: ({ beads }) => ({ beads }),
      problemIn: blueprintChecker,
    },
    state: blueprintState,
    placeOf: (io) => storedDocument(io, 'beads_blueprint', Blueprint),
    save: (io, { beads }, place) => {
      io.save({ type: 'artifact', artifact: 'beads_blueprint', content: yamlText({ beads }), ...place });
    },
  });
}
