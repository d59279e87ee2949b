import { execFileSync } from 'node:child_process';
import type { MergeKind } from '../../../src/domain/forge/merging.ts';
import { checksOf } from './checkEndpoints.ts';
import { type Answer, type Call, notFound, ok, pullOf, shaOf, tipOf } from './endpoints.ts';
import type { StandInPull, StandInRepository } from './endpoints.ts';
import type { ForgeStandIn } from './forgeStandIn.ts';

const mergeRoute = 'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge';

/** Merging, by its route, as GitHub describes it. */
export const mergeEndpoints: Readonly<Record<string, (call: Call) => Answer>> = {
  [mergeRoute]: ({ repository, parameters, body }) => {
    const pull = pullOf(repository, parameters);
    if (!pull) return notFound;
    const { sha, merge_method: kind = 'merge' } = body as {
      readonly sha?: string;
      readonly merge_method?: MergeKind;
    };
    if (!repository.mayPush) return refused(403, 'Resource not accessible by personal access token');
    const why = whyNot(repository, pull);
    if (pull.state === 'closed' || why !== undefined)
      return refused(405, why ?? 'Pull Request is not mergeable');
    if (sha !== undefined && sha !== shaOf(repository, pull.head.branch))
      return refused(409, 'Head branch was modified. Review and try the merge again.');
    if (repository.queues.has(pull.base)) return refused(405, 'Changes must be made through the merge queue');
    if (!repository.merges.includes(kind))
      return refused(405, `${kind} merges are not allowed on this repository.`);
    return ok(mergeRoute, { sha: mergePull(repository, pull, kind), merged: true, message: 'merged' });
  },
};

/** Merges with real git, as a person, auto-merge or the queue does. */
export function mergePull(
  repository: StandInRepository,
  pull: StandInPull,
  kind: MergeKind = 'merge',
): string {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', repository.git, ...args], {
      encoding: 'utf8',
      env: { ...process.env, ...author },
    }).trim();
  const base = tipOf(repository, pull.base) ?? '';
  const head = tipOf(repository, pull.head.branch) ?? '';
  const tree = git('merge-tree', '--write-tree', base, head);
  const parents = ['-p', base, ...(kind === 'merge' ? ['-p', head] : [])];
  const merge = git('commit-tree', '-m', `Merge #${String(pull.number)}`, ...parents, tree);
  git('update-ref', `refs/heads/${pull.base}`, merge);
  Object.assign(pull, {
    sha: head,
    state: 'closed',
    mergedAt,
    mergeSha: merge,
    autoMerge: null,
    isQueued: false,
  });
  return merge;
}

/** At all times, so that the same merge has the same name. */
const mergedAt = '2026-01-01T00:00:00Z';
const author = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, 'GitHub'],
    [`GIT_${who}_EMAIL`, 'noreply@github.com'],
    [`GIT_${who}_DATE`, mergedAt],
  ]),
);

/** What an open pull request lacks. */
function whyNot(repository: StandInRepository, pull: StandInPull): string | undefined {
  if (pull.draft) return 'Pull Request is still a draft';
  if (pull.mergeable === false) return 'Pull Request is not mergeable';
  const sha = shaOf(repository, pull.head.branch) ?? '';
  const passed = checksOf(repository, sha).filter(({ conclusion }) => conclusion === 'success');
  const missing = (repository.protectedBranches.get(pull.base) ?? []).find((name) =>
    passed.every((check) => check.name !== name),
  );
  return missing === undefined ? undefined : `Required status check "${missing}" is expected.`;
}

/** Words of GitHub's schema that are used for merging. */
export const mergeWords = `mergeCommitAllowed squashMergeAllowed rebaseMergeAllowed autoMergeAllowed
  viewerDefaultMergeMethod baseRefName isMergeQueueEnabled isInMergeQueue mergeStateStatus autoMergeRequest mergeMethod
  PullRequestMergeMethod GitObjectID enablePullRequestAutoMerge disablePullRequestAutoMerge enqueuePullRequest
  dequeuePullRequest pullRequestId expectedHeadOid mergeQueueEntry pull kind commit
  timelineItems itemTypes REOPENED_EVENT on ReopenedEvent`;

type Variables = Readonly<Record<string, unknown>>;

/** GitHub's other API, as far as it is about merging. */
export function answerMergeGraph(forge: ForgeStandIn, query: string, variables: Variables): Answer {
  const all = [...forge.repositories.values()];
  if (!query.startsWith('mutation')) {
    const repository = forge.repositories.get(
      `${String(variables['owner'])}/${String(variables['repo'])}`.toLowerCase(),
    );
    const pull = repository?.pulls.find((one) => one.number === variables['number']);
    return repository && pull
      ? answered(stateOf(repository, pull))
      : failed('Could not resolve to a PullRequest');
  }
  const [, of = '', number] = /^PR_(.+)_(\d+)$/.exec(String(variables['pull'])) ?? [];
  const repository = all.find(({ name }) => name.replace('/', '-') === of);
  const pull = repository?.pulls.find((one) => one.number === Number(number));
  if (!repository || !pull) return failed('Could not resolve to a node');
  const [name = ''] = /\w+PullRequest\w*(?=\()/.exec(query) ?? [];
  forge.requests.push(`graphql ${name}`);
  if (!repository.mayPush) return failed('ada does not have permission to do that');
  const { commit } = variables;
  if (commit !== undefined && commit !== shaOf(repository, pull.head.branch))
    return failed('Head sha was modified');
  const why = whyNot(repository, pull);
  switch (name) {
    case 'enablePullRequestAutoMerge':
      if (!repository.mayAutoMerge) return failed('Auto merge is not allowed for this repository');
      if (repository.queues.has(pull.base) && why === undefined) pull.isQueued = true;
      else if (why === undefined) return failed('Pull request Pull request is in clean status');
      else pull.autoMerge = kindOf(variables['kind']);
      break;
    case 'disablePullRequestAutoMerge':
      if (!pull.autoMerge) return failed("Can't disable auto-merge for this pull request");
      pull.autoMerge = null;
      break;
    case 'enqueuePullRequest':
      if (why !== undefined) return failed(`Pull request is not mergeable: ${why}`);
      if (pull.isQueued === true) return failed('Pull request is already in the queue');
      pull.isQueued = true;
      break;
    default:
      pull.isQueued = false;
  }
  forge.after.get(`graphql ${name}`)?.();
  return answered({ [name]: { pullRequest: { id: variables['pull'] } } });
}

function kindOf(given: unknown): MergeKind {
  return typeof given === 'string' ? (given.toLowerCase() as MergeKind) : 'merge';
}

function stateOf(repository: StandInRepository, pull: StandInPull): object {
  const { merges, mayAutoMerge, queues } = repository;
  return {
    repository: {
      mergeCommitAllowed: merges.includes('merge'),
      squashMergeAllowed: merges.includes('squash'),
      rebaseMergeAllowed: merges.includes('rebase'),
      autoMergeAllowed: mayAutoMerge,
      viewerDefaultMergeMethod: (merges[0] ?? 'merge').toUpperCase(),
      pullRequest: {
        id: `PR_${repository.name.replace('/', '-')}_${String(pull.number)}`,
        baseRefName: pull.base,
        isMergeQueueEnabled: queues.has(pull.base),
        isInMergeQueue: pull.isQueued === true,
        mergeStateStatus: whyNot(repository, pull) === undefined ? 'CLEAN' : 'BLOCKED',
        autoMergeRequest: pull.autoMerge ? { mergeMethod: pull.autoMerge.toUpperCase() } : null,
        timelineItems: { nodes: pull.reopened === undefined ? [] : [{ id: `RE_${String(pull.reopened)}` }] },
      },
    },
  };
}

function answered(data: object): Answer {
  return { status: 200, body: { data } };
}

function failed(message: string): Answer {
  return { status: 200, body: { data: null, errors: [{ type: 'UNPROCESSABLE', message }] } };
}

function refused(status: number, message: string): Answer {
  return { status, body: { message, documentation_url: 'https://docs.github.com/rest' } };
}
