import * as z from 'zod';
import { Interview, CoverageReport, interviewDocument } from '../../domain/requirements/interview.ts';
import {
  RefinedPrd,
  prdBody,
  prdDocument,
  prdOutline,
  Prd,
  normalPrd,
  type PrdDraft,
  PrdRevision,
} from '../../domain/requirements/prd.ts';
import { LeftOut } from '../../domain/loss/lossReport.ts';
import { timeoutMs } from '../../domain/settings/settings.ts';
import type { HandlerDefinition, RecordIo, Run } from '../../engine/run/run.ts';
import { artifactChange, storedDocument, yamlText } from '../shared/ticket/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import { takeUserContext, ticketParts } from '../shared/ticket/ticketParts.ts';
import { validDrafts, winnerOf } from '../shared/panel/drafts.ts';
import { refineSections, winnerFirst, winningDraft } from '../shared/panel/refineContext.ts';
import { saveLedger } from '../shared/panel/saveLedger.ts';
import { guardedParse, saveLeftOut } from '../shared/coverage/keepContent.ts';
import { coverageOf } from '../../domain/ticket/artifacts.ts';
import {
  auditCoverage,
  coverageLoop,
  type Resolution,
  type Subject,
} from '../shared/coverage/coverageLoop.ts';
import { type AuditedAtGate, checkAgain } from '../shared/coverage/checkAgain.ts';
import { extraFix } from '../shared/coverage/extraFix.ts';
import { artifactDocument, type GateDocument } from '../shared/coverage/gateDocument.ts';
import { prdSubject } from '../../domain/links/subjects.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Status } from '../../domain/workflow/workflow.ts';
import type { ContextState } from '../../context/contextState.ts';
import { reviseCandidate, type Revision } from '../shared/coverage/reviseCandidate.ts';

/** REFINING_PRD: the winner adds what its draft lacks (docs/decisions/020-refining-the-winner.md). */
export const refinePrd: HandlerDefinition<'refined'> = {
  version: 1,
  run: async (run, ticket) => {
    const sections = await takeUserContext(run, ticket);
    const winner = await winnerOf(run, prdDocument.kind);
    const { value } = await ask(run, ticket, {
      key: 'refine',
      contextKey: 'prd_refine',
      prompt: 'prd-refine',
      member: winner,
      sections: async (io) => [...sections, ...(await refineSections(io, prdDocument.kind))],
      state: async (io) => ({
        drafts: await winnerFirst(io, prdDocument.kind),
        fullAnswers: await answersWinnerFirst(io, winner),
      }),
      parse: guardedParse(RefinedPrd, {
        domain: prdDocument.kind,
        outline: prdOutline,
        before: async (io) => winningDraft(io, prdDocument.kind),
        documentOf: prdBody,
      }),
      result: z.intersection(RefinedPrd, LeftOut),
      activeMs: timeoutMs(run.limits.councilResponseTimeout),
    });
    await run.record('record', z.null(), async (io) => {
      const refined = yamlText({ ...prdBody(value), changes: value.changes });
      io.save(artifactChange(ticket, 'prd_refined', refined));
      await savePrd(io, ticket, value, ticket);
      await saveLeftOut(io, prdDocument.kind, 'refine', value, ticket);
      await saveLedger(io, ticket, prdDocument.kind, prdBody(value));
      return null;
    });
    return { exit: 'refined' };
  },
};

async function answersWinnerFirst(io: RecordIo, winner: string): Promise<readonly string[]> {
  const members = (await validDrafts(io, prdDocument.kind)).map((draft) => draft.member);
  const ordered = [winner, ...members.filter((member) => member !== winner)];
  return Promise.all(
    ordered.map(async (member) => (await storedDocument(io, `full_answers:${member}`, Interview)).content),
  );
}

/** VERIFYING_PRD_COVERAGE: the PRD against the full answers (docs/decisions/024-coverage-loops.md). */
export const prdCoverage: HandlerDefinition<'clean' | 'limit'> = {
  version: 2,
  run: async (run, ticket) => {
    const maxPasses = ticketParts(ticket).settings.maxPrdCoveragePasses;
    const sections = await takeUserContext(run, ticket);
    const winner = await winnerOf(run, prdDocument.kind);
    const report = await coverageLoop(run, {
      maxPasses,
      candidate: async (io) => {
        const { sha256, document } = await storedDocument(io, prdDocument.kind, Prd);
        return { sha256, document: prdBody(document) };
      },
      audit: (pass) =>
        auditCoverage(run, ticket, {
          key: `audit-${pass}`,
          domain: prdDocument.kind,
          member: winner,
          pass,
          maxPasses,
          sections,
          state: prdState(winner),
          subject: prdSubjectOf(winner),
        }),
      revise: async (pass, gaps) => {
        const key = `revise-${pass}`;
        await revisePrd(run, ticket, { key, winner, gaps, history: [], sections, atGate: false });
      },
    });
    await run.record('record', z.null(), (io) => {
      const content = yamlText(CoverageReport.parse(report));
      io.save(artifactChange(ticket, coverageOf(prdDocument.kind), content));
      return null;
    });
    return { exit: report.outcome === 'clean' ? 'clean' : 'limit' };
  },
};

const stored = artifactDocument(prdDocument.kind);

const audited: AuditedAtGate = {
  domain: prdDocument.kind,
  present: stored.present,
  state: prdState,
  subject: prdSubjectOf,
};

export const prdGate: GateDocument<Prd> = {
  ...stored,
  fixGaps: (run, ticket, { key, gaps, history }) =>
    extraFix(run, ticket, key, {
      ...audited,
      revise: (winner) =>
        revisePrd(run, ticket, { key: `${key}-revise`, winner, gaps, history, sections: [], atGate: true }),
    }),
  checkAgain: (run, ticket, key) => checkAgain(run, ticket, key, audited),
};

function prdState(winner: string): (io: RecordIo) => Promise<Partial<ContextState>> {
  return async (io) => ({
    fullAnswers: [(await storedDocument(io, `full_answers:${winner}`, Interview)).content],
  });
}

/** Each of the winner's full answers, which an audit has to speak of. */
function prdSubjectOf(winner: string): Subject {
  return async (io) => {
    const { questions } = (await storedDocument(io, `full_answers:${winner}`, Interview)).document;
    return prdSubject((await storedDocument(io, prdDocument.kind, Prd)).document, questions);
  };
}

function revisePrd(run: Run, ticket: TicketSnapshot, revision: Revision): Promise<readonly Resolution[]> {
  return reviseCandidate(run, ticket, revision, {
    domain: prdDocument.kind,
    schema: PrdRevision,
    guard: {
      outline: prdOutline,
      before: async (io) => prdBody((await storedDocument(io, prdDocument.kind, Prd)).document),
      documentOf: prdBody,
    },
    state: prdState(revision.winner),
    placeOf: (io) => storedDocument(io, prdDocument.kind, Prd),
    save: (io, revised, place) => savePrd(io, ticket, revised, place),
  });
}

/** Stores a candidate as the ticket's PRD, with ids and sources of the engine's own. */
async function savePrd(
  io: RecordIo,
  ticket: TicketSnapshot,
  draft: PrdDraft,
  place: { readonly status: Status; readonly attempt: number },
): Promise<void> {
  const interview = await storedDocument(io, interviewDocument.kind, Interview);
  const content = yamlText(normalPrd(draft, { ticketId: ticket.id, interviewSha256: interview.sha256 }));
  const { status, attempt } = place;
  io.save({ type: 'artifact', artifact: prdDocument.kind, content, status, attempt });
}
