import { RequestError } from '@octokit/request-error';
import * as z from 'zod';
import { oneLine } from '../../../base/oneLine.ts';
import { BeadsmithError, type ErrorArgs } from '../../../domain/core/errors.ts';
import { type ForgeRepository, shownName } from '../../../domain/forge/forgePlace.ts';
import type { ForgeIssue, Remark } from '../../../domain/forge/issue.ts';
import { because } from '../../../domain/forge/forgeReasons.ts';
import { type Client, clientOf } from './client.ts';
import { failureOf, isMissing } from './failures.ts';

/** The newest ones. */
const mostComments = 200;
const pageSize = 100;

const Person = z
  .object({ login: z.string() })
  .nullish()
  .transform((person) => person?.login ?? '');
const Text = z
  .string()
  .nullish()
  .transform((text) => text ?? '');
/** GitHub says of these that they may write; of an organization's member it says no more. */
const mayWrite = z
  .string()
  .optional()
  .transform((association) => ['OWNER', 'MEMBER', 'COLLABORATOR'].includes(association ?? ''));
const Written = z.object({ user: Person, author_association: mayWrite, created_at: z.string(), body: Text });
const Count = z
  .object({ total_blocked_by: z.number().optional(), total: z.number().optional() })
  .nullish()
  .transform((counts) => counts?.total_blocked_by ?? counts?.total ?? 0);
const Issue = Written.extend({
  html_url: z.string().regex(/^https?:\/\/[^\s<>]+$/u),
  repository_url: z.string(),
  number: z.number().int().positive(),
  id: z.number().optional(),
  title: z.string(),
  state: z.string(),
  comments: z.number().int().min(0),
  pull_request: z.unknown().optional(),
  labels: z.array(z.union([z.string(), z.object({ name: Text }).transform(({ name }) => name)])).default([]),
  milestone: z
    .object({ title: z.string() })
    .nullish()
    .transform((milestone) => milestone?.title ?? ''),
  assignees: z
    .array(Person)
    .nullish()
    .transform((people) => people ?? []),
  issue_dependencies_summary: Count,
  sub_issues_summary: Count,
});

interface IssuePlace {
  readonly repository: ForgeRepository;
  readonly number: number;
  readonly token: () => Promise<string | undefined>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads an issue with its newest comments, and writes nothing. FORGE_SIGN_IN, FORGE_REFUSED,
 * FORGE_UNREACHABLE.
 */
export async function readGithubIssue({
  repository,
  number,
  token,
  signal,
}: IssuePlace): Promise<ForgeIssue> {
  const client = clientOf(repository, token);
  const at = { owner: repository.owner, repo: repository.name, issue_number: number };
  try {
    const { data } = await client.request('GET /repos/{owner}/{repo}/issues/{issue_number}', at);
    const issue = Issue.parse(data);
    const is = placeIn(issue.repository_url);
    if (is.toLowerCase() !== `${repository.owner}/${repository.name}`.toLowerCase())
      throw await movedError(client, repository, { number, is, at: issue.number });
    if (issue.pull_request !== undefined && issue.pull_request !== null)
      throw refused(repository, number, 'issueIsPull');
    const comments: unknown[] = [];
    const last = Math.ceil(issue.comments / pageSize);
    const first = Math.max(1, last - Math.ceil(mostComments / pageSize));
    for (let page = first; page <= last; page += 1) {
      signal?.throwIfAborted();
      const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';
      comments.push(...(await client.request(route, { ...at, per_page: pageSize, page })).data);
    }
    return issueFrom(data, comments, repository);
  } catch (error) {
    signal?.throwIfAborted();
    if (isMissing(error)) throw refused(repository, number, 'issueMissing');
    if (error instanceof RequestError && error.status === 410) throw refused(repository, number, 'issueGone');
    throw failureOf(repository.host, error, Date.now());
  }
}

/** An issue and its comments, from GitHub's answers. */
export function issueFrom(
  given: unknown,
  comments: readonly unknown[],
  { host, owner, name }: Pick<ForgeRepository, 'host' | 'owner' | 'name'>,
): ForgeIssue {
  const issue = Issue.parse(given);
  const { number, id, html_url: url, title, state, labels, milestone, assignees } = issue;
  const newest = z.array(Written).parse(comments.slice(-mostComments)).map(remarkOf);
  return {
    ...remarkOf(issue),
    origin: { kind: 'issue', host, owner, name, number, url, ...(id === undefined ? {} : { id }) },
    title,
    isOpen: state === 'open',
    labels,
    milestone,
    assignees,
    comments: newest,
    commentsLeft: Math.max(0, issue.comments - newest.length),
    blockedBy: issue.issue_dependencies_summary,
    parts: issue.sub_issues_summary,
  };
}

function remarkOf({ user, author_association, created_at, body }: z.infer<typeof Written>): Remark {
  return { author: user, mayWrite: author_association, at: created_at, text: body };
}

/** The forge followed a redirect: to the new name of the repository, or to another one. */
async function movedError(
  client: Client,
  asked: ForgeRepository,
  moved: { readonly number: number; readonly is: string; readonly at: number },
): Promise<BeadsmithError> {
  const of = { owner: asked.owner, repo: asked.name };
  const { data } = await client.request('GET /repos/{owner}/{repo}', of);
  const now = z.object({ full_name: z.string() }).parse(data).full_name;
  const target = `${oneLine(moved.is, 200)}#${String(moved.at)}`;
  const isRenamed = now.toLowerCase() === moved.is.toLowerCase();
  const holes = { is: oneLine(moved.is, 200), target };
  return refused(asked, moved.number, isRenamed ? 'issueRenamed' : 'issueMoved', holes);
}

function refused(
  repository: ForgeRepository,
  number: number,
  name: Parameters<typeof because>[0],
  holes: ErrorArgs = {},
): BeadsmithError {
  const why = because(name, { ...holes, issue: `${shownName(repository)}#${String(number)}` });
  return new BeadsmithError('FORGE_REFUSED', { host: repository.host, ...why });
}

function placeIn(address: string): string {
  return address.split('/').slice(-2).join('/');
}
