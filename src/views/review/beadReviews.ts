import type { Bead } from '../../domain/beads/bead.ts';
import type { ArtifactInfo } from '../../domain/ticket/artifacts.ts';
import { BeadReview } from '../../domain/workflow/receipts.ts';
import type { Client, TicketView } from '../../protocol/api.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import type { TicketPlace } from '../shared/workbench.ts';

/** A finished bead that changed something. `changed`: the verdict was about an earlier diff. */
export interface ReviewedBead {
  readonly id: string;
  readonly title: string;
  readonly verdict: BeadReview['verdict'] | 'changed' | null;
}

export async function readBeadReviews(
  client: Client,
  ticket: string,
  artifacts: readonly Pick<ArtifactInfo, 'type'>[],
): Promise<ReadonlyMap<string, BeadReview>> {
  const types = new Set(artifacts.map(({ type }) => type).filter((type) => type.startsWith('bead_review:')));
  const reviews = await Promise.all([...types].map((type) => readArtifact(client, ticket, type, BeadReview)));
  return new Map(reviews.flatMap((review) => (review ? [[review.bead_id, review] as const] : [])));
}

export async function readReviewedBeads({
  repository: { client },
  ticket,
}: TicketPlace): Promise<readonly ReviewedBead[]> {
  const [{ beads }, artifacts] = await Promise.all([client.beads(ticket), client.artifacts(ticket)]);
  return reviewedBeads(beads, artifacts, await readBeadReviews(client, ticket, artifacts));
}

export function reviewedBeads(
  beads: readonly Bead[],
  artifacts: readonly ArtifactInfo[],
  reviews: ReadonlyMap<string, BeadReview>,
): readonly ReviewedBead[] {
  return beads.flatMap(({ id, title, status }) => {
    const diff = artifacts.findLast(({ type, archived }) => type === `bead_diff:${id}` && !archived);
    if (status !== 'done' || !diff || diff.bytes === 0) return [];
    const review = reviews.get(id);
    const isPresent = review?.diff_sha256 === diff.sha256;
    return [{ id, title, verdict: review ? (isPresent ? review.verdict : 'changed') : null }];
  });
}

/**
 * True at the review of a ticket once each bead that changed something has a verdict. Without such a bead
 * there are still the changes of the whole ticket to see.
 */
export async function isReviewed(
  place: TicketPlace,
  { actions }: Pick<TicketView, 'actions'>,
): Promise<boolean> {
  if (!actions.includes('close')) return false;
  const beads = await readReviewedBeads(place);
  return beads.length > 0 && !beads.some(isUnreviewed);
}

export function isUnreviewed({ verdict }: ReviewedBead): boolean {
  return verdict === null || verdict === 'changed';
}
