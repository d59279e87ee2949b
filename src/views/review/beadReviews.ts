import type { ArtifactInfo } from '../../domain/ticket/artifacts.ts';
import { BeadReview } from '../../domain/workflow/receipts.ts';
import type { Client } from '../../protocol/api.ts';
import { readArtifact } from '../../protocol/readDocument.ts';

export async function readBeadReviews(
  client: Client,
  ticket: string,
  artifacts: readonly Pick<ArtifactInfo, 'type'>[],
): Promise<ReadonlyMap<string, BeadReview>> {
  const types = new Set(artifacts.map(({ type }) => type).filter((type) => type.startsWith('bead_review:')));
  const reviews = await Promise.all([...types].map((type) => readArtifact(client, ticket, type, BeadReview)));
  return new Map(reviews.flatMap((review) => (review ? [[review.bead_id, review] as const] : [])));
}
