import { councilKinds, type Domain } from '../../../domain/documents/documents.ts';
import { factsOf } from '../../../domain/facts/ticketFacts.ts';
import type { ArtifactInfo } from '../../../domain/ticket/artifacts.ts';
import type { ContextEntry } from '../../../domain/prompts/contextEntries.ts';
import type { Bead } from '../../../domain/beads/bead.ts';
import type { BeadReview } from '../../../domain/workflow/receipts.ts';
import type { Client, TicketDetail } from '../../../protocol/api.ts';
import type { WaitingNote } from '../../../protocol/findings.ts';
import { fileOf } from '../../../protocol/documents.ts';
import type { IterationView, RunView } from '../../../protocol/history.ts';
import { findingsDocument } from '../../../domain/documents/findings.ts';
import { findingCounts, isUndecided, type ListedFinding, listedFindings } from '../../review/findingState.ts';
import { readBeadReviews } from '../../review/beadReviews.ts';
import { isOffered } from '../../commands/offered.ts';
import { documentTypes } from '../../documents/documentTypes.ts';
import { type Fact, type FactTree, node } from './facts.ts';

export interface TicketParts {
  readonly detail: TicketDetail;
  readonly artifacts: readonly ArtifactInfo[];
  readonly beads: readonly Bead[];
  readonly runs: readonly RunView[];
  readonly reviews: ReadonlyMap<string, BeadReview>;
  readonly context: readonly ContextEntry[];
  readonly reviewNotes: readonly WaitingNote[];
  readonly findings: readonly ListedFinding[];
}

export async function readParts(client: Client, ticket: string): Promise<TicketParts> {
  const [detail, artifacts, { beads }, runs, context, reviewNotes] = await Promise.all([
    client.ticket(ticket),
    client.artifacts(ticket),
    client.beads(ticket),
    client.history.runs(ticket),
    client.context(ticket),
    client.findings.waitingNotes(ticket),
  ]);
  const isReviewed = newest(artifacts, findingsDocument.kind) !== undefined;
  const [reviews, found] = await Promise.all([
    readBeadReviews(client, ticket, artifacts),
    isReviewed ? client.findings.list(ticket) : [],
  ]);
  return {
    detail,
    artifacts,
    beads,
    runs,
    reviews,
    context,
    reviewNotes,
    findings: listedFindings(found, beads),
  };
}

export function ticketFacts(parts: TicketParts): readonly FactTree[] {
  const { artifacts, beads, runs, context, reviewNotes } = parts;
  const { ticket, view } = parts.detail;
  const documents = artifactFacts(artifacts);
  const contexts = [
    ...reviewNotes.toReversed().map(({ id, text }) => node(`context/${id}`, { kind: 'reviewNote', text })),
    ...context.toReversed().map((entry) => node(`context/${entry.id}`, { kind: 'context', entry })),
  ];
  const groups = [
    node(
      'beads',
      { kind: 'beads', done: view.beadsDone, total: view.beadsTotal },
      beads.map((bead, index) => beadFact(bead, index + 1, parts)),
    ),
    node('context', { kind: 'contexts', count: contexts.length }, contexts),
    node('artifacts', { kind: 'artifacts', count: documents.length }, documents),
    node(
      'council',
      { kind: 'councils' },
      councilKinds.flatMap((domain) => councilFact(domain, artifacts)),
    ),
    ...(runs.length > 0 ? [late('calls', { kind: 'calls', news: view.updatedAt })] : []),
    node('runs', { kind: 'runs', count: runs.length }, runs.toReversed().map(runFact)),
  ];
  return [
    ...(ticket.error
      ? [node('error', { kind: 'error', error: ticket.error, isPause: ticket.hold?.kind === 'budget' })]
      : []),
    ...groups.filter((group) => group.late || group.children.length > 0),
    ...factsOf(ticket)
      .filter(({ isInTree }) => isInTree)
      .map((line) => node(line.name, { kind: 'line', line })),
  ];
}

function beadFact(
  bead: Bead,
  position: number,
  { detail: { view }, artifacts, beads, runs, reviews, findings }: TicketParts,
): FactTree {
  const key = `beads/${bead.id}`;
  const isDone = bead.status === 'done';
  const done = new Set(beads.filter(({ status }) => status === 'done').map(({ id }) => id));
  const evidence = newest(artifacts, `bead_execution:${bead.id}`);
  const failures = newest(artifacts, `bead_failures:${bead.id}`);
  const diff = newest(artifacts, `bead_diff:${bead.id}`);
  const iterations = runs.flatMap((run) => run.iterations.filter((iteration) => iteration.bead === bead.id));
  const openStages = iterations.flatMap(({ state, stages }) => (state === 'open' ? stages : []));
  return node(
    key,
    {
      kind: 'bead',
      bead: bead.id,
      title: bead.title,
      status: bead.status,
      iteration: bead.iteration,
      stage: openStages.findLast(({ state }) => state === 'open')?.stage ?? null,
      verdict: reviews.get(bead.id)?.verdict ?? null,
      ...(isDone && bead.testCommands.length === 0 ? { unproved: true as const } : {}),
      offers: isDone ? (['acceptBead', 'rejectBead'] as const).filter((name) => isOffered(name, view)) : [],
      position,
      total: beads.length,
      waitsFor: bead.status === 'pending' ? bead.dependencies.blocked_by.filter((id) => !done.has(id)) : [],
    },
    [
      ...(evidence
        ? [late(`${key}/evidence`, { kind: 'evidence', bead: bead.id, ...storedIn(evidence) })]
        : []),
      ...findingsFact(
        key,
        findings.filter(({ review }) => review.bead === bead.id),
        view,
      ),
      ...(failures ? [late(`${key}/failures`, { kind: 'failures', ...storedIn(failures) })] : []),
      ...(diff ? [node(`${key}/diff`, artifactFact(diff, 1))] : []),
      ...iterations.map((iteration) => iterationFact(key, iteration)),
    ],
  );
}

/** No row without a finding: the stage of the iteration says that it was clean. */
function findingsFact(
  parent: string,
  found: readonly ListedFinding[],
  view: TicketDetail['view'],
): readonly FactTree[] {
  const shown = found.filter(({ state }) => state !== 'again');
  if (shown.length === 0) return [];
  const key = `${parent}/findings`;
  const offers = (['acceptFinding', 'dismissFinding', 'makeBeadOfFinding'] as const).filter((name) =>
    isOffered(name, view),
  );
  const children = shown.map((one) =>
    node(`${key}/${one.finding.id}`, { kind: 'finding', found: one, offers: isUndecided(one) ? offers : [] }),
  );
  return [node(key, { kind: 'findings', ...findingCounts(found) }, children)];
}

function runFact({ iterations, ...run }: RunView): FactTree {
  const key = `runs/${run.id}`;
  return node(
    key,
    { kind: 'run', run },
    iterations.map((iteration) => iterationFact(key, iteration)),
  );
}

function iterationFact(parent: string, iteration: IterationView): FactTree {
  const key = `${parent}/${iteration.run}`;
  return node(
    key,
    { kind: 'iteration', iteration },
    iteration.stages.map((stage, index) => node(`${key}/${String(index)}`, { kind: 'stage', stage })),
  );
}

/** The documents people look for come first, in the order in which a ticket gets them. */
function artifactFacts(artifacts: readonly ArtifactInfo[]): readonly FactTree[] {
  const known: readonly string[] = documentTypes;
  const shown = new Set(
    artifacts.map(({ type }) => type).filter((type) => fileOf(type) !== undefined && !isElsewhere(type)),
  );
  const types = [
    ...known.filter((type) => shown.has(type)),
    ...[...shown].filter((type) => !known.includes(type)),
  ];
  return types.flatMap((type) => {
    const versions = artifacts.filter((info) => info.type === type).toSorted((a, b) => b.version - a.version);
    const present = versions.find(({ archived }) => !archived) ?? versions[0];
    if (!present) return [];
    const key = `artifacts/${type}`;
    const older = versions.map((info) =>
      node(`${key}/${String(info.version)}`, { ...artifactFact(info, versions.length), kind: 'version' }),
    );
    return [node(key, artifactFact(present, versions.length), older.length < 2 ? [] : older)];
  });
}

/** Below its bead, or among the council's. */
function isElsewhere(type: string): boolean {
  return /^bead_(?:execution|diff|commit|failures):|^commit_evidence:|^full_answers:|_(?:drafts|votes|winner)$/.test(
    type,
  );
}

function artifactFact({ type, version, archived, createdAt }: ArtifactInfo, versions: number) {
  return { kind: 'artifact', artifact: type, version, archived, createdAt, versions } as const;
}

function storedIn({ type, version }: ArtifactInfo): { readonly artifact: string; readonly version: number } {
  return { artifact: type, version };
}

function councilFact(domain: Domain, artifacts: readonly ArtifactInfo[]): readonly FactTree[] {
  const [drafts, votes] = [newest(artifacts, `${domain}_drafts`), newest(artifacts, `${domain}_votes`)];
  if (!drafts && !votes) return [];
  // With the version in the key, what was read of one is never shown for another.
  const key = `council/${domain}/${String(drafts?.version ?? 0)}.${String(votes?.version ?? 0)}`;
  return [late(key, { kind: 'council', domain, drafts: drafts !== undefined, votes: votes !== undefined })];
}

function newest(artifacts: readonly ArtifactInfo[], type: string): ArtifactInfo | undefined {
  return artifacts.findLast((info) => info.type === type && !info.archived);
}

function late(key: string, fact: Fact): FactTree {
  return { ...node(key, fact), late: true };
}
