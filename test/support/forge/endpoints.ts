import { execFileSync } from 'node:child_process';
import type { MergeKind } from '../../../src/domain/forge/merging.ts';
import { answerSchema, filled } from './description.ts';
import type { StandInCheck } from './checkEndpoints.ts';
import type { StandInTalk } from './commentEndpoints.ts';
import type { ForgeStandIn } from './forgeStandIn.ts';

/** `git`: its bare repository; `protectedBranches`: with their required checks. */
export interface StandInRepository {
  readonly name: string;
  /** Another one where the name was registered again. */
  id: number;
  readonly git: string;
  readonly pulls: StandInPull[];
  readonly issues: StandInIssue[];
  /** People who aren't signed in as its members don't see it. */
  isPrivate: boolean;
  hasIssues: boolean;
  /** Its name now: the old one leads there. */
  renamedTo?: string;
  isArchived: boolean;
  mayPush: boolean;
  readonly protectedBranches: Map<string, readonly string[]>;
  /** The kinds that it allows, the usual one first; the branches with a merge queue. */
  merges: readonly MergeKind[];
  mayAutoMerge: boolean;
  readonly queues: Set<string>;
  readonly labels: string[];
  readonly collaborators: string[];
  /** Of every commit that has none of its own. */
  checks: readonly StandInCheck[];
  readonly checksOf: Map<string, readonly StandInCheck[]>;
  statuses: readonly {
    readonly context: string;
    readonly state: 'success' | 'pending' | 'failure';
    readonly description?: string;
    readonly target_url?: string;
  }[];
}

export interface StandInPull {
  readonly number: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  draft: boolean;
  mergedAt: string | null;
  /** `owner/name` of the repository, and the branch. */
  head: { readonly repository: string; readonly branch: string };
  base: string;
  labels?: string[];
  reviewers?: string[];
  /** The tip of its branch while it was open. */
  sha?: string;
  /** The commit on the base after a merge. */
  mergeSha?: string;
  /** Null: not computed yet. */
  mergeable?: boolean | null;
  autoMerge?: MergeKind | null;
  isQueued?: boolean;
  /** How often a person reopened it. */
  reopened?: number;
  reviews?: readonly StandInReview[];
  /** What people wrote to it. */
  talk?: StandInTalk;
}

export interface StandInReview {
  readonly user: string;
  readonly state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED';
  /** Default: a member of the repository. */
  readonly association?: string;
  readonly body?: string;
}

/** `movedTo`: another repository and the number there. */
export interface StandInIssue {
  readonly number: number;
  /** Default: by its number. */
  id?: number;
  readonly title: string;
  readonly body: string | null;
  state?: 'open' | 'closed';
  readonly author?: string | null;
  readonly association?: string;
  readonly labels?: readonly string[];
  comments?: readonly StandInComment[];
  readonly blockedBy?: number;
  movedTo?: readonly [repository: string, number: number] | undefined;
  isDeleted?: boolean;
  isLocked?: boolean;
}

export interface StandInComment {
  readonly author: string | null;
  readonly association: string;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Call {
  readonly forge: ForgeStandIn;
  readonly repository: StandInRepository;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly url: URL;
}

const userRoute = 'GET /user';
const pullsRoute = 'GET /repos/{owner}/{repo}/pulls';
const createRoute = 'POST /repos/{owner}/{repo}/pulls';
const pullRoute = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
const updateRoute = 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}';
const repositoryRoute = 'GET /repos/{owner}/{repo}';
const labelRoute = 'GET /repos/{owner}/{repo}/labels/{name}';
const addLabelsRoute = 'POST /repos/{owner}/{repo}/issues/{issue_number}/labels';
const reviewersRoute = 'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers';
const reviewsRoute = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews';
const statusRoute = 'GET /repos/{owner}/{repo}/commits/{ref}/status';
const branchRoute = 'GET /repos/{owner}/{repo}/branches/{branch}';

const issueRoute = 'GET /repos/{owner}/{repo}/issues/{issue_number}';
const commentsRoute = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';
/** Without a repository. */
export const generalEndpoints: Readonly<Record<string, (forge: ForgeStandIn) => Answer>> = {
  [userRoute]: ({ user }) => ok(userRoute, { login: user }),
};

/** By their routes, as GitHub describes them. */
export const endpoints: Readonly<Record<string, (call: Call) => Answer>> = {
  [repositoryRoute]: ({ forge, repository }) => ok(repositoryRoute, repositoryBody(forge, repository)),
  [branchRoute]: ({ repository, parameters }) => {
    const name = parameters['branch'] ?? '';
    const sha = tipOf(repository, name);
    if (sha === undefined) return notFound;
    const contexts = repository.protectedBranches.get(name);
    const body = {
      name,
      commit: { sha },
      protected: contexts !== undefined,
      protection: { enabled: contexts !== undefined, required_status_checks: { contexts: contexts ?? [] } },
    };
    return ok(branchRoute, body);
  },
  [pullsRoute]: (call) => {
    const { forge, repository, query } = call;
    const state = query.get('state') ?? 'open';
    const head = query.get('head');
    const found = repository.pulls
      .filter((one) => state === 'all' || one.state === state)
      .filter((one) => head === null || head === headOf(one))
      .toReversed();
    return page(
      call,
      pullsRoute,
      found.map((one) => pullBody(forge, repository, one)),
    );
  },
  [createRoute]: ({ forge, repository, body }) => {
    const given = body as Readonly<Record<string, string>> & { readonly draft?: boolean };
    const [owner = '', branch = ''] = (given['head'] ?? '').split(':');
    const name = given['head_repo'] ?? repository.name.split('/')[1] ?? '';
    const head = forge.repositories.get(`${owner}/${name}`.toLowerCase());
    const tip = head && tipOf(head, branch);
    const base = tipOf(repository, given['base'] ?? '');
    if (!head || tip === undefined) return unprocessable('head', 'invalid');
    if (base === undefined) return unprocessable('base', 'invalid');
    if (tip === base)
      return unprocessable('base', 'custom', `No commits between ${given['base'] ?? ''} and ${branch}`);
    const pull: StandInPull = {
      number: repository.pulls.length + 1,
      title: given['title'] ?? '',
      body: given['body'] ?? null,
      state: 'open',
      draft: given.draft ?? false,
      mergedAt: null,
      head: { repository: head.name, branch },
      base: given['base'] ?? '',
    };
    const isThere = repository.pulls.some((one) => one.state === 'open' && headOf(one) === headOf(pull));
    if (isThere) return unprocessable('', 'custom', `A pull request already exists for ${headOf(pull)}.`);
    if ((pull.body ?? '').length > 65_536) return unprocessable('body', 'custom', 'body is too long');
    repository.pulls.push(pull);
    return { ...ok(createRoute, pullBody(forge, repository, pull), 201) };
  },
  [pullRoute]: ({ forge, repository, parameters }) => {
    const pull = pullOf(repository, parameters);
    if (!pull) return notFound;
    // A list doesn't have it.
    const mergeable = pull.mergeable ?? null;
    const counts = {
      comments: pull.talk?.remarks.length ?? 0,
      review_comments: pull.talk?.lines.length ?? 0,
    };
    return ok(pullRoute, { ...pullBody(forge, repository, pull), ...counts, mergeable });
  },
  [issueRoute]: (call) => {
    const { forge, repository } = call;
    if (!repository.hasIssues) return gone;
    const issue = issueOf(call);
    if (!issue) return notFound;
    const own = 'draft' in issue ? undefined : issue;
    if (own?.isDeleted === true) return gone;
    if (own?.movedTo) {
      const [to, at] = own.movedTo;
      return movedTo(`http://${forge.host}/api/v3/repos/${to}/issues/${String(at)}`);
    }
    return ok(issueRoute, issueBody(call, issue));
  },
  [commentsRoute]: (call) => {
    const issue = issueOf(call);
    if (!issue) return notFound;
    const comments = ('draft' in issue ? undefined : issue.comments) ?? [];
    const shown = comments.map(({ author, association, body }) => ({
      body,
      user: personOf(author),
      author_association: association,
    }));
    return page(call, commentsRoute, shown);
  },
  [updateRoute]: ({ forge, repository, parameters, body }) => {
    const pull = pullOf(repository, parameters);
    if (!pull) return notFound;
    const {
      title,
      body: text,
      base,
      state,
    } = body as {
      readonly title?: string;
      readonly body?: string;
      readonly base?: string;
      readonly state?: 'open' | 'closed';
    };
    if (base !== undefined && tipOf(repository, base) === undefined) return unprocessable('base', 'invalid');
    if (base !== undefined) pull.base = base;
    if (state !== undefined) pull.state = state;
    if ((text ?? '').length > 65_536)
      return ok(updateRoute, { message: 'Validation Failed', errors: [{ code: 'custom' }] }, 422);
    if (title !== undefined) pull.title = title;
    if (text !== undefined) pull.body = text;
    return ok(updateRoute, pullBody(forge, repository, pull));
  },
  [labelRoute]: ({ repository, parameters }) => {
    const { name = '' } = parameters;
    return repository.labels.includes(name) ? ok(labelRoute, { name }) : notFound;
  },
  [addLabelsRoute]: ({ repository, parameters, body }) => {
    const pull = pullOf(repository, { pull_number: parameters['issue_number'] ?? '' });
    if (!pull) return notFound;
    const { labels } = body as { readonly labels: readonly string[] };
    pull.labels = [...new Set([...(pull.labels ?? []), ...labels])];
    return ok(
      addLabelsRoute,
      pull.labels.map((name) => ({ name })),
    );
  },
  [reviewersRoute]: ({ forge, repository, parameters, body }) => {
    const pull = pullOf(repository, parameters);
    if (!pull) return notFound;
    const { reviewers = [], team_reviewers: teams = [] } = body as Readonly<
      Record<string, readonly string[]>
    >;
    const asked = [...reviewers, ...teams];
    if (asked.some((name) => !repository.collaborators.includes(name)))
      return { status: 422, body: { message: 'Reviews may only be requested from collaborators.' } };
    pull.reviewers = [...new Set([...(pull.reviewers ?? []), ...asked])];
    return ok(reviewersRoute, pullBody(forge, repository, pull), 201);
  },
  [reviewsRoute]: (call) => {
    const pull = pullOf(call.repository, call.parameters);
    if (!pull) return notFound;
    const reviews = (pull.reviews ?? []).map(({ user, state, association = 'MEMBER', body = '' }, index) => ({
      id: index + 1,
      user: { login: user },
      state,
      body,
      author_association: association,
    }));
    return page(call, reviewsRoute, reviews);
  },
  [statusRoute]: (call) => {
    const sha = shaOf(call.repository, call.parameters['ref']);
    if (sha === undefined) return notFound;
    const { statuses } = call.repository;
    const body = { sha, total_count: statuses.length, statuses: statuses.slice(...spanOf(call)) };
    return { ...ok(statusRoute, body), ...linksTo(call, statuses.length) };
  },
};

export function issueOf({ repository, parameters }: Call): StandInIssue | StandInPull | undefined {
  const number = Number(parameters['issue_number']);
  return [...repository.issues, ...repository.pulls].find((one) => one.number === number);
}

function issueBody({ forge, repository }: Call, issue: StandInIssue | StandInPull): object {
  const own = 'draft' in issue ? undefined : issue;
  const page = `http://${forge.host}/${repository.name}`;
  const address = `http://${forge.host}/api/v3/repos/${repository.name}`;
  const url = `${page}/${own ? 'issues' : 'pull'}/${String(issue.number)}`;
  return {
    id: ('id' in issue ? issue.id : undefined) ?? 1_000 + issue.number,
    number: issue.number,
    url: `${address}/issues/${String(issue.number)}`,
    html_url: url,
    repository_url: address,
    title: issue.title,
    body: issue.body,
    state: issue.state ?? 'open',
    labels: (own?.labels ?? []).map((name) => ({ name })),
    user: personOf(own?.author === undefined ? forge.user : own.author),
    author_association: own?.association ?? 'OWNER',
    comments: own?.comments?.length ?? 0,
    ...(own ? {} : { pull_request: { url, html_url: url, diff_url: url, patch_url: url } }),
    issue_dependencies_summary: {
      blocked_by: own?.blockedBy ?? 0,
      blocking: 0,
      total_blocked_by: own?.blockedBy ?? 0,
      total_blocking: 0,
    },
  };
}

export function personOf(login: string | null): object | null {
  return login === null ? null : { login };
}

const gone: Answer = { status: 410, body: { message: 'This issue was deleted' } };

/** A commit of a pull request, or the tip of a branch. */
export function shaOf(repository: StandInRepository, ref = ''): string | undefined {
  const known = repository.pulls.find((one) => one.sha === ref);
  return known?.sha ?? tipOf(repository, ref) ?? (hasTip(repository, ref) ? ref : undefined);
}

export const notFound: Answer = { status: 404, body: { message: 'Not Found' } };

/** What GitHub answers where something has another name now. */
export function movedTo(location: string): Answer {
  return { status: 301, headers: { location }, body: { message: 'Moved Permanently', url: location } };
}

function unprocessable(field: string, code: string, message?: string): Answer {
  const error = { resource: 'PullRequest', code, ...(field && { field }), ...(message && { message }) };
  return ok(createRoute, { message: 'Validation Failed', errors: [error] }, 422);
}

/** An answer as GitHub describes it. */
export function ok(route: string, body: object, status = 200): Answer {
  return { status, body: filled(answerSchema(route, status) ?? {}, body) };
}

/** The entries of the wanted page. */
export function spanOf({ query }: Pick<Call, 'query'>): readonly [number, number] {
  const size = Number(query.get('per_page') ?? 30);
  const at = Number(query.get('page') ?? 1);
  return [(at - 1) * size, at * size];
}

/** One page, with the addresses of the others. */
export function page(call: Call, route: string, all: readonly object[]): Answer {
  const body = filled(answerSchema(route, 200) ?? {}, all.slice(...spanOf(call)));
  return { status: 200, body, ...linksTo(call, all.length) };
}

/** The addresses of the next and the last page, where there are more. */
export function linksTo({ query, url }: Call, total: number): Pick<Answer, 'headers'> {
  const [from, end] = spanOf({ query });
  const size = end - from;
  const at = from / size + 1;
  const to = (number: number, name: string): string => {
    const address = new URL(url);
    address.searchParams.set('page', String(number));
    return `<${address.href}>; rel="${name}"`;
  };
  const pages = Math.max(1, Math.ceil(total / size));
  return at < pages ? { headers: { link: [to(at + 1, 'next'), to(pages, 'last')].join(', ') } } : {};
}

export function pullOf(
  { pulls }: StandInRepository,
  { pull_number: number }: Readonly<Record<string, string>>,
): StandInPull | undefined {
  return pulls.find((one) => one.number === Number(number));
}

function headOf({ head }: StandInPull): string {
  return `${head.repository.split('/')[0] ?? ''}:${head.branch}`;
}

/** The tip of a branch in the bare repository. */
export function tipOf({ git }: StandInRepository, branch: string): string | undefined {
  try {
    const args = ['-C', git, 'rev-parse', '--quiet', '--verify', `refs/heads/${branch}`];
    return execFileSync('git', args, { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

function hasTip({ git }: StandInRepository, sha: string): boolean {
  const args = ['-C', git, 'for-each-ref', '--points-at', sha, 'refs/heads'];
  return /^[0-9a-f]{40}$/.test(sha) && execFileSync('git', args, { encoding: 'utf8' }) !== '';
}

function repositoryBody(forge: ForgeStandIn, repository: StandInRepository): object {
  const [login = '', name = ''] = repository.name.split('/');
  return {
    id: repository.id,
    name,
    full_name: repository.name,
    owner: { login },
    archived: repository.isArchived,
    default_branch: 'main',
    clone_url: forge.addressOf(repository.name),
    permissions: { admin: false, push: repository.mayPush, pull: true },
    allow_merge_commit: repository.merges.includes('merge'),
    allow_squash_merge: repository.merges.includes('squash'),
    allow_rebase_merge: repository.merges.includes('rebase'),
  };
}

/** Everyone who may read the repository can fetch it, also from a fork. */
function keepHead(
  { git }: StandInRepository,
  number: number,
  { from, tip }: { readonly from: string; readonly tip: string },
): void {
  const ref = `+${tip}:refs/pull/${String(number)}/head`;
  execFileSync('git', ['-C', git, '-c', 'protocol.file.allow=always', 'fetch', '--quiet', from, ref]);
}

function pullBody(forge: ForgeStandIn, repository: StandInRepository, pull: StandInPull): object {
  const head = forge.repositories.get(pull.head.repository.toLowerCase());
  const [owner = ''] = pull.head.repository.split('/');
  const tip = head && tipOf(head, pull.head.branch);
  if (tip !== undefined && pull.state === 'open') {
    if (pull.sha !== tip) keepHead(repository, pull.number, { from: head?.git ?? '', tip });
    pull.sha = tip;
  }
  const side = (
    of: StandInRepository | undefined,
    ref: string,
    sha = (of && tipOf(of, ref)) ?? '0'.repeat(40),
  ): object => ({
    label: `${owner}:${ref}`,
    ref,
    sha,
    ...(of ? { repo: repositoryBody(forge, of) } : {}),
  });
  return {
    number: pull.number,
    html_url: `http://${forge.host}/${repository.name}/pull/${String(pull.number)}`,
    title: pull.title,
    body: pull.body,
    state: pull.state,
    draft: pull.draft,
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeSha ?? null,
    user: { login: forge.user },
    head: side(head, pull.head.branch, pull.sha),
    base: side(repository, pull.base),
  };
}
