import * as z from 'zod';
import { coverageOf } from '../../domain/ticket/artifacts.ts';
import { CoverageReport } from '../../domain/requirements/interview.ts';
import { Prd, prdBody, prdDocument } from '../../domain/requirements/prd.ts';
import type { HandlerDefinition } from '../../engine/run/run.ts';
import { storedDocument, yamlText } from '../shared/ticket/artifacts.ts';
import { ticketParts, takeUserContext } from '../shared/ticket/ticketParts.ts';
import { winnerOf } from '../shared/council/drafts.ts';
import { auditCoverage, coverageLoop } from '../shared/coverage/coverageLoop.ts';
import { prdState, prdSubjectOf, revisePrd } from './revisePrd.ts';

/**
 * VERIFYING_PRD_COVERAGE: the candidate against the winner's full answers
 * (docs/decisions/024-coverage-loops.md).
 */
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
        await revisePrd(run, ticket, {
          key: `revise-${pass}`,
          winner,
          gaps,
          history: [],
          sections,
          atGate: false,
        });
      },
    });
    await run.record('record', z.null(), (io) => {
      const content = yamlText(CoverageReport.parse(report));
      io.save({
        type: 'artifact',
        artifact: coverageOf(prdDocument.kind),
        content,
        status: ticket.status,
        attempt: ticket.attempt,
      });
      return Promise.resolve(null);
    });
    return { exit: report.outcome === 'clean' ? 'clean' : 'limit' };
  },
};
