import {
  type Answer,
  type Call,
  endpoints,
  issueOf,
  notFound,
  ok,
  page,
  personOf,
  pullOf,
  type StandInPull,
  tipOf,
} from './endpoints.ts';
import type { ForgeStandIn } from './forgeStandIn.ts';
import { answerMergeGraph, mergeWords } from './mergeEndpoints.ts';

/** A comment on lines. `replyTo`: the first one of its thread. Without `line`, on the whole file. */
export interface StandInLineComment {
  readonly id: number;
  readonly author: string | null;
  readonly association: string;
  readonly body: string;
  readonly path: string;
  readonly line?: number;
  readonly startLine?: number;
  readonly side?: 'LEFT' | 'RIGHT';
  readonly hunk: string;
  readonly commit: string;
  readonly replyTo?: number;
  readonly at?: string;
}

/** A comment on the whole pull request. */
export interface StandInRemark {
  readonly id: number;
  readonly author: string | null;
  readonly association: string;
  readonly body: string;
}

/** What people wrote to a pull request. `resolved`, `outdated`: first comments of threads. */
export interface StandInTalk {
  readonly lines: StandInLineComment[];
  readonly remarks: StandInRemark[];
  readonly resolved: Set<number>;
  readonly outdated: Set<number>;
}

export function talkOf(pull: StandInPull): StandInTalk {
  return (pull.talk ??= { lines: [], remarks: [], resolved: new Set(), outdated: new Set() });
}

const listRoute = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/comments';
const replyRoute = 'POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies';
const remarksRoute = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';
const remarkRoute = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments';

/** By their routes, as GitHub describes them. */
export const commentEndpoints: Readonly<Record<string, (call: Call) => Answer>> = {
  [listRoute]: (call) => {
    const pull = pullOf(call.repository, call.parameters);
    if (!pull) return notFound;
    const sorted = talkOf(pull).lines.toSorted((a, b) => a.id - b.id);
    const all = call.query.get('direction') === 'desc' ? sorted.toReversed() : sorted;
    const tip = tipOf(call.repository, pull.head.branch);
    return page(
      call,
      listRoute,
      all.map((one) => lineBody(pull, one, tip)),
    );
  },
  [replyRoute]: (call) => {
    const pull = pullOf(call.repository, call.parameters);
    const first = Number(call.parameters['comment_id']);
    const head = pull && talkOf(pull).lines.find(({ id }) => id === first);
    // GitHub has no replies to replies.
    if (!pull || !head || head.replyTo !== undefined) return notFound;
    const { body } = call.body as { readonly body: string };
    const reply: StandInLineComment = {
      ...head,
      id: nextId(pull),
      replyTo: first,
      author: call.forge.user,
      association: 'OWNER',
      body,
    };
    talkOf(pull).lines.push(reply);
    return ok(replyRoute, lineBody(pull, reply, tipOf(call.repository, pull.head.branch)), 201);
  },
  [remarksRoute]: (call) => {
    const pull = numbered(call);
    if (!pull) return endpoints[remarksRoute]?.(call) ?? notFound;
    return page(call, remarksRoute, talkOf(pull).remarks.map(remarkBody));
  },
  [remarkRoute]: (call) => {
    const pull = numbered(call);
    const { body } = call.body as { readonly body: string };
    if (!pull) return commentOnIssue(call, body);
    const remark = { id: nextId(pull), author: call.forge.user, association: 'OWNER', body };
    talkOf(pull).remarks.push(remark);
    return ok(remarkRoute, remarkBody(remark), 201);
  },
};

function commentOnIssue(call: Call, body: string): Answer {
  const issue = issueOf(call);
  if (!issue || 'draft' in issue) return notFound;
  if (issue.isDeleted === true) return { status: 410, body: { message: 'This issue was deleted' } };
  if (issue.isLocked === true)
    return { status: 403, body: { message: 'Unable to create comment because issue is locked.' } };
  issue.comments = [...(issue.comments ?? []), { author: call.forge.user, association: 'OWNER', body }];
  return ok(remarkRoute, remarkBody({ id: 1, author: call.forge.user, association: 'OWNER', body }), 201);
}

function numbered({ repository, parameters }: Call): StandInPull | undefined {
  return repository.pulls.find((one) => one.number === Number(parameters['issue_number']));
}

function nextId(pull: StandInPull): number {
  const { lines, remarks } = talkOf(pull);
  return Math.max(9_000_000_000, ...lines.map(({ id }) => id), ...remarks.map(({ id }) => id)) + 1;
}

function remarkBody({ id, author, association, body }: StandInRemark): object {
  return { id, body, user: personOf(author), author_association: association };
}

function lineBody(pull: StandInPull, comment: StandInLineComment, tip: string | undefined): object {
  const { id, author, association, body, path, line, startLine, side = 'RIGHT', hunk, commit, at } = comment;
  const { replyTo } = comment;
  const isOutdated = talkOf(pull).outdated.has(replyTo ?? id);
  return {
    id,
    node_id: `PRRC_${String(id)}`,
    pull_request_review_id: null,
    body,
    user: personOf(author),
    author_association: association,
    path,
    diff_hunk: hunk,
    commit_id: tip ?? commit,
    original_commit_id: commit,
    ...(line === undefined
      ? { subject_type: 'file' }
      : {
          subject_type: 'line',
          side,
          original_line: line,
          original_start_line: startLine ?? null,
          start_line: startLine ?? null,
          ...(isOutdated ? {} : { line }),
        }),
    ...(replyTo === undefined ? {} : { in_reply_to_id: replyTo }),
    ...(at === undefined ? {} : { created_at: at }),
  };
}

interface GraphRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** Fields and arguments of GitHub's schema that the product may name. */
const words = new Set(
  `query mutation owner repo number before thread threadId input String Int ID viewer login repository name
   pullRequest reviewThreads last first pageInfo hasPreviousPage startCursor nodes id isResolved isOutdated
   comments fullDatabaseId resolveReviewThread ${mergeWords}`.split(/\s+/),
);

/** GitHub's other API, which alone knows whether a thread is resolved. */
export function answerGraph(forge: ForgeStandIn, given: unknown): Answer {
  const { query, variables = {} } = given as GraphRequest;
  for (const word of query.match(/[A-Za-z]\w*/g) ?? [])
    if (!words.has(word)) forge.faults.push(`POST /graphql: GitHub has no ${word}`);
  if (query.includes('resolveReviewThread')) return resolved(forge, variables);
  if (query.includes('reviewThreads')) return states(forge, variables);
  return answerMergeGraph(forge, query, variables);
}

function states(forge: ForgeStandIn, variables: Readonly<Record<string, unknown>>): Answer {
  const { owner, repo, number, before } = variables;
  if (typeof owner !== 'string' || typeof repo !== 'string' || typeof number !== 'number')
    return failed('Variable of type String! was provided invalid value');
  const repository = forge.repositories.get(`${owner}/${repo}`.toLowerCase());
  const pull = repository?.pulls.find((one) => one.number === number);
  if (!pull) return failed('Could not resolve to a PullRequest');
  const talk = talkOf(pull);
  const all = talk.lines.filter(({ replyTo }) => replyTo === undefined);
  const end = typeof before === 'string' ? Number(before) : all.length;
  const from = Math.max(0, end - 100);
  const nodes = all.slice(from, end).map(({ id }) => ({
    id: `PRRT_${String(pull.number)}_${String(id)}`,
    isResolved: talk.resolved.has(id),
    isOutdated: talk.outdated.has(id),
    comments: { nodes: [{ fullDatabaseId: String(id) }] },
  }));
  const pageInfo = { hasPreviousPage: from > 0, startCursor: String(from) };
  return answered({
    viewer: { login: forge.user },
    repository: { pullRequest: { reviewThreads: { pageInfo, nodes } } },
  });
}

function resolved(forge: ForgeStandIn, { thread }: Readonly<Record<string, unknown>>): Answer {
  const [, number, id] = /^PRRT_(\d+)_(\d+)$/.exec(String(thread)) ?? [];
  const pull = [...forge.repositories.values()]
    .flatMap(({ pulls }) => pulls)
    .find((one) => one.number === Number(number));
  if (!pull) return failed('Could not resolve to a node');
  talkOf(pull).resolved.add(Number(id));
  return answered({ resolveReviewThread: { thread: { id: String(thread), isResolved: true } } });
}

function answered(data: object): Answer {
  return { status: 200, body: { data } };
}

function failed(message: string): Answer {
  return { status: 200, body: { data: null, errors: [{ type: 'NOT_FOUND', message }] } };
}
