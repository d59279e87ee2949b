import * as z from 'zod';
import { isRecord } from '../../../base/json.ts';
import type { ForgeRepository } from '../../../domain/forge/forgePlace.ts';
import type { Client } from './client.ts';

/** States of review threads, by the number of their first comment. GitHub's other API alone has them. */
export interface ThreadStates {
  /** The signed-in account; undefined if it isn't known. */
  readonly viewer: string | undefined;
  readonly byComment: ReadonlyMap<
    string,
    { readonly node: string; readonly isResolved: boolean; readonly isOutdated: boolean }
  >;
}

const mostPages = 20;

const states = `query ($owner: String!, $repo: String!, $number: Int!, $before: String) {
  viewer { login }
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      reviewThreads(last: 100, before: $before) {
        pageInfo { hasPreviousPage startCursor }
        nodes { id isResolved isOutdated comments(first: 1) { nodes { fullDatabaseId } } }
      }
    }
  }
}`;

const resolve = `mutation ($thread: ID!) {
  resolveReviewThread(input: { threadId: $thread }) { thread { id isResolved } }
}`;

const Page = z.object({
  viewer: z.object({ login: z.string() }),
  repository: z.object({
    pullRequest: z.object({
      reviewThreads: z.object({
        pageInfo: z.object({ hasPreviousPage: z.boolean(), startCursor: z.string().nullish() }),
        nodes: z.array(
          z.object({
            id: z.string().max(200),
            isResolved: z.boolean(),
            isOutdated: z.boolean(),
            comments: z.object({
              nodes: z.array(z.object({ fullDatabaseId: z.union([z.string(), z.number()]).nullish() })),
            }),
          }),
        ),
      }),
    }),
  }),
});

/** The newest threads. A token or a server without this API knows nothing of them. */
export async function readStates(
  client: Client,
  { owner, name: repo }: Pick<ForgeRepository, 'owner' | 'name'>,
  number: number,
  signal: AbortSignal | undefined,
): Promise<ThreadStates> {
  const byComment = new Map<
    string,
    { readonly node: string; readonly isResolved: boolean; readonly isOutdated: boolean }
  >();
  let viewer: string | undefined;
  let before: string | null = null;
  for (let page = 1; page <= mostPages; page += 1) {
    const variables = { owner, repo, number, before };
    const request = signal ? { request: { signal } } : {};
    let data: unknown;
    try {
      data = await client.graphql(states, { ...variables, ...request });
    } catch (error) {
      if (!isRefused(error)) throw error;
      return { viewer, byComment };
    }
    const read = Page.parse(data);
    viewer = read.viewer.login;
    const { pageInfo, nodes } = read.repository.pullRequest.reviewThreads;
    for (const { id, isResolved, isOutdated, comments } of nodes) {
      const first = comments.nodes[0]?.fullDatabaseId;
      if (first !== undefined && first !== null)
        byComment.set(String(first), { node: id, isResolved, isOutdated });
    }
    before = pageInfo.startCursor ?? null;
    if (!pageInfo.hasPreviousPage || before === null) break;
  }
  return { viewer, byComment };
}

/** Twice is as good as once. */
export async function resolveThread(client: Client, node: string): Promise<void> {
  await client.graphql(resolve, { thread: node });
}

/** An answer that says what is wrong with the request, such as a missing right or field. */
export function isRefused(error: unknown): error is Error {
  if (!(error instanceof Error && error.name === 'GraphqlResponseError')) return false;
  const errors = 'errors' in error && Array.isArray(error.errors) ? (error.errors as readonly unknown[]) : [];
  return !errors.some((one) => isRecord(one) && one['type'] === 'RATE_LIMITED');
}
