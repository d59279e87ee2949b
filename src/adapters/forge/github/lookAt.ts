import { RequestError } from '@octokit/request-error';
import * as z from 'zod';
import { CommitSha } from '../../../domain/core/ids.ts';
import type { ForgeRepository } from '../../../domain/forge/forgePlace.ts';
import type { ForgeLook } from '../../../domain/forge/forgeLook.ts';
import type { LookMemory } from '../../../engine/ports/ports.ts';
import { checkSummary, CheckRuns, Statuses } from './checks.ts';
import type { Client } from './client.ts';
import { isMissing } from './failures.ts';
import { Pull, stateOf } from './pull.ts';
import { reviewDecision, Reviews } from './reviews.ts';

/** Entries of a page. */
export const pageSize = 100;
/** The newest reviews and checks count; nobody reads more than a thousand. */
const mostPages = 10;

const LookedPull = Pull.extend({
  base: z.object({ ref: z.string() }),
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
    ? [[], [], []]
    : [
        await reader.pages(
          'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
          { ...at, pull_number: number },
          Reviews,
          (page) => page,
        ),
        await reader.pages(
          'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
          ofCommit,
          CheckRuns,
          ({ check_runs }) => check_runs,
        ),
        await reader.pages(
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
    base: pull.base.ref,
    head: {
      branch: pull.head.ref,
      commit: pull.head.sha,
      isThere: state === 'merged' || (await isBranchThere(reader, pull, state === 'closed')),
    },
    merge: merge ?? null,
    conflicts: isOver ? false : typeof pull.mergeable === 'boolean' ? !pull.mergeable : null,
    review: reviewDecision(reviews),
    checks: checkSummary(runs, statuses),
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

/** Reads answers by their schemas, and from the memory what didn't change. */
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

  /** The answer, by its schema. One that didn't change costs nothing of the rate limit. */
  async read<T>(
    route: string,
    parameters: Readonly<Record<string, string | number>>,
    schema: z.ZodType<T>,
  ): Promise<T> {
    const key = `${route} ${JSON.stringify(parameters)}`;
    const known = this.#before.get(key);
    const headers = known ? { 'if-none-match': known.etag } : {};
    try {
      const request = this.#signal ? { request: { signal: this.#signal } } : {};
      const answer = (await this.#client.request(route, { ...parameters, headers, ...request })) as {
        readonly data: unknown;
        readonly headers: { readonly etag?: string };
      };
      const read = schema.parse(answer.data);
      const { etag } = answer.headers;
      if (etag !== undefined) this.after.set(key, { etag, answer: read });
      return read;
    } catch (error) {
      if (!(error instanceof RequestError) || error.status !== 304 || !known) throw error;
      this.after.set(key, known);
      return schema.parse(known.answer);
    }
  }

  async pages<Page, Item>(
    route: string,
    parameters: Readonly<Record<string, string | number>>,
    schema: z.ZodType<Page>,
    itemsOf: (page: Page) => readonly Item[],
  ): Promise<readonly Item[]> {
    const all: Item[] = [];
    for (let page = 1; page <= mostPages; page += 1) {
      const found = itemsOf(await this.read(route, { ...parameters, per_page: pageSize, page }, schema));
      all.push(...found);
      if (found.length < pageSize) break;
    }
    return all;
  }
}
