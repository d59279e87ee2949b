import * as z from 'zod';
import { coverageOf } from '../../../domain/ticket/artifacts.ts';
import { CoverageReport } from '../../../domain/requirements/interview.ts';
import type { CoverageAudit } from '../../../domain/requirements/prd.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { RecordIo, Run } from '../../../engine/run/run.ts';
import { artifactChange, storedDocument, type StoreIo, yamlText } from '../ticket/artifacts.ts';
import type { Call } from '../structured/askTypes.ts';
import { storedWinner } from '../panel/drafts.ts';
import type { GateDocument } from './gateDocument.ts';
import type { Sized } from '../ticket/receipts.ts';
import { type AuditedDomain, auditCoverage, type Subject } from './coverageLoop.ts';

export interface AuditedAtGate {
  readonly domain: AuditedDomain;
  readonly present: GateDocument<unknown>['present'];
  readonly state: (winner: string) => NonNullable<Call<unknown>['state']>;
  readonly subject: (winner: string) => Subject;
}

const Before = z.object({
  winner: z.string(),
  pass: z.number().int(),
  sha256: z.string(),
  bytes: z.number(),
});
type Before = z.infer<typeof Before>;

/**
 * One more audit that a person asks for; the document stays as it is (docs/decisions/024-coverage-loops.md).
 */
export async function checkAgain(
  run: Run,
  ticket: TicketSnapshot,
  key: string,
  document: AuditedAtGate,
): Promise<void> {
  const before = await beforeAudit(run, key, document);
  const audit = await auditAtGate(run, ticket, key, { document, before });
  await run.record(`${key}-record`, z.null(), async (io) => {
    await savePass(io, document, { audit, pass: before.pass, candidate: before.sha256, by: 'check_again' });
    return null;
  });
}

export function beforeAudit(run: Run, key: string, { domain, present }: AuditedAtGate): Promise<Before> {
  return run.record(`${key}-before`, Before, async (io) => {
    const { passes } = (await storedDocument(io, coverageOf(domain), CoverageReport)).document;
    return {
      winner: await storedWinner(io, domain),
      pass: passes.length + 1,
      ...(await sizeOf(io, present)),
    };
  });
}

/** No revision follows by itself, so it is the last pass. */
export function auditAtGate(
  run: Run,
  ticket: TicketSnapshot,
  key: string,
  { document, before: { winner, pass } }: { readonly document: AuditedAtGate; readonly before: Before },
): Promise<CoverageAudit> {
  return auditCoverage(run, ticket, {
    key: `${key}-audit`,
    domain: document.domain,
    member: winner,
    pass,
    maxPasses: pass,
    sections: [],
    state: document.state(winner),
    subject: document.subject(winner),
  });
}

export async function savePass(
  io: RecordIo,
  { domain }: AuditedAtGate,
  {
    audit,
    ...pass
  }: { readonly audit: CoverageAudit } & Pick<CoverageReport['passes'][number], 'pass' | 'candidate' | 'by'>,
): Promise<void> {
  const { document, ...place } = await storedDocument(io, coverageOf(domain), CoverageReport);
  const report: CoverageReport = {
    schema_version: 1,
    passes: [...document.passes, { ...pass, status: audit.status, gaps: audit.gaps }],
    outcome: audit.status === 'clean' ? 'clean' : 'limit',
    open_gaps: audit.gaps,
    rows: audit.rows,
  };
  io.save(artifactChange(place, coverageOf(domain), yamlText(report)));
}

export async function sizeOf(io: StoreIo, present: AuditedAtGate['present']): Promise<Sized> {
  const found = await present(io);
  if (!found) throw new BeadsmithError('UNEXPECTED', { reason: 'the document to check is missing' });
  return { sha256: found.sha256, bytes: found.bytes };
}
