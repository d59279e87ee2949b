import * as z from 'zod';
import { CommitSha, isRelativePath } from '../../../domain/core/ids.ts';
import {
  type ForgeComment,
  type ForgeLines,
  type ForgeThread,
  ForgeThreads,
  longestComment,
  readMark,
  replyMark,
} from '../../../domain/forge/forgeThread.ts';
import { fullName, type ForgeRepository } from '../../../domain/forge/forgePlace.ts';
import type { LookMemory } from '../../../engine/ports/ports.ts';
import type { Client } from './client.ts';
import { pageSize, Reader } from './lookAt.ts';
import { decidingAssociations } from './reviews.ts';
import { readStates, type ThreadStates } from './threadStates.ts';

/** Of each kind; the newest count. */
const mostPages = 10;
/** Of all comments together. Older ones are left out. */
const mostChars = 2_000_000;

// Without transforms: the memory has what was read, and it is read again.
const Written = z.object({
  id: z.number().int().positive(),
  user: z.object({ login: z.string().max(200) }).nullish(),
  author_association: z.string(),
  body: z.string().nullish(),
});
const Line = z.number().int().positive().nullish();
const LineComment = Written.extend({
  created_at: z.string(),
  in_reply_to_id: z.number().int().positive().optional(),
  path: z.string(),
  diff_hunk: z.string(),
  original_commit_id: z.string(),
  original_line: Line,
  original_start_line: Line,
  side: z.string().nullish(),
});
type LineComment = z.infer<typeof LineComment>;
const Remark = Written.extend({ created_at: z.string() });
const ReviewText = Written.extend({ submitted_at: z.string().optional(), state: z.string() });
const Counts = z.object({ comments: z.number().int(), review_comments: z.number().int() });

type Read = z.infer<typeof Written> & { readonly at: string };

/**
 * Reads what people wrote to a pull request: comments on lines, on the whole, and texts of reviews. Whether a
 * thread is resolved is known to the other API alone; without it, none is.
 */
export async function readThreads(
  client: Client,
  repository: ForgeRepository,
  number: number,
  options: { readonly memory?: LookMemory | undefined; readonly signal?: AbortSignal | undefined },
): Promise<{ readonly threads: ForgeThreads; readonly memory: LookMemory }> {
  const reader = new Reader(client, options);
  const at = { owner: repository.owner, repo: repository.name };
  const ofPull = { ...at, pull_number: number };
  const counts = await reader.read('GET /repos/{owner}/{repo}/pulls/{pull_number}', ofPull, Counts);
  const onLines = await reader.pages(
    'GET /repos/{owner}/{repo}/pulls/{pull_number}/comments',
    { ...ofPull, sort: 'created', direction: 'desc' },
    z.array(LineComment),
    (page) => page,
  );
  const last = Math.max(1, Math.ceil(counts.comments / pageSize));
  const remarks: z.infer<typeof Remark>[] = [];
  for (let page = Math.max(1, last - mostPages + 1); page <= last && counts.comments > 0; page += 1)
    remarks.push(
      ...(await reader.read(
        'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
        { ...at, issue_number: number, per_page: pageSize, page },
        z.array(Remark),
      )),
    );
  const reviews = await reader.pages(
    'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
    ofPull,
    z.array(ReviewText),
    (page) => page,
  );
  const states = await readStates(client, repository, number, options.signal);
  const all = [
    ...threadsOf(onLines, states),
    ...talkOf(
      [
        ...remarks.map((one) => ({ kind: 'c' as const, ...one, at: one.created_at })),
        ...reviews
          .filter(({ state, body }) => state !== 'PENDING' && (body ?? '').trim() !== '')
          .map((one) => ({ kind: 'v' as const, ...one, at: one.submitted_at ?? '' })),
      ],
      states,
    ),
  ];
  const { kept, left } = bounded(all.toSorted((a, b) => timeOf(a).localeCompare(timeOf(b))));
  const unread =
    Math.max(0, counts.review_comments - onLines.length) + Math.max(0, counts.comments - remarks.length);
  const threads = ForgeThreads.parse({
    schema_version: 1,
    repository: fullName(repository),
    number,
    left: unread + left,
    threads: kept,
  });
  return { threads, memory: reader.after };
}

/** Comments on lines, by the first one of their thread. */
function threadsOf(comments: readonly LineComment[], states: ThreadStates): readonly ForgeThread[] {
  const oldest = comments.toSorted((a, b) => a.id - b.id);
  // Of a thread whose first comment wasn't read, the others stand for it.
  const groups = Map.groupBy(oldest, ({ id, in_reply_to_id: first }) => first ?? id);
  return [...groups].flatMap(([first, own]): readonly ForgeThread[] => {
    const state = states.byComment.get(String(first));
    const [head] = own;
    if (!head) return [];
    const thread: ForgeThread = {
      id: `r${String(first)}`,
      node: state?.node ?? null,
      resolved: state?.isResolved ?? false,
      outdated: state?.isOutdated ?? false,
      place: placeOf(head),
      comments: own.map((one) => commentOf({ ...one, at: one.created_at }, states)),
    };
    return [thread];
  });
}

function placeOf(comment: LineComment): ForgeLines | null {
  const { path, side, diff_hunk, original_commit_id, original_line, original_start_line } = comment;
  const commit = CommitSha.safeParse(original_commit_id).data;
  if (!isRelativePath(path) || commit === undefined) return null;
  const endLine = original_line ?? null;
  const line = original_start_line ?? endLine;
  return {
    path,
    side: side === 'LEFT' ? 'old' : 'new',
    commit,
    lines: endLine === null || line === null || line > endLine ? null : { line, endLine },
    hunk: diff_hunk.slice(-20_000),
  };
}

type Talk = Read & { readonly kind: 'c' | 'v' };

/** Comments on the whole. Replies of Beadsmith name the one that they belong to. */
function talkOf(talk: readonly Talk[], states: ThreadStates): readonly ForgeThread[] {
  const ids = new Set(talk.map(({ kind, id }) => `${kind}${String(id)}`));
  const groups = Map.groupBy(talk, (one) => {
    const { to } = readMark(one.body ?? '');
    const isReply = to !== undefined && ids.has(to) && isOurs(one, states);
    return isReply ? to : `${one.kind}${String(one.id)}`;
  });
  return [...groups].map(([id, comments]): ForgeThread => ({
    id,
    node: null,
    resolved: false,
    outdated: false,
    place: null,
    comments: comments
      .toSorted((a, b) => Number(b.kind + String(b.id) === id) - Number(a.kind + String(a.id) === id))
      .map((one) => commentOf(one, states)),
  }));
}

function commentOf(one: Read, states: ThreadStates): ForgeComment {
  const body = one.body ?? '';
  const marked = isOurs(one, states) ? readMark(body) : { text: body };
  return {
    id: one.id,
    author: one.user?.login ?? '',
    mayWrite: decidingAssociations.includes(one.author_association),
    at: one.at,
    text: marked.text.slice(0, longestComment).toWellFormed(),
    isCut: marked.text.length > longestComment,
    answers: 'key' in marked ? (marked.key ?? null) : null,
  };
}

/** A mark counts in a comment of the account that writes here. Anyone can write one. */
function isOurs({ user, author_association }: Read, { viewer }: ThreadStates): boolean {
  return viewer === undefined ? decidingAssociations.includes(author_association) : user?.login === viewer;
}

function timeOf({ comments }: ForgeThread): string {
  return comments[0]?.at ?? '';
}

/** The newest threads that fit. */
function bounded(threads: readonly ForgeThread[]): {
  readonly kept: readonly ForgeThread[];
  readonly left: number;
} {
  let chars = 0;
  const first = threads.findLastIndex(({ comments, place }) => {
    chars += comments.reduce((sum, { text }) => sum + text.length, place?.hunk.length ?? 0);
    return chars > mostChars;
  });
  const left = threads.slice(0, first + 1).reduce((sum, { comments }) => sum + comments.length, 0);
  return { kept: threads.slice(first + 1), left };
}

/** GitHub refuses a longer one. */
const mostReply = 65_000;

/** Below the thread's first comment, or on the whole, which has no threads. A retry could post twice. */
export async function postReply(
  client: Client,
  at: { readonly owner: string; readonly repo: string },
  number: number,
  { thread, text, key }: { readonly thread: string; readonly text: string; readonly key: string },
): Promise<void> {
  const body = `${text.trim().slice(0, mostReply)}\n\n${replyMark(thread, key)}`;
  const request = { retries: 0 };
  await (thread.startsWith('r')
    ? client.request('POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies', {
        ...at,
        pull_number: number,
        comment_id: Number(thread.slice(1)),
        body,
        request,
      })
    : client.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
        ...at,
        issue_number: number,
        body,
        request,
      }));
}
