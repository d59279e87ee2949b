import { RequestError } from '@octokit/request-error';
import * as z from 'zod';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { type ForgeRepository, shownName } from '../../../domain/forge/forgePlace.ts';
import { because, type ForgeReason } from '../../../domain/forge/forgeReasons.ts';
import { type IssueState, milestoneMark } from '../../../domain/forge/issueLink.ts';
import type { LookMemory, RemoteForge } from '../../../engine/ports/ports.ts';
import type { Client } from './client.ts';
import { Reader } from './lookAt.ts';

const Issue = z.object({
  number: z.number().int().positive(),
  id: z.number(),
  state: z.string(),
  repository_url: z.string(),
});

const Repository = z.object({ full_name: z.string() });
const Comments = z.array(
  z.object({ body: z.string().nullish(), user: z.object({ login: z.string() }).nullish() }),
);

interface IssueParts {
  readonly client: Client;
  readonly reader: Client;
  readonly place: ForgeRepository;
}

interface IssueLook {
  readonly id?: number | undefined;
  readonly memory?: LookMemory | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The state of an issue. Nobody is asked to sign in, and nothing is tried again. */
export async function readIssueState(
  client: Client,
  place: ForgeRepository,
  number: number,
  options: IssueLook,
): Promise<{ readonly state: IssueState; readonly memory: LookMemory }> {
  const reader = new Reader(client, options);
  const { state } = await find(reader, place, { number, id: options.id });
  return { state, memory: reader.after };
}

/** Its repository is the one that has it now, if that was only renamed. Another one of its number is none. */
async function find(
  reader: Reader,
  place: ForgeRepository,
  { number, id }: { readonly number: number; readonly id: number | undefined },
): Promise<{ readonly state: IssueState; readonly owner: string; readonly repo: string }> {
  const at = { owner: place.owner, repo: place.name };
  try {
    const of = { ...at, issue_number: number };
    const issue = await reader.read('GET /repos/{owner}/{repo}/issues/{issue_number}', of, Issue);
    const [owner = '', repo = ''] = issue.repository_url.split('/').slice(-2);
    const state = issue.state === 'open' ? 'open' : 'closed';
    if (id !== undefined && issue.id !== id) return { state: 'moved', owner, repo };
    if (issue.number === number && isSame({ owner, repo }, at)) return { state, ...at };
    const { full_name } = await reader.read('GET /repos/{owner}/{repo}', at, Repository);
    const [newOwner = '', newName = ''] = full_name.split('/');
    const isRenamed = issue.number === number && isSame({ owner, repo }, { owner: newOwner, repo: newName });
    return { state: isRenamed ? state : 'moved', owner, repo };
  } catch (error) {
    if (!(error instanceof RequestError) || ![404, 410].includes(error.status)) throw error;
    return { state: 'gone', ...at };
  }
}

/**
 * Posts a comment on an issue, unless one with its key is there, or none with a key of `after`. A request
 * that is led to another repository would lose its method, so that the issue is found first. Throws
 * FORGE_REFUSED.
 */
export async function commentIssue(
  { client, reader, place }: IssueParts,
  number: number,
  {
    id,
    text,
    key,
    after,
    login,
    signal,
  }: Parameters<RemoteForge['commentIssue']>[1] & { readonly login: string | undefined },
): Promise<boolean> {
  const pages = new Reader(reader, { signal });
  const { state, owner, repo } = await find(pages, place, { number, id });
  const issue = `${shownName(place)}#${String(number)}`;
  const refused = (why: ForgeReason): BeadsmithError =>
    new BeadsmithError('FORGE_REFUSED', { host: place.host, ...because(why, { issue }) });
  if (state === 'gone') throw refused('commentGone');
  if (state === 'moved') throw refused('commentMoved');
  const at = { owner, repo, issue_number: number };
  const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';
  const there = await pages.pages(route, at, Comments, (page) => page);
  // Anyone may copy a mark.
  const isOwn = (one: string | undefined): boolean => login === undefined || one === login;
  const has = (one: string): boolean =>
    there.some(({ body, user }) => body?.includes(milestoneMark(one)) === true && isOwn(user?.login));
  if (has(key)) return true;
  if (after?.some(has) === false) return false;
  try {
    await client.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
      ...at,
      body: `${text}\n\n${milestoneMark(key)}`,
      // A retry could post a second one.
      request: { retries: 0, ...(signal ? { signal } : {}) },
    });
    return true;
  } catch (error) {
    const isLocked = error instanceof RequestError && error.status === 403 && /locked/i.test(error.message);
    if (isLocked) throw refused('commentLocked');
    throw error;
  }
}

function isSame(
  one: { readonly owner: string; readonly repo: string },
  other: { readonly owner: string; readonly repo: string },
): boolean {
  return `${one.owner}/${one.repo}`.toLowerCase() === `${other.owner}/${other.repo}`.toLowerCase();
}
