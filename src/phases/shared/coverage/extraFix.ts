import * as z from 'zod';
import { coverageOf } from '../../../domain/artifacts.ts';
import { CoverageReport } from '../../../domain/documents/interview.ts';
import { BeadsmithError } from '../../../domain/errors.ts';
import type { TicketSnapshot } from '../../../domain/ticket.ts';
import type { Run } from '../../../engine/run/run.ts';
import { storedDocument, yamlText } from '../artifacts.ts';
import type { Question } from '../ask/askTypes.ts';
import { storedWinner } from '../council/drafts.ts';
import type { GateDocument } from '../gate/gateDocument.ts';
import { saveEditReceipt, type Sized } from '../receipts.ts';
import { type AuditedDomain, auditCoverage, type Resolution, type Subject } from './coverageLoop.ts';

const Before = z.object({ winner: z.string(), pass: z.number().int(), sha256: z.string(), bytes: z.number() });

/**
 * An extra fix at a gate: one revision of the document, one fresh audit, and the coverage report and a receipt that say so
 * (docs/decisions/024-coverage-loops.md).
 */
export async function extraFix(
  run: Run,
  ticket: TicketSnapshot,
  options: {
    /** Prefix of this fix's steps. */
    readonly key: string;
    readonly present: GateDocument<unknown>['present'];
    readonly domain: AuditedDomain;
    readonly revise: (winner: string) => Promise<readonly Resolution[]>;
    readonly state: (winner: string) => NonNullable<Question<unknown>['state']>;
    readonly subject: (winner: string) => Subject;
  },
): Promise<readonly Resolution[]> {
  const { key, present, domain } = options;
  const before = await run.record(`${key}-before`, Before, async (io) => {
    const { passes } = (await storedDocument(io, coverageOf(domain), CoverageReport)).document;
    return { winner: await storedWinner(io, domain), pass: passes.length + 1, ...hashOf(await present(io)) };
  });
  const resolutions = await options.revise(before.winner);
  const audit = await auditCoverage(run, ticket, {
    key: `${key}-audit`,
    domain,
    member: before.winner,
    pass: before.pass,
    maxPasses: before.pass,
    sections: [],
    state: options.state(before.winner),
    subject: options.subject(before.winner),
  });
  await run.record(`${key}-record`, z.null(), async (io) => {
    const after = hashOf(await present(io));
    const stored = await storedDocument(io, coverageOf(domain), CoverageReport);
    const pass = { pass: before.pass, status: audit.status, gaps: audit.gaps, candidate: after.sha256, by: 'fix_gaps' as const };
    const report: CoverageReport = {
      schema_version: 1,
      passes: [...stored.document.passes, pass],
      outcome: audit.status === 'clean' ? 'clean' : 'limit',
      open_gaps: audit.gaps,
      rows: audit.rows,
    };
    const { status, attempt } = stored;
    io.save({ type: 'artifact', artifact: coverageOf(domain), content: yamlText(report), status, attempt });
    saveEditReceipt(io, ticket, {
      artifact: domain,
      action: 'fix_gaps',
      surface: 'unknown',
      statusBefore: ticket.status,
      before: { sha256: before.sha256, bytes: before.bytes },
      after,
      invalidated: [],
    });
    return null;
  });
  return resolutions;
}

function hashOf(present: Sized | undefined): Sized {
  if (!present) throw new BeadsmithError('UNEXPECTED', { reason: 'the document to fix is missing' });
  return { sha256: present.sha256, bytes: present.bytes };
}
