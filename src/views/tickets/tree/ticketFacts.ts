import type { ArtifactInfo } from '../../../domain/ticket/artifacts.ts';
import { type ForgeState, stateLine } from '../../../domain/forge/forgeLook.ts';
import { issueLine } from '../../../domain/forge/issueLink.ts';
import type { Bead } from '../../../domain/beads/bead.ts';
import type { BeadReview } from '../../../domain/workflow/receipts.ts';
import type { Client, TicketDetail } from '../../../protocol/api.ts';
import { countViewed, type TicketViewed } from '../../review/viewedFiles.ts';
import { readBeadReviews } from '../../review/beadReviews.ts';
import { words } from '../../shared/errorText.ts';
import { isOffered } from '../../commands/offered.ts';
import { type BeadFact, type FactTree, late, node } from './facts.ts';
import { hasDetails } from './lateFacts.ts';

export interface TicketParts {
  readonly detail: Pick<TicketDetail, 'ticket' | 'view' | 'requests'>;
  readonly artifacts: readonly ArtifactInfo[];
  readonly beads: readonly Bead[];
  readonly reviews: ReadonlyMap<string, BeadReview>;
  readonly viewed: ReadonlyMap<string, BeadFact['viewed']>;
}

/** Files are counted only below a bead of which one was viewed. */
export async function readParts(client: Client, ticket: string, viewed: TicketViewed): Promise<TicketParts> {
  const [detail, artifacts, { beads }] = await Promise.all([
    client.ticket(ticket),
    client.artifacts(ticket),
    client.beads(ticket),
  ]);
  const [reviews, counts] = await Promise.all([
    readBeadReviews(client, ticket, artifacts),
    Promise.all(
      beads
        .filter(({ id }) => viewed.hasAny(id))
        .map(async ({ id }) => [id, await countViewed(client, ticket, id, viewed)] as const),
    ),
  ]);
  return { detail, artifacts, beads, reviews, viewed: new Map(counts) };
}

/** Its error, requests, issue and beads. The rest is on its page (docs/decisions/191-state-first.md). */
export function ticketFacts(parts: TicketParts): readonly FactTree[] {
  const { artifacts, beads, detail } = parts;
  const { ticket, view, requests } = detail;
  // Before and after, nothing of the forge is waited for.
  const isAtReview = view.actions.includes('check_pull_request');
  const offers = (['replyToAgent'] as const).filter((name) => isOffered(name, view));
  return [
    ...(ticket.error
      ? [node('error', { kind: 'error', error: ticket.error, isPause: ticket.hold?.kind === 'budget' })]
      : []),
    ...(isAtReview && ticket.forge ? pullRequestFacts(ticket.forge) : []),
    ...requests.map(({ id, content }) => node(`requests/${id}`, { kind: 'request', content, offers })),
    ...(ticket.origin
      ? [
          node('issue', {
            kind: 'issue',
            look: issueLine(ticket.origin, ticket.forge?.issue),
            location: ticket.origin.url,
          }),
        ]
      : []),
    ...beads.map((bead, index) => beadFact(bead, index + 1, parts)),
    ...(hasDetails(artifacts)
      ? [late('details', { kind: 'details', news: `${artifacts.length}.${artifacts.at(-1)?.id ?? 0}` })]
      : []),
  ];
}

function pullRequestFacts(forge: ForgeState): readonly FactTree[] {
  const { location, news, failures: checks, base } = forge;
  return [
    ...(news ? [node('news', { kind: 'error', error: news })] : []),
    node('pullRequest', { kind: 'pullRequest', look: stateLine(forge, words), location }),
    ...(checks.length > 0 ? [node('failedChecks', { kind: 'failedChecks', checks, base })] : []),
  ];
}

function beadFact(bead: Bead, position: number, parts: TicketParts): FactTree {
  const { detail, beads, reviews, viewed } = parts;
  const { view } = detail;
  const count = viewed.get(bead.id);
  const key = `beads/${bead.id}`;
  const isDone = bead.status === 'done';
  const done = new Set(beads.filter(({ status }) => status === 'done').map(({ id }) => id));
  const tree = node(key, {
    kind: 'bead',
    bead: bead.id,
    title: bead.title,
    status: bead.status,
    iteration: bead.iteration,
    stage: view.coding?.bead === bead.id ? view.coding.stage : null,
    verdict: reviews.get(bead.id)?.verdict ?? null,
    ...(count ? { viewed: count } : {}),
    ...(isDone && bead.testCommands.length === 0 ? { unproved: true as const } : {}),
    offers: isDone ? (['acceptBead', 'rejectBead'] as const).filter((name) => isOffered(name, view)) : [],
    position,
    total: beads.length,
    waitsFor: bead.status === 'pending' ? bead.dependencies.blocked_by.filter((id) => !done.has(id)) : [],
  });
  return bead.status === 'pending' && bead.iteration <= 1 ? tree : { ...tree, late: true };
}
