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
import { findingCounts, type ListedFinding, listedFindings, overStates } from '../../review/findingState.ts';
import { readBeadReviews } from '../../review/beadReviews.ts';
import { isOffered } from '../../commands/offered.ts';
import { documentTypes } from '../../documents/documentTypes.ts';
import type { FactTree } from './facts.ts';

/** The data of a ticket, read at once. */
export interface TicketParts {
  readonly detail: TicketDetail;
  readonly artifacts: readonly ArtifactInfo[];
  readonly beads: readonly Bead[];
  readonly runs: readonly RunView[];
  /** A person's reviews of finished beads, by the beads' ids. */
  readonly reviews: ReadonlyMap<string, BeadReview>;
  /** Context that people added for the agents, oldest first. */
  readonly context: readonly ContextEntry[];
  /** People's notes to reviewers that no review has taken into account yet. */
  readonly reviewNotes: readonly WaitingNote[];
  /** Findings of reviews. */
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

/**
 * Returns the rows that the tree shows below a ticket: errors first, then its work, then its results. A group
 * without anything in it is left out.
 */
export function ticketFacts({
  detail,
  artifacts,
  beads,
  runs,
  reviews,
  context,
  reviewNotes,
  findings,
}: TicketParts): readonly FactTree[] {
  const { ticket, view } = detail;
  const documents = artifactFacts(artifacts);
  const councils = councilKinds.flatMap((domain) => councilFact(domain, artifacts));
  return [
    ...(ticket.error
      ? [leaf('error', { kind: 'error', error: ticket.error, isPause: ticket.hold?.kind === 'budget' })]
      : []),
    ...(beads.length > 0
      ? [
          {
            key: 'beads',
            fact: { kind: 'beads', done: view.beadsDone, total: view.beadsTotal } as const,
            children: beads.map((bead, index) =>
              beadFact(bead, index + 1, { view, artifacts, beads, runs, reviews, findings }),
            ),
          },
        ]
      : []),
    ...(context.length + reviewNotes.length > 0
      ? [
          {
            key: 'context',
            fact: { kind: 'contexts', count: context.length + reviewNotes.length } as const,
            children: [
              ...reviewNotes
                .toReversed()
                .map(({ id, text }) => leaf(`context/${id}`, { kind: 'reviewNote', text })),
              ...context.toReversed().map((entry) => leaf(`context/${entry.id}`, { kind: 'context', entry })),
            ],
          },
        ]
      : []),
    ...(documents.length > 0
      ? [
          {
            key: 'artifacts',
            fact: { kind: 'artifacts', count: documents.length } as const,
            children: documents,
          },
        ]
      : []),
    ...(councils.length > 0
      ? [{ key: 'council', fact: { kind: 'councils' } as const, children: councils }]
      : []),
    ...(runs.length > 0
      ? [
          {
            key: 'calls',
            fact: { kind: 'calls', news: view.updatedAt } as const,
            children: [],
            late: true as const,
          },
        ]
      : []),
    ...(runs.length > 0
      ? [
          {
            key: 'runs',
            fact: { kind: 'runs', count: runs.length } as const,
            children: runs.toReversed().map(runFact),
          },
        ]
      : []),
    ...factsOf(ticket)
      .filter(({ isInTree }) => isInTree)
      .map((line) => leaf(line.name, { kind: 'line', line })),
  ];
}

function beadFact(
  bead: Bead,
  position: number,
  {
    view,
    artifacts,
    beads,
    runs,
    reviews,
    findings,
  }: Omit<TicketParts, 'detail' | 'context' | 'reviewNotes'> & Pick<TicketDetail, 'view'>,
): FactTree {
  const key = `beads/${bead.id}`;
  const done = new Set(beads.filter(({ status }) => status === 'done').map(({ id }) => id));
  const evidence = newest(artifacts, `bead_execution:${bead.id}`);
  const failures = newest(artifacts, `bead_failures:${bead.id}`);
  const diff = newest(artifacts, `bead_diff:${bead.id}`);
  const iterations = runs.flatMap((run) => run.iterations.filter((iteration) => iteration.bead === bead.id));
  return {
    key,
    fact: {
      kind: 'bead',
      bead: bead.id,
      title: bead.title,
      status: bead.status,
      iteration: bead.iteration,
      stage:
        iterations
          .flatMap(({ state, stages }) => (state === 'open' ? stages : []))
          .findLast(({ state }) => state === 'open')?.stage ?? null,
      verdict: reviews.get(bead.id)?.verdict ?? null,
      ...(bead.status === 'done' && bead.testCommands.length === 0 ? { unproved: true as const } : {}),
      offers:
        bead.status === 'done'
          ? (['acceptBead', 'rejectBead'] as const).filter((name) => isOffered(name, view))
          : [],
      position,
      total: beads.length,
      waitsFor: bead.status === 'pending' ? bead.dependencies.blocked_by.filter((id) => !done.has(id)) : [],
    },
    children: [
      ...(evidence
        ? [
            {
              key: `${key}/evidence`,
              fact: {
                kind: 'evidence',
                bead: bead.id,
                artifact: evidence.type,
                version: evidence.version,
              } as const,
              children: [],
              late: true as const,
            },
          ]
        : []),
      ...findingsFact(
        key,
        findings.filter(({ review }) => review.bead === bead.id),
        view,
      ),
      ...(failures
        ? [
            {
              key: `${key}/failures`,
              fact: { kind: 'failures', artifact: failures.type, version: failures.version } as const,
              children: [],
              late: true as const,
            },
          ]
        : []),
      ...(diff ? [{ key: `${key}/diff`, fact: artifactFact(diff, 1), children: [] }] : []),
      ...iterations.map((iteration) => iterationFact(key, iteration)),
    ],
  };
}

/**
 * Returns the row of a bead's review findings. There is none without a finding: the stage of the iteration
 * says that it was clean.
 */
function findingsFact(
  parent: string,
  found: readonly ListedFinding[],
  view: TicketDetail['view'],
): readonly FactTree[] {
  const shown = found.filter(({ state }) => state !== 'again');
  if (shown.length === 0) return [];
  const key = `${parent}/findings`;
  const isOpen = (one: ListedFinding): boolean =>
    one.decision === null && one.pending === null && !overStates.has(one.state);
  const offers = (['acceptFinding', 'dismissFinding', 'makeBeadOfFinding'] as const).filter((name) =>
    isOffered(name, view),
  );
  const children = shown.map((one) =>
    leaf(`${key}/${one.finding.id}`, { kind: 'finding', found: one, offers: isOpen(one) ? offers : [] }),
  );
  return [{ key, fact: { kind: 'findings', ...findingCounts(found) }, children }];
}

function runFact({ iterations, ...run }: RunView): FactTree {
  const key = `runs/${run.id}`;
  return {
    key,
    fact: { kind: 'run', run },
    children: iterations.map((iteration) => iterationFact(key, iteration)),
  };
}

function iterationFact(parent: string, iteration: IterationView): FactTree {
  const key = `${parent}/${iteration.run}`;
  return {
    key,
    fact: { kind: 'iteration', iteration },
    children: iteration.stages.map((stage, index) =>
      leaf(`${key}/${String(index)}`, { kind: 'stage', stage }),
    ),
  };
}

/**
 * The documents people look for come first, in the order in which a ticket gets them; then everything else
 * that can be shown.
 */
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
    return [
      {
        key,
        fact: artifactFact(present, versions.length),
        children:
          versions.length < 2
            ? []
            : versions.map((info) =>
                leaf(`${key}/${String(info.version)}`, {
                  ...artifactFact(info, versions.length),
                  kind: 'version',
                }),
              ),
      },
    ];
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

function councilFact(domain: Domain, artifacts: readonly ArtifactInfo[]): readonly FactTree[] {
  const [drafts, votes] = [newest(artifacts, `${domain}_drafts`), newest(artifacts, `${domain}_votes`)];
  if (!drafts && !votes) return [];
  const fact = { kind: 'council', domain, drafts: drafts !== undefined, votes: votes !== undefined } as const;
  // The version is part of the key, so that what was read of one is never shown for another.
  return [
    {
      key: `council/${domain}/${String(drafts?.version ?? 0)}.${String(votes?.version ?? 0)}`,
      fact,
      children: [],
      late: true,
    },
  ];
}

function newest(artifacts: readonly ArtifactInfo[], type: string): ArtifactInfo | undefined {
  return artifacts.findLast((info) => info.type === type && !info.archived);
}

function leaf(key: string, fact: FactTree['fact']): FactTree {
  return { key, fact, children: [] };
}
