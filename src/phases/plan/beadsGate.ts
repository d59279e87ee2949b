import * as z from 'zod';
import { type Bead, Blueprint } from '../../domain/beads/bead.ts';
import { changedBeads } from '../../domain/beads/revisedPlan.ts';
import { beadsDocument } from '../../domain/documents/beads.ts';
import { Prd, prdDocument } from '../../domain/requirements/prd.ts';
import { planSubject } from '../../domain/links/subjects.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Run } from '../../engine/run/run.ts';
import { storedDocument, yamlText } from '../shared/ticket/artifacts.ts';
import type { Resolution } from '../shared/coverage/coverageLoop.ts';
import { type AuditedAtGate, checkAgain } from '../shared/coverage/checkAgain.ts';
import { extraFix } from '../shared/coverage/extraFix.ts';
import type { GateDocument } from '../shared/coverage/gateDocument.ts';
import { storedBeads } from '../shared/gate/storedBeads.ts';
import { unknownRefs } from '../shared/ticket/linkedPrd.ts';
import { blueprintOf, reviseBlueprint } from './blueprint.ts';
import { expandAgain } from './expandBeads.ts';

/** The plan as it stands, edits included: the blueprint may be older. */
const audited: AuditedAtGate = {
  domain: beadsDocument.kind,
  present: storedBeads.present,
  state: () => async (io) => ({ beads: yamlText(blueprintOf(await io.ports.store.beads(io.ticket))) }),
  subject: () => async (io) => {
    const prd = (await storedDocument(io, prdDocument.kind, Prd)).document;
    return planSubject(prd, await io.ports.store.beads(io.ticket));
  },
};

/**
 * The bead plan at its gate: rows, and the artifact beside them. A fix revises the plan as it stands, edits
 * included, and expands again what that changed (docs/decisions/024-coverage-loops.md).
 */
export const beadsGate: GateDocument<readonly Bead[]> = {
  ...storedBeads,
  problem: unknownRefs,
  fixGaps: (run, ticket, { key, gaps, history }) =>
    extraFix(run, ticket, key, {
      ...audited,
      revise: (winner) => revisePlan(run, ticket, { key, winner, gaps, history }),
    }),
  checkAgain: (run, ticket, key) => checkAgain(run, ticket, key, audited),
};

/** Fixes of earlier versions recorded only whether anything changed, and expanded the whole plan. */
const Changed = z.object({ isChanged: z.boolean(), only: z.array(z.string()).optional() }).or(z.boolean());

async function revisePlan(
  run: Run,
  ticket: TicketSnapshot,
  fix: {
    readonly key: string;
    readonly winner: string;
    readonly gaps: readonly string[];
    readonly history: readonly Resolution[];
  },
): Promise<readonly Resolution[]> {
  const { key, winner, gaps, history } = fix;
  const former = await run.record(`${key}-present`, z.string(), async (io) => {
    const { status, attempt } = await storedDocument(io, 'beads_blueprint', Blueprint);
    const content = yamlText(blueprintOf(await io.ports.store.beads(io.ticket)));
    io.save({ type: 'artifact', artifact: 'beads_blueprint', content, status, attempt });
    return content;
  });
  const resolutions = await reviseBlueprint(run, ticket, {
    key: `${key}-revise`,
    winner,
    gaps,
    history,
    sections: [],
    atGate: true,
  });
  const found = await run.record(`${key}-changed`, Changed, async (io) => {
    const { document } = await storedDocument(io, 'beads_blueprint', Blueprint);
    return {
      isChanged: yamlText(document) !== former,
      only: [...changedBeads(document, await io.ports.store.beads(io.ticket))],
    };
  });
  const { isChanged, only } = typeof found === 'boolean' ? { isChanged: found, only: undefined } : found;
  if (isChanged) await expandAgain(run, ticket, { key: `${key}-expand`, winner, only });
  return resolutions;
}
