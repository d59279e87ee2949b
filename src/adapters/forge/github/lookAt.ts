import { RequestError } from '@octokit/request-error';
import * as z from 'zod';
import { CommitSha } from '../../../domain/core/ids.ts';
import type { ForgeRepository } from '../../../domain/forge/forgePlace.ts';
import type { ForgeLook } from '../../../domain/forge/forgeLook.ts';
import type { LookMemory } from '../../../engine/ports/ports.ts';
import { checkSummary, CheckRuns, Statuses } from './checks.ts';
import type { Client } from './client.ts';
import { isMissing } from './failures.ts';
import { readMerging } from './merges.ts';
import { Pull, RepositoryId, stateOf } from './pull.ts';
import { reviewDecision, Reviews } from './reviews.ts';

type RouteParameters = Readonly<Record<string, string | number>>;

/** Entries of a page. */
export const pageSize = 100;
/** A thousand reviews. */
const mostPages = 10;
/** Two thousand check runs and statuses each. */
const mostCheckPages = 20;
const none = { read: [], unread: 0 };

const LookedPull = Pull.extend({
  base: z.object({ ref: z.string(), repo: z.object({ id: RepositoryId }).nullish() }),
  merge_commit_sha: z.string().nullish(),
  mergeable: z.boolean().nullish(),
});

/** Reads a pull request with its reviews and checks. What didn't change is taken from the memory. */
export async function lookAt(
  client: Client,
  { owner, name: repo }: Pick<ForgeRepository, 'owner' | 'name'>,
  number: number,
  options: { readonly memory?: LookMemory | undefined; readonly signal?: AbortSignal | undefined },
): Promise<{ readonly look: ForgeLook; readonly memory: LookMemory }> {
  const reader = new Reader(client, options);
  const { signal } = options;
  const at = { owner, repo };
  const pull = await reader.read(
    'GET /repos/{owner}/{repo}/pulls/{pull_number}',
    { ...at, pull_number: number },
    LookedPull,
  );
  const state = stateOf(pull);
  const isOver = state === 'merged' || state === 'closed';
  const ofCommit = { ...at, ref: pull.head.sha };
  const [reviews, runs, statuses] = isOver
    ? [[], none, none]
    : [
        await reader.pages(
          'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
          { ...at, pull_number: number },
          Reviews,
          (page) => page,
        ),
        await reader.checks(
          'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
          ofCommit,
          CheckRuns,
          ({ check_runs }) => check_runs,
        ),
        await reader.checks(
          'GET /repos/{owner}/{repo}/commits/{ref}/status',
          ofCommit,
          Statuses,
          (page) => page.statuses,
        ),
      ];
  const merge = state === 'merged' ? CommitSha.safeParse(pull.merge_commit_sha).data : undefined;
  const look: ForgeLook = {
    number: pull.number,
    location: pull.html_url,
    state,
    repositoryId: pull.base.repo?.id,
    base: pull.base.ref,
    head: {
      branch: pull.head.ref,
      commit: pull.head.sha,
      isThere: state === 'merged' || (await isBranchThere(reader, pull, state === 'closed')),
    },
    merge: merge ?? null,
    conflicts: isOver ? false : typeof pull.mergeable === 'boolean' ? !pull.mergeable : null,
    review: reviewDecision(reviews),
    checks: checkSummary(runs.read, statuses.read, runs.unread + statuses.unread),
    merging: isOver
      ? null
      : ((await readMerging(client, { owner, name: repo }, number, signal))?.merging ?? null),
  };
  return { look, memory: reader.after };
}

/** GitHub closes the pull request of a deleted branch, so that only then it has to be asked. */
async function isBranchThere(
  reader: Reader,
  { head }: z.infer<typeof LookedPull>,
  isClosed: boolean,
): Promise<boolean> {
  const [owner = '', repo = ''] = head.repo?.full_name.split('/') ?? [];
  if (!head.repo) return false;
  if (!isClosed) return true;
  try {
    const at = { owner, repo, branch: head.ref };
    await reader.read('GET /repos/{owner}/{repo}/branches/{branch}', at, z.object({ name: z.string() }));
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

interface Page<T> {
  readonly read: T;
  /** The number of the last page, on the first one of several. */
  readonly last: number;
}

/** Reads answers by their schemas, page by page, and from the memory what didn't change. */
export class Reader {
  readonly after = new Map<string, { readonly etag: string; readonly answer: unknown }>();
  readonly #client: Client;
  readonly #before: LookMemory;
  readonly #signal: AbortSignal | undefined;

  constructor(client: Client, { memory = new Map(), signal }: Parameters<typeof lookAt>[3]) {
    this.#client = client;
    this.#before = memory;
    this.#signal = signal;
  }

  /** The answer, by its schema. */
  async read<T>(route: string, parameters: RouteParameters, schema: z.ZodType<T>): Promise<T> {
    return (await this.#page(route, parameters, schema)).read;
  }

  /** The items of the last pages, because the newest count. */
  async pages<Body, Item>(
    route: string,
    parameters: RouteParameters,
    schema: z.ZodType<Body>,
    itemsOf: (body: Body) => readonly Item[],
  ): Promise<readonly Item[]> {
    const page = (number: number): Promise<Page<Body>> =>
      this.#page(route, { ...parameters, per_page: pageSize, page: number }, schema);
    const first = await page(1);
    const from = Math.max(2, first.last - mostPages + 1);
    const all = from > 2 ? [] : [...itemsOf(first.read)];
    for (let number = from; number <= first.last; number += 1)
      all.push(...itemsOf((await page(number)).read));
    return all;
  }

  /** The items of the first pages, and how many more there are: an outcome that isn't read isn't known. */
  async checks<Body extends { readonly total_count: number }, Item>(
    route: string,
    parameters: RouteParameters,
    schema: z.ZodType<Body>,
    itemsOf: (body: Body) => readonly Item[],
  ): Promise<{ readonly read: readonly Item[]; readonly unread: number }> {
    const page = (number: number): Promise<Page<Body>> =>
      this.#page(route, { ...parameters, per_page: pageSize, page: number }, schema);
    const first = await page(1);
    const read = [...itemsOf(first.read)];
    for (let number = 2; number <= Math.min(first.last, mostCheckPages); number += 1)
      read.push(...itemsOf((await page(number)).read));
    const isCut = first.last > mostCheckPages;
    return { read, unread: isCut ? Math.max(1, first.read.total_count - read.length) : 0 };
  }

  /** An answer that didn't change costs nothing of the rate limit. */
  async #page<T>(route: string, parameters: RouteParameters, schema: z.ZodType<T>): Promise<Page<T>> {
    const key = `${route} ${JSON.stringify(parameters)}`;
    const known = this.#before.get(key);
    const headers = known ? { 'if-none-match': known.etag } : {};
    const request = this.#signal ? { request: { signal: this.#signal } } : {};
    try {
      const answer = (await this.#client.request(route, { ...parameters, headers, ...request })) as {
        readonly data: unknown;
        readonly headers: { readonly etag?: string; readonly link?: string };
      };
      const { etag, link = '' } = answer.headers;
      const last = Number(/[?&]page=(\d{1,6})[^>]*>;\s*rel="last"/.exec(link)?.[1] ?? 1);
      const page = { read: schema.parse(answer.data), last };
      if (etag !== undefined) this.after.set(key, { etag, answer: page });
      return page;
    } catch (error) {
      if (!(error instanceof RequestError) || error.status !== 304 || !known) throw error;
      this.after.set(key, known);
      return z.object({ read: schema, last: z.number() }).parse(known.answer);
    }
  }
}
