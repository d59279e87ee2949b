import { execFileSync } from 'node:child_process';
import { answerSchema, filled } from './description.ts';
import type { ForgeStandIn } from './forgeStandIn.ts';

/** `git`: its bare repository; `protectedBranches`: with their required checks. */
export interface StandInRepository {
  readonly name: string;
  readonly git: string;
  readonly pulls: StandInPull[];
  isArchived: boolean;
  mayPush: boolean;
  readonly protectedBranches: Map<string, readonly string[]>;
  readonly labels: string[];
  readonly collaborators: string[];
}

export interface StandInPull {
  readonly number: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  draft: boolean;
  mergedAt: string | null;
  /** `owner/name` of the repository, and the branch. */
  readonly head: { readonly repository: string; readonly branch: string };
  readonly base: string;
  labels?: string[];
  reviewers?: string[];
  /** The tip of its branch while it was open. */
  sha?: string;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Call {
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
const branchRoute = 'GET /repos/{owner}/{repo}/branches/{branch}';

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
    return pull ? ok(pullRoute, pullBody(forge, repository, pull)) : notFound;
  },
  [updateRoute]: ({ forge, repository, parameters, body }) => {
    const pull = pullOf(repository, parameters);
    if (!pull) return notFound;
    const { title, body: text } = body as { readonly title?: string; readonly body?: string };
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
};

const notFound: Answer = { status: 404, body: { message: 'Not Found' } };

function unprocessable(field: string, code: string, message?: string): Answer {
  const error = { resource: 'PullRequest', code, ...(field && { field }), ...(message && { message }) };
  return ok(createRoute, { message: 'Validation Failed', errors: [error] }, 422);
}

function ok(route: string, body: object, status = 200): Answer {
  return { status, body: filled(answerSchema(route, status) ?? {}, body) };
}

/** One page, with the addresses of the others. */
function page({ query, url }: Call, route: string, all: readonly object[]): Answer {
  const size = Number(query.get('per_page') ?? 30);
  const at = Number(query.get('page') ?? 1);
  const to = (number: number, name: string): string => {
    const address = new URL(url);
    address.searchParams.set('page', String(number));
    return `<${address.href}>; rel="${name}"`;
  };
  const pages = Math.max(1, Math.ceil(all.length / size));
  const links = at < pages ? [to(at + 1, 'next'), to(pages, 'last')] : [];
  const shown = all.slice((at - 1) * size, at * size);
  const body = filled(answerSchema(route, 200) ?? {}, shown);
  return { status: 200, body, ...(links.length > 0 ? { headers: { link: links.join(', ') } } : {}) };
}

function pullOf(
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

function repositoryBody(forge: ForgeStandIn, repository: StandInRepository): object {
  const [login = '', name = ''] = repository.name.split('/');
  return {
    name,
    full_name: repository.name,
    owner: { login },
    archived: repository.isArchived,
    default_branch: 'main',
    clone_url: forge.addressOf(repository.name),
    permissions: { admin: false, push: repository.mayPush, pull: true },
    allow_merge_commit: true,
    allow_squash_merge: true,
    allow_rebase_merge: false,
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
    user: { login: forge.user },
    head: side(head, pull.head.branch, pull.sha),
    base: side(repository, pull.base),
  };
}
