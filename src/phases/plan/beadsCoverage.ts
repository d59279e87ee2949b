import * as z from 'zod';
import { coverageOf } from '../../domain/ticket/artifacts.ts';
import { beadsDocument } from '../../domain/documents/beads.ts';
import { Blueprint } from '../../domain/beads/bead.ts';
import { CoverageReport } from '../../domain/requirements/interview.ts';
import type { HandlerDefinition } from '../../engine/run/run.ts';
import { storedDocument, yamlText } from '../shared/ticket/artifacts.ts';
import { ticketParts, takeUserContext } from '../shared/ticket/ticketParts.ts';
import { winnerOf } from '../shared/council/drafts.ts';
import { auditCoverage, coverageLoop } from '../shared/coverage/coverageLoop.ts';
import { blueprintState, planSubjectOf, reviseBlueprint } from './blueprint.ts';

/**
 * VERIFYING_BEADS_COVERAGE: the blueprint against the approved PRD (docs/decisions/024-coverage-loops.md).
 */
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
        await reviseBlueprint(run, ticket, {
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
        artifact: coverageOf(beadsDocument.kind),
        content,
        status: ticket.status,
        attempt: ticket.attempt,
      });
      return Promise.resolve(null);
    });
    return { exit: report.outcome === 'clean' ? 'clean' : 'limit' };
  },
};
