import { coverageOf } from '../domain/ticket/artifacts.ts';
import type { Summary } from '../domain/documents/base/document.ts';
import { councilKinds } from '../domain/documents/workDocuments.ts';
import { CoverageReport } from '../domain/requirements/interview.ts';
import { LossReport } from '../domain/loss/lossReport.ts';
import { documentNotes } from '../domain/loss/notes.ts';
import type { Client } from './api.ts';
import { readApprovals } from './approvals.ts';
import { readArtifact } from './readDocument.ts';

/** Notes on the making of a council's document, and on a rule that passed its gate. */
export async function readNotes(client: Client, ticket: string, kind: string): Promise<readonly Summary[]> {
  const passed = (await readApprovals(client, ticket)).filter(
    (one) => one.artifact === kind && one.by === 'policy',
  );
  const rules = passed.map(({ reason }) => ({ text: reason, args: [] }));
  const domain = councilKinds.find((one) => one === kind);
  if (!domain) return rules;
  const coverage = await readArtifact(client, ticket, coverageOf(domain), CoverageReport);
  const losses = await readArtifact(client, ticket, `${domain}_losses`, LossReport);
  return [...rules, ...documentNotes(coverage, losses)];
}
