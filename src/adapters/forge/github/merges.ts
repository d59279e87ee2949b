import { RequestError } from '@octokit/request-error';
import * as z from 'zod';
import { oneLine } from '../../../base/oneLine.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { ForgeRepository } from '../../../domain/forge/forgePlace.ts';
import { because, type ForgeReason } from '../../../domain/forge/forgeReasons.ts';
import { isDue, MergeKind, type Merging } from '../../../domain/forge/merging.ts';
import type { WantedMerge } from '../../../engine/ports/ports.ts';
import type { Client } from './client.ts';
import { isRefused } from './threadStates.ts';

const state = `query ($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) {
    mergeCommitAllowed squashMergeAllowed rebaseMergeAllowed autoMergeAllowed viewerDefaultMergeMethod
    pullRequest(number: $number) {
      id baseRefName isMergeQueueEnabled isInMergeQueue mergeStateStatus autoMergeRequest { mergeMethod }
    }
  }
}`;

const enable = `mutation ($pull: ID!, $kind: PullRequestMergeMethod, $commit: GitObjectID) {
  enablePullRequestAutoMerge(input: { pullRequestId: $pull, mergeMethod: $kind, expectedHeadOid: $commit }) {
    pullRequest { id }
  }
}`;
const disable = `mutation ($pull: ID!) {
  disablePullRequestAutoMerge(input: { pullRequestId: $pull }) { pullRequest { id } }
}`;
const enqueue = `mutation ($pull: ID!, $commit: GitObjectID) {
  enqueuePullRequest(input: { pullRequestId: $pull, expectedHeadOid: $commit }) { mergeQueueEntry { id } }
}`;
const dequeue = `mutation ($pull: ID!) {
  dequeuePullRequest(input: { id: $pull }) { mergeQueueEntry { id } }
}`;

const Kind = z
  .string()
  .transform((word) => MergeKind.safeParse(word.toLowerCase()).data ?? null)
  .nullish();

const State = z.object({
  repository: z.object({
    mergeCommitAllowed: z.boolean(),
    squashMergeAllowed: z.boolean(),
    rebaseMergeAllowed: z.boolean(),
    autoMergeAllowed: z.boolean(),
    viewerDefaultMergeMethod: Kind,
    pullRequest: z.object({
      id: z.string().max(200),
      baseRefName: z.string(),
      isMergeQueueEnabled: z.boolean(),
      isInMergeQueue: z.boolean(),
      mergeStateStatus: z.string(),
      autoMergeRequest: z.object({ mergeMethod: Kind }).nullable(),
    }),
  }),
});

/** States that GitHub merges at once; with the last, checks failed that aren't required. */
const ready: readonly string[] = ['CLEAN', 'HAS_HOOKS', 'UNSTABLE'];

/** `reader`: a client that only reads. */
interface MergeParts {
  readonly client: Client;
  readonly reader: Client;
  readonly place: ForgeRepository;
}

/** The state of a merge, and what is only asked right before one. */
interface MergeState {
  readonly node: string;
  readonly base: string;
  readonly isReady: boolean;
  readonly merging: Merging;
}

/** Reads from GitHub's other API, which alone says it; undefined for a token or a server without that. */
export async function readMerging(
  client: Client,
  { owner, name: repo }: Pick<ForgeRepository, 'owner' | 'name'>,
  number: number,
  signal?: AbortSignal,
): Promise<MergeState | undefined> {
  let data: unknown;
  try {
    const request = signal ? { request: { signal } } : {};
    data = await client.graphql(state, { owner, repo, number, ...request });
  } catch (error) {
    if (isRefused(error)) return undefined;
    throw error;
  }
  const { repository } = State.parse(data);
  const { pullRequest: pull } = repository;
  return {
    node: pull.id,
    base: pull.baseRefName,
    isReady: ready.includes(pull.mergeStateStatus),
    merging: {
      kinds: [
        ...(repository.mergeCommitAllowed ? (['merge'] as const) : []),
        ...(repository.squashMergeAllowed ? (['squash'] as const) : []),
        ...(repository.rebaseMergeAllowed ? (['rebase'] as const) : []),
      ],
      usual: repository.viewerDefaultMergeMethod ?? null,
      mayAuto: repository.autoMergeAllowed,
      auto: pull.autoMergeRequest ? (pull.autoMergeRequest.mergeMethod ?? 'merge') : null,
      hasQueue: pull.isMergeQueueEnabled,
      isQueued: pull.isInMergeQueue,
    },
  };
}

/** Merges it, or plans that. Throws FORGE_REFUSED. */
export async function mergePull(
  { client, reader, place }: MergeParts,
  number: number,
  { whenReady, kind, commit, base }: WantedMerge,
): Promise<void> {
  const read = await readMerging(reader, place, number);
  if (read && read.base !== base) throw refused(place, 'mergeMoved', `It goes into "${read.base}" now.`);
  const hasQueue = read?.merging.hasQueue === true;
  if (!hasQueue && (!whenReady || read?.isReady === true)) {
    await mergeNow(client, place, number, { kind, commit });
    return;
  }
  if (!read || (!hasQueue && !read.merging.mayAuto)) throw refused(place, 'mergeByItself');
  const on = { pull: read.node, commit };
  const method = kind === undefined || hasQueue ? {} : { kind: kind.toUpperCase() };
  const parts = { client, reader, place };
  if (whenReady) await plan(parts, number, { mutation: enable, of: { ...on, ...method }, isThere: isDue });
  else await plan(parts, number, { mutation: enqueue, of: on, isThere: ({ isQueued }) => isQueued });
}

async function mergeNow(
  client: Client,
  place: ForgeRepository,
  number: number,
  { kind, commit }: Pick<WantedMerge, 'kind' | 'commit'>,
): Promise<void> {
  try {
    await client.request('PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge', {
      owner: place.owner,
      repo: place.name,
      pull_number: number,
      sha: commit,
      ...(kind === undefined ? {} : { merge_method: kind }),
      // A second one would be refused, as if the first hadn't been.
      request: { retries: 0 },
    });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { status, message, response } = error;
    const why = refusals[status];
    const isLimit = status === 403 && /rate limit/i.test(message);
    if (why === undefined || isLimit || response?.headers['retry-after'] !== undefined) throw error;
    // Octokit adds where it is documented.
    const said = message.replace(/\.? - https?:\/\/\S+$/u, '');
    throw refused(place, why, `${said} (${String(status)}).`);
  }
}

/** Ends what is planned. Throws FORGE_REFUSED. */
export async function unplanPull({ client, reader, place }: MergeParts, number: number): Promise<void> {
  const read = await readMerging(reader, place, number);
  if (!read) throw refused(place, 'mergeUnknown');
  const { node: pull, merging } = read;
  const parts = { client, reader, place };
  if (merging.isQueued)
    await plan(parts, number, { mutation: dequeue, of: { pull }, isThere: ({ isQueued }) => !isQueued });
  if (merging.auto !== null)
    await plan(parts, number, { mutation: disable, of: { pull }, isThere: ({ auto }) => auto === null });
}

const refusals: Readonly<Record<number, ForgeReason>> = {
  403: 'mergeRights',
  404: 'mergeRights',
  405: 'mergeNotReady',
  409: 'mergeMoved',
};

interface Plan {
  readonly mutation: string;
  readonly of: Readonly<Record<string, string>>;
  readonly isThere: (merging: Merging) => boolean;
}

/** Sends a wish. One that is refused may stand already: by another request, or one whose answer was lost. */
async function plan(
  { client, reader, place }: MergeParts,
  number: number,
  { mutation, of, isThere }: Plan,
): Promise<void> {
  try {
    await client.graphql(mutation, of);
  } catch (error) {
    if (!isRefused(error)) throw error;
    const now = await readMerging(reader, place, number);
    if (!now || !isThere(now.merging)) throw refused(place, 'mergeRefused', error.message);
  }
}

function refused({ host }: ForgeRepository, why: ForgeReason, said = ''): BeadsmithError {
  return new BeadsmithError('FORGE_REFUSED', { host, ...because(why, { said: oneLine(said, 1_000) }) });
}
