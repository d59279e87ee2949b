import * as z from 'zod';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { CommitSha } from '../../../domain/core/ids.ts';
import { type ForgePlace, type ForgeRepository, sameRepository } from '../../../domain/forge/forgePlace.ts';
import type {
  ForgeCapabilities,
  ForgePullRequest,
  Proposal,
  RemoteForge,
} from '../../../engine/ports/ports.ts';
import { type Client, clientOf } from './client.ts';
import { failureOf, isUncertain } from './failures.ts';
import { hasMarker, withText } from './markedText.ts';

interface GithubForgeOptions {
  readonly place: ForgePlace;
  /** The person's sign-in at the host. */
  readonly token: () => Promise<string | undefined>;
  readonly now?: () => number;
}

const Pull = z.object({
  number: z.number().int().positive(),
  html_url: z.string().regex(/^https?:\/\/[^\s<>]+$/),
  state: z.enum(['open', 'closed']),
  draft: z.boolean().optional(),
  merged_at: z.string().nullable(),
  body: z.string().nullable(),
  head: z.object({ ref: z.string(), sha: CommitSha }),
});
type Pull = z.infer<typeof Pull>;

const Repository = z.object({
  archived: z.boolean(),
  permissions: z.object({ push: z.boolean() }).optional(),
  allow_merge_commit: z.boolean().optional(),
  allow_squash_merge: z.boolean().optional(),
  allow_rebase_merge: z.boolean().optional(),
});

const Branch = z.object({
  protected: z.boolean(),
  protection: z
    .object({ required_status_checks: z.object({ contexts: z.array(z.string()) }).optional() })
    .optional(),
});

/** github.com, or an Enterprise host, over its REST API. */
export class GithubForge implements RemoteForge {
  readonly name = 'github';
  readonly place: ForgePlace;
  readonly #client: Client;
  readonly #now: () => number;

  constructor({ place, token, now = Date.now }: GithubForgeOptions) {
    this.place = place;
    this.#client = clientOf(place.base, token);
    this.#now = now;
  }

  async capabilities(base: string): Promise<ForgeCapabilities> {
    const route = 'GET /repos/{owner}/{repo}';
    const ofBase = await this.#asked(async () =>
      Repository.parse((await this.#client.request(route, named(this.place.base))).data),
    );
    const ofHead = await this.#asked(async () =>
      Repository.parse((await this.#client.request(route, named(this.place.head))).data),
    );
    const branch = await this.#asked(async () =>
      Branch.parse(
        (
          await this.#client.request('GET /repos/{owner}/{repo}/branches/{branch}', {
            ...named(this.place.base),
            branch: base,
          })
        ).data,
      ),
    );
    return {
      isArchived: ofBase.archived,
      isBaseProtected: branch.protected,
      requiredChecks: branch.protection?.required_status_checks?.contexts ?? [],
      merges: [
        ...(ofBase.allow_merge_commit === true ? (['merge'] as const) : []),
        ...(ofBase.allow_squash_merge === true ? (['squash'] as const) : []),
        ...(ofBase.allow_rebase_merge === true ? (['rebase'] as const) : []),
      ],
      mayPush: ofHead.permissions?.push === true && !ofHead.archived,
    };
  }

  async find(of: Pick<Proposal, 'ticket' | 'branch'>): Promise<ForgePullRequest | undefined> {
    const found = (await this.#ofBranch(of.branch)).filter(({ body }) => hasMarker(body, of.ticket));
    const newest = found.toSorted((a, b) => b.number - a.number);
    const chosen = newest.find(({ state }) => state === 'open') ?? newest[0];
    return chosen && shown(chosen);
  }

  async create(proposal: Proposal & { readonly isDraft: boolean }): Promise<ForgePullRequest> {
    const { ticket, title, body, branch, base, isDraft } = proposal;
    const { head } = this.place;
    try {
      const { data } = await this.#client.request('POST /repos/{owner}/{repo}/pulls', {
        ...named(this.place.base),
        title,
        body: withText('', ticket, body),
        head: `${head.owner}:${branch}`,
        ...(sameRepository(head, this.place.base) ? {} : { head_repo: head.name }),
        base,
        draft: isDraft,
        // A second one could be created: who doesn't know looks first.
        request: { retries: 0 },
      });
      return shown(Pull.parse(data));
    } catch (error) {
      const found = isUncertain(error) ? await this.find(proposal).catch(() => undefined) : undefined;
      if (found) return found;
      const [other] = (await this.#ofBranch(branch).catch(() => [])).filter(({ state }) => state === 'open');
      if (!other) throw failureOf(head.host, error, this.#now());
      if (hasMarker(other.body, ticket)) return shown(other);
      throw new BeadsmithError('FORGE_REFUSED', {
        host: head.host,
        reason: `the branch "${branch}" has another pull request: ${other.html_url}`,
        remedy: 'Close that one, or merge it there.',
      });
    }
  }

  async update(number: number, { ticket, title, body }: Proposal): Promise<ForgePullRequest> {
    const at = { ...named(this.place.base), pull_number: number };
    return this.#asked(async () => {
      const { data } = await this.#client.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', at);
      const before = Pull.extend({ title: z.string() }).parse(data);
      const text = withText(before.body ?? '', ticket, body);
      if (before.title === title && before.body === text) return shown(before);
      const route = 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}';
      return shown(Pull.parse((await this.#client.request(route, { ...at, title, body: text })).data));
    });
  }

  async #ofBranch(branch: string): Promise<readonly Pull[]> {
    const { head, base } = this.place;
    const query = { ...named(base), head: `${head.owner}:${branch}`, state: 'all', per_page: 100 } as const;
    const found = await this.#asked(() => this.#client.paginate('GET /repos/{owner}/{repo}/pulls', query));
    return z.array(Pull).parse(found);
  }

  async #asked<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw failureOf(this.place.base.host, error, this.#now());
    }
  }
}

function named({ owner, name }: ForgeRepository): { readonly owner: string; readonly repo: string } {
  return { owner, repo: name };
}

function shown({ number, html_url, state, draft, merged_at, head }: Pull): ForgePullRequest {
  return {
    number,
    location: html_url,
    state: merged_at !== null ? 'merged' : state === 'closed' ? 'closed' : draft === true ? 'draft' : 'open',
    commit: head.sha,
  };
}
