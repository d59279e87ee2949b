import * as z from 'zod';
import { CommitSha } from '../../../domain/core/ids.ts';
import type { ForgeRepository } from '../../../domain/forge/forgePlace.ts';
import type { ForgePullRequest } from '../../../engine/ports/ports.ts';
import type { Client } from './client.ts';
import { isRefused } from './threadStates.ts';

/** A repository's id, which another one of the same name doesn't have. */
export const RepositoryId = z.number().int().positive();

/** A pull request as GitHub's API answers it. */
export const Pull = z.object({
  number: z.number().int().positive(),
  html_url: z.string().regex(/^https?:\/\/[^\s<>]+$/),
  state: z.enum(['open', 'closed']),
  draft: z.boolean().optional(),
  merged_at: z.string().nullable(),
  body: z.string().nullable(),
  base: z.object({ ref: z.string() }),
  // Without a repository, that was deleted.
  head: z.object({
    ref: z.string(),
    sha: CommitSha,
    repo: z.object({ full_name: z.string() }).nullish(),
  }),
});
export type Pull = z.infer<typeof Pull>;

/** The state of a pull request, which GitHub says in three fields. */
export function stateOf({
  state,
  draft,
  merged_at,
}: Pick<Pull, 'state' | 'draft' | 'merged_at'>): ForgePullRequest['state'] {
  return merged_at !== null ? 'merged' : state === 'closed' ? 'closed' : draft === true ? 'draft' : 'open';
}

const reopenings = `query ($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      timelineItems(last: 1, itemTypes: [REOPENED_EVENT]) { nodes { ... on ReopenedEvent { id } } }
    }
  }
}`;

const Reopenings = z.object({
  repository: z.object({
    pullRequest: z.object({ timelineItems: z.object({ nodes: z.array(z.object({ id: z.string() })) }) }),
  }),
});

/** The ID of the event; null also for a token or a server without that API. */
export async function readLastReopening(
  client: Client,
  { owner, name: repo }: Pick<ForgeRepository, 'owner' | 'name'>,
  number: number,
): Promise<string | null> {
  try {
    const { repository } = Reopenings.parse(await client.graphql(reopenings, { owner, repo, number }));
    return repository.pullRequest.timelineItems.nodes.at(-1)?.id ?? null;
  } catch (error) {
    if (isRefused(error)) return null;
    throw error;
  }
}
