import { coverageOf } from '../domain/ticket/artifacts.ts';
import { CoverageReport, Interview, interviewDocument } from '../domain/requirements/interview.ts';
import { Prd, prdDocument } from '../domain/requirements/prd.ts';
import { settlingRows } from '../domain/links/auditRows.ts';
import { type BeadEvidence, linksOf, type Links, type LinkSources } from '../domain/links/links.ts';
import { RunsWithout } from '../domain/proof/withoutWork.ts';
import { BeadCommit, BeadExecution } from '../domain/beads/reports.ts';
import type { Client } from './api.ts';
import { readArtifact } from './readDocument.ts';

/** A ticket's links, with commits and tests of done beads (docs/decisions/093-links.md). */
export async function readLinks(client: Client, ticket: string): Promise<Links> {
  const { beads } = await client.beads(ticket);
  const done = beads.filter(({ status }) => status === 'done').map(({ id }) => id);
  const [sources, evidence] = await Promise.all([
    sourcesOf(client, ticket, beads),
    readEvidence(client, ticket, done),
  ]);
  return linksOf({ ...sources, evidence });
}

/** Reads the sources of a ticket's links. */
export async function readLinkSources(client: Client, ticket: string): Promise<LinkSources> {
  const { beads } = await client.beads(ticket);
  return sourcesOf(client, ticket, beads);
}

async function sourcesOf(
  client: Client,
  ticket: string,
  beads: NonNullable<LinkSources['beads']>,
): Promise<LinkSources> {
  const [interview, prd, report] = await Promise.all([
    readArtifact(client, ticket, interviewDocument.kind, Interview),
    readArtifact(client, ticket, prdDocument.kind, Prd),
    readArtifact(client, ticket, coverageOf(prdDocument.kind), CoverageReport),
  ]);
  return {
    questions: (interview?.questions ?? []).map(({ id, prompt }) => ({ id, prompt })),
    ...(prd ? { prd } : {}),
    ...(beads.length > 0 ? { beads } : {}),
    audited: report ? settlingRows(report.rows ?? [], report.open_gaps) : [],
  };
}

async function readEvidence(
  client: Client,
  ticket: string,
  done: readonly string[],
): Promise<Readonly<Record<string, BeadEvidence>>> {
  if (done.length === 0) return {};
  const { runs = [] } = (await readArtifact(client, ticket, 'runs_without_work', RunsWithout)) ?? {};
  const read = async (id: string): Promise<readonly (readonly [string, BeadEvidence])[]> => {
    const commit = (await readArtifact(client, ticket, `bead_commit:${id}`, BeadCommit))?.commit;
    if (typeof commit !== 'string') return [];
    const { evidence = [] } =
      (await readArtifact(client, ticket, `bead_execution:${id}`, BeadExecution)) ?? {};
    const tests = evidence.flatMap(({ command, without }) =>
      without ? (runs.find((run) => run.command === command && run.tree === without.tree)?.failed ?? []) : [],
    );
    return [[id, { commit, tests: [...new Set(tests)] }]];
  };
  return Object.fromEntries((await Promise.all(done.map(read))).flat());
}
