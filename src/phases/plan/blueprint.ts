import * as z from 'zod';
import type { ContextState } from '../../context/contextState.ts';
import {
  type Bead,
  Blueprint,
  BlueprintRevision,
  reasonWithoutProof,
  RefinedBlueprint,
} from '../../domain/beads/bead.ts';
import { semanticPart } from '../../domain/beads/revisedPlan.ts';
import { beadsDocument, beadsOutline } from '../../domain/documents/beads.ts';
import { Prd, prdDocument } from '../../domain/requirements/prd.ts';
import type { AuditSubject } from '../../domain/links/auditRows.ts';
import { refsProblem } from '../../domain/requirements/criteria.ts';
import { planSubject } from '../../domain/links/subjects.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Run, RecordIo, HandlerDefinition } from '../../engine/run/run.ts';
import { artifactChange, storedDocument, type StoreIo, yamlText } from '../shared/ticket/artifacts.ts';
import { linkedPrd } from '../shared/ticket/linkedPrd.ts';
import { type Resolution, auditCoverage, coverageLoop } from '../shared/coverage/coverageLoop.ts';
import { reviseCandidate, type Revision } from '../shared/coverage/reviseCandidate.ts';
import { repeatedIds } from '../../domain/documents/base/check.ts';
import { timeoutMs } from '../../domain/settings/settings.ts';
import { ask } from '../shared/ask/ask.ts';
import { runCouncil } from '../shared/panel/runCouncil.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import { takeUserContext, ticketParts } from '../shared/ticket/ticketParts.ts';
import { applyRewindEdit } from '../shared/gate/rewind.ts';
import { regenerateNote, winnerOf } from '../shared/panel/drafts.ts';
import { LeftOut } from '../../domain/loss/lossReport.ts';
import { refineSections, winnerFirst, winningDraft } from '../shared/panel/refineContext.ts';
import { saveLedger } from '../shared/panel/saveLedger.ts';
import { guardedParse, saveLeftOut } from '../shared/coverage/keepContent.ts';
import { coverageOf } from '../../domain/ticket/artifacts.ts';
import { CoverageReport } from '../../domain/requirements/interview.ts';

function blueprintProblem({ beads }: Blueprint): string | undefined {
  const ids = beads.map(({ id }) => id);
  const repeated = repeatedIds('beads', ids);
  if (repeated !== undefined) return repeated;
  const unproved = beads
    .filter((bead) => bead.testCommands.length === 0 && reasonWithoutProof(bead) === '')
    .map(({ id }) => id);
  if (unproved.length === 0) return undefined;
  return `beads: no testCommands, and no unprovedReason: ${unproved.join(', ')}`;
}

async function blueprintChecker(io: StoreIo): Promise<(blueprint: Blueprint) => string | undefined> {
  const prd = await linkedPrd(io);
  return (blueprint) => blueprintProblem(blueprint) ?? (prd && refsProblem(blueprint.beads, prd));
}

/** Each criterion of the PRD, which an audit has to speak of. */
async function planSubjectOf(io: StoreIo): Promise<AuditSubject> {
  const prd = (await storedDocument(io, prdDocument.kind, Prd)).document;
  return planSubject(prd, (await storedDocument(io, 'beads_blueprint', Blueprint)).document.beads);
}

/** The current plan without what expansion added, a person's edits included. */
export function blueprintOf(beads: readonly Bead[]): Blueprint {
  return { beads: beads.map(semanticPart) };
}

async function blueprintState(io: RecordIo): Promise<Partial<ContextState>> {
  return { beads: (await storedDocument(io, 'beads_blueprint', Blueprint)).content };
}

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

/** DRAFTING_BEADS (docs/decisions/018-council-drafts-and-quorum.md). */
export const draftBeads: HandlerDefinition<'ready'> = {
  version: 1,
  run: async (run, ticket) => {
    await applyRewindEdit(run, ticket);
    const sections = [...(await takeUserContext(run, ticket)), ...regenerateNote(ticket)];
    await runCouncil(run, ticket, beadsDocument.kind, async (branch, member, onProviderFailure, lens) => {
      const { value } = await ask(branch, ticket, {
        key: 'draft',
        contextKey: 'beads_draft',
        prompt: 'beads-draft',
        member,
        sections: [...sections, ...lens],
        parse: {
          inStep: async (io) => parseStructured({ schema: Blueprint, check: await blueprintChecker(io) }),
        },
        result: Blueprint,
        activeMs: timeoutMs(run.limits.councilResponseTimeout),
        onProviderFailure,
      });
      const { beads } = value;
      return {
        content: yamlText({ beads }),
        metrics: {
          beadCount: beads.length,
          totalTestCount: beads.flatMap(({ tests }) => tests).length,
          totalAcceptanceCriteriaCount: beads.flatMap((bead) => bead.acceptanceCriteria).length,
        },
      };
    });
    return { exit: 'ready' };
  },
};

/** REFINING_BEADS: the winner adds what its plan lacks (docs/decisions/020-refining-the-winner.md). */
export const refineBeads: HandlerDefinition<'refined'> = {
  version: 1,
  run: async (run, ticket) => {
    const sections = await takeUserContext(run, ticket);
    const winner = await winnerOf(run, beadsDocument.kind);
    const { value } = await ask(run, ticket, {
      key: 'refine',
      contextKey: 'beads_refine',
      prompt: 'beads-refine',
      member: winner,
      sections: async (io) => [...sections, ...(await refineSections(io, beadsDocument.kind))],
      state: async (io) => ({ drafts: await winnerFirst(io, beadsDocument.kind) }),
      parse: guardedParse(RefinedBlueprint, {
        domain: beadsDocument.kind,
        outline: beadsOutline,
        before: async (io) => winningDraft(io, beadsDocument.kind),
        documentOf: ({ beads }) => ({ beads }),
        problemIn: blueprintChecker,
      }),
      result: z.intersection(RefinedBlueprint, LeftOut),
      activeMs: timeoutMs(run.limits.councilResponseTimeout),
    });
    await run.record('record', z.null(), async (io) => {
      const { beads, changes } = value;
      io.save(artifactChange(ticket, 'beads_refined', yamlText({ beads, changes })));
      io.save(artifactChange(ticket, 'beads_blueprint', yamlText({ beads })));
      await saveLeftOut(io, beadsDocument.kind, 'refine', value, ticket);
      await saveLedger(io, ticket, beadsDocument.kind, { beads });
      return null;
    });
    return { exit: 'refined' };
  },
};

/** VERIFYING_BEADS_COVERAGE: the blueprint against the PRD (docs/decisions/024-coverage-loops.md). */
export const beadsCoverage: HandlerDefinition<'clean' | 'limit'> = {
  version: 2,
  run: async (run, ticket) => {
    const maxPasses = ticketParts(ticket).settings.maxBeadsCoveragePasses;
    const sections = await takeUserContext(run, ticket);
    const winner = await winnerOf(run, beadsDocument.kind);
    const report = await coverageLoop(run, {
      maxPasses,
      candidate: (io) => storedDocument(io, 'beads_blueprint', Blueprint),
      audit: (pass) =>
        auditCoverage(run, ticket, {
          key: `audit-${pass}`,
          domain: beadsDocument.kind,
          member: winner,
          pass,
          maxPasses,
          sections,
          state: blueprintState,
          subject: planSubjectOf,
        }),
      revise: async (pass, gaps) => {
        const key = `revise-${pass}`;
        await reviseBlueprint(run, ticket, { key, winner, gaps, history: [], sections, atGate: false });
      },
    });
    await run.record('record', z.null(), (io) => {
      const content = yamlText(CoverageReport.parse(report));
      io.save(artifactChange(ticket, coverageOf(beadsDocument.kind), content));
      return null;
    });
    return { exit: report.outcome === 'clean' ? 'clean' : 'limit' };
  },
};
