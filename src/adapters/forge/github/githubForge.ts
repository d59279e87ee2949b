import * as z from 'zod';
import { oneLine } from '../../../base/oneLine.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { CommitSha } from '../../../domain/core/ids.ts';
import type { FailedCheck } from '../../../domain/forge/failedCheck.ts';
import type { ForgeLook } from '../../../domain/forge/forgeLook.ts';
import { type ForgeThreads, isAnswered } from '../../../domain/forge/forgeThread.ts';
import { type ForgePlace, type ForgeRepository, sameRepository } from '../../../domain/forge/forgePlace.ts';
import { because } from '../../../domain/forge/forgeReasons.ts';
import type {
  ForgeAccount,
  ForgeCapabilities,
  ForgePullRequest,
  LookMemory,
  Proposal,
  RemoteForge,
  SoughtPullRequest,
  Unset,
} from '../../../engine/ports/ports.ts';
import { type Client, clientOf } from './client.ts';
import { named, readFailedChecks } from './failedChecks.ts';
import { failureOf, isMissing, signInError } from './failures.ts';
import { commentIssue, readIssueState } from './linkedIssue.ts';
import { lookAt } from './lookAt.ts';
import { mergePull, unplanPull } from './merges.ts';
import { hasMarker, withText, evidenceBlock, evidenceIn } from './markedText.ts';
import { Pull, readLastReopening, RepositoryId, stateOf } from './pull.ts';
import { rerunChecks } from './rerunChecks.ts';
import { postReply, readThreads } from './threads.ts';
import { isRefused, resolveThread } from './threadStates.ts';

interface GithubForgeOptions {
  readonly place: ForgePlace;
  /** The person's sign-in at the host. `isQuiet`: nobody is asked to sign in. */
  readonly token: (isQuiet: boolean) => Promise<string | undefined>;
  /** The variable or program that it is from. */
  readonly source?: (isQuiet: boolean) => Promise<string | undefined>;
  readonly now?: () => number;
}

const User = z.object({ login: z.string().regex(/^[\w.[\]-]{1,100}$/) });

const Repository = z.object({
  id: RepositoryId.optional(),
  full_name: z.string(),
  archived: z.boolean(),
  permissions: z.object({ push: z.boolean() }).optional(),
  allow_merge_commit: z.boolean().optional(),
  allow_squash_merge: z.boolean().optional(),
  allow_rebase_merge: z.boolean().optional(),
});

const Branch = z.object({
  commit: z.object({ sha: CommitSha }),
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
  readonly #quietClient: Client;
  readonly #lookingClient: Client;
  readonly #source: (isQuiet: boolean) => Promise<string | undefined>;
  readonly #now: () => number;

  constructor({ place, token, source, now = Date.now }: GithubForgeOptions) {
    this.place = place;
    this.#client = clientOf(place.base, () => token(false));
    this.#quietClient = clientOf(place.base, () => token(true));
    this.#lookingClient = clientOf(place.base, () => token(true), { isPatient: false });
    this.#source = source ?? (() => Promise.resolve(undefined));
    this.#now = now;
  }

  async account({ isQuiet = false }: { readonly isQuiet?: boolean } = {}): Promise<ForgeAccount> {
    const source = (await this.#source(isQuiet)) ?? '';
    const client = isQuiet ? this.#quietClient : this.#client;
    try {
      const { login } = User.parse((await client.request('GET /user')).data);
      return { login, source };
    } catch (error) {
      const failure = failureOf(this.place.base.host, error, this.#now());
      // An app, such as GitHub Actions, is no user.
      if (failure.code === 'FORGE_REFUSED') return { login: undefined, source };
      if (failure.code !== 'FORGE_SIGN_IN' || source === '') throw failure;
      throw signInError(this.place.base.host, because('expiredSource', { source }));
    }
  }

  async capabilities({
    base,
    isQuiet = false,
  }: Parameters<RemoteForge['capabilities']>[0]): Promise<ForgeCapabilities> {
    const client = isQuiet ? this.#quietClient : this.#client;
    const repository = (of: ForgeRepository): Promise<z.infer<typeof Repository>> =>
      this.#asked(async () =>
        Repository.parse((await client.request('GET /repos/{owner}/{repo}', named(of))).data),
      );
    const ofBase = await repository(this.place.base);
    const ofHead = sameRepository(this.place.head, this.place.base)
      ? ofBase
      : await repository(this.place.head);
    const branch = base === undefined ? undefined : await this.#asked(() => this.#branch(client, base));
    return {
      repositoryId: ofBase.id,
      isArchived: ofBase.archived || ofHead.archived,
      baseTip: branch?.commit.sha,
      isBaseProtected: branch?.protected === true,
      requiredChecks: branch?.protection?.required_status_checks?.contexts ?? [],
      merges: [
        ...(ofBase.allow_merge_commit === true ? (['merge'] as const) : []),
        ...(ofBase.allow_squash_merge === true ? (['squash'] as const) : []),
        ...(ofBase.allow_rebase_merge === true ? (['rebase'] as const) : []),
      ],
      mayPush: ofHead.permissions?.push === true && !ofHead.archived,
    };
  }

  async find({ ticket, branch, number }: SoughtPullRequest): Promise<ForgePullRequest | undefined> {
    const listed = await this.#ofBranch(branch);
    const known = number === undefined || listed.some((one) => one.number === number);
    // The branch went to another repository then, or is called otherwise by now.
    const unlisted = known ? undefined : await this.#numbered(number);
    const heads = await this.#headsOf(unlisted ? [unlisted, ...listed] : listed);
    // The owner may have a branch of this name in several repositories.
    const ofBranch = listed.filter((one) => one.number === number || !one.head.repo || isIn(one, heads));
    const newest = ofBranch.toSorted((a, b) => b.number - a.number);
    const marked = newest.filter((one) => one.number === number || hasMarker(one.body, ticket));
    const ours = unlisted ? [unlisted, ...marked] : marked;
    const chosen = ours.find(({ state }) => state === 'open') ?? ours[0];
    if (chosen?.state === 'open') this.#checkHead(chosen, branch, heads);
    const other = newest.find((one) => one.state === 'open' && !ours.includes(one));
    if (!other || chosen?.state === 'open') return chosen && shown(chosen);
    const why = because('otherPullRequest', { branch, location: other.html_url });
    throw new BeadsmithError('FORGE_REFUSED', { host: this.place.base.host, ...why });
  }

  async create(proposal: Proposal & { readonly isDraft: boolean }): Promise<ForgePullRequest> {
    const { ticket, title, body, branch, base, evidence, isDraft } = proposal;
    const { head } = this.place;
    try {
      const { data } = await this.#client.request('POST /repos/{owner}/{repo}/pulls', {
        ...named(this.place.base),
        title,
        body: withText('', ticket, body, tailOf(evidence)),
        head: `${head.owner}:${branch}`,
        ...(sameRepository(head, this.place.base) ? {} : { head_repo: head.name }),
        base,
        draft: isDraft,
        // A retry could create a second one.
        request: { retries: 0 },
      });
      return shown(Pull.parse(data));
    } catch (error) {
      // It may have been created, or there was one already.
      const failure = failureOf(head.host, error, this.#now());
      if (failure.code === 'FORGE_SIGN_IN') throw failure;
      const found = await this.find(proposal).catch((other: unknown) => {
        throw other instanceof BeadsmithError && other.code === 'FORGE_REFUSED' ? other : failure;
      });
      if (found?.state === 'open' || found?.state === 'draft') return found;
      throw failure;
    }
  }

  async update(number: number, { ticket, title, body, base, evidence }: Proposal): Promise<ForgePullRequest> {
    const at = { ...named(this.place.base), pull_number: number };
    return this.#asked(async () => {
      const { data } = await this.#client.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', at);
      const before = Pull.extend({ title: z.string() }).parse(data);
      const text = withText(before.body ?? '', ticket, body, tailOf(evidence));
      const other = before.base.ref === base ? {} : { base };
      if (before.title === title && before.body === text && !('base' in other)) return shown(before);
      const route = 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}';
      return shown(
        Pull.parse((await this.#client.request(route, { ...at, title, body: text, ...other })).data),
      );
    });
  }

  async evidence(number: number): ReturnType<RemoteForge['evidence']> {
    const at = { ...named(this.place.base), pull_number: number };
    return this.#asked(async () => {
      const { data } = await this.#client.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', at);
      const { head, base, body } = Pull.parse(data);
      return { commit: head.sha, base: base.ref, evidence: evidenceIn(body) };
    });
  }

  async assign(
    number: number,
    { labels, reviewers }: Parameters<RemoteForge['assign']>[1],
  ): Promise<readonly Unset[]> {
    const at = named(this.place.base);
    const unset: Unset[] = [];
    const known: string[] = [];
    for (const name of labels)
      // Adding one that isn't there would create it.
      if (await this.#hasLabel(name)) known.push(name);
      else unset.push({ name, reason: 'there is no such label.' });
    const labelled = { ...at, issue_number: number, labels: known };
    if (known.length > 0)
      await this.#asked(() =>
        this.#client.request('POST /repos/{owner}/{repo}/issues/{issue_number}/labels', labelled),
      );
    return [...unset, ...(reviewers.length === 0 ? [] : await this.#askReviewers(number, reviewers))];
  }

  async #askReviewers(number: number, names: readonly string[]): Promise<readonly Unset[]> {
    const isTeam = (name: string): boolean => name.includes('/');
    const request = {
      ...named(this.place.base),
      pull_number: number,
      reviewers: names.filter((name) => !isTeam(name)),
      team_reviewers: names.filter(isTeam).map((name) => name.split('/')[1] ?? ''),
    };
    const route = 'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers';
    try {
      await this.#asked(() => this.#client.request(route, request));
      return [];
    } catch (error) {
      if (!(error instanceof BeadsmithError && error.code === 'FORGE_REFUSED')) throw error;
      const [name = ''] = names;
      if (names.length === 1) return [{ name, reason: String(error.args['reason'] ?? '') }];
    }
    // One who isn't a collaborator takes all others away.
    const unset: Unset[] = [];
    for (const name of names) unset.push(...(await this.#askReviewers(number, [name])));
    return unset;
  }

  async #hasLabel(name: string): Promise<boolean> {
    const at = { ...named(this.place.base), name };
    return this.#asked(async () => {
      try {
        await this.#client.request('GET /repos/{owner}/{repo}/labels/{name}', at);
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    });
  }

  async look(
    number: number,
    { memory, signal }: NonNullable<Parameters<RemoteForge['look']>[1]> = {},
  ): Promise<{ readonly look: ForgeLook; readonly memory: LookMemory }> {
    return this.#asked(() => lookAt(this.#lookingClient, this.place.base, number, { memory, signal }));
  }

  async failedChecks({
    signal,
    ...of
  }: Parameters<RemoteForge['failedChecks']>[0]): Promise<readonly FailedCheck[]> {
    const parts = { client: this.#quietClient, repository: this.place.base, signal };
    return this.#asked(() => readFailedChecks(parts, of));
  }

  async rerun(of: Parameters<RemoteForge['rerun']>[0]): Promise<void> {
    const parts = { client: this.#quietClient, repository: this.place.base };
    await this.#asked(() => rerunChecks(parts, of));
  }

  async threads(
    number: number,
    { memory, signal }: NonNullable<Parameters<RemoteForge['threads']>[1]> = {},
  ): Promise<{ readonly threads: ForgeThreads; readonly memory: LookMemory }> {
    return this.#asked(() => readThreads(this.#lookingClient, this.place.base, number, { memory, signal }));
  }

  async reply(number: number, reply: Parameters<RemoteForge['reply']>[1]): Promise<void> {
    try {
      await postReply(this.#client, named(this.place.base), number, reply);
    } catch (error) {
      // It may have been posted, and only its answer was lost.
      const failure = failureOf(this.place.base.host, error, this.#now());
      if (failure.code !== 'FORGE_UNREACHABLE') throw failure;
      const found = await this.threads(number).catch(() => undefined);
      if (!found || !isAnswered(found.threads, reply.thread, reply.key)) throw failure;
    }
  }

  async resolve(node: string): Promise<void> {
    return this.#asked(async () => {
      try {
        await resolveThread(this.#client, node);
      } catch (error) {
        if (!isRefused(error)) throw error;
        const why = because('notResolved', { said: oneLine(error.message, 1_000) });
        throw new BeadsmithError('FORGE_REFUSED', { host: this.place.base.host, ...why });
      }
    });
  }

  async merge(number: number, wanted: Parameters<RemoteForge['merge']>[1]): Promise<void> {
    await this.#asked(() => mergePull(this.#parts, number, wanted));
  }

  async lastReopening(number: number): Promise<string | null> {
    return this.#asked(() => readLastReopening(this.#lookingClient, this.place.base, number));
  }

  async close(number: number): Promise<void> {
    await this.#asked(async () => {
      const of = { ...named(this.place.base), pull_number: number };
      await this.#client.request('PATCH /repos/{owner}/{repo}/pulls/{pull_number}', {
        ...of,
        state: 'closed',
      });
    });
  }

  async unplanMerge(number: number): Promise<void> {
    await this.#asked(() => unplanPull(this.#parts, number));
  }

  async issueState(
    number: number,
    options: NonNullable<Parameters<RemoteForge['issueState']>[1]> = {},
  ): ReturnType<RemoteForge['issueState']> {
    return this.#asked(() => readIssueState(this.#lookingClient, this.place.base, number, options));
  }

  async commentIssue(number: number, comment: Parameters<RemoteForge['commentIssue']>[1]): Promise<boolean> {
    const parts = { ...this.#parts, client: this.#quietClient };
    const { login } = await this.account({ isQuiet: true });
    return this.#asked(() => commentIssue(parts, number, { ...comment, login }));
  }

  get #parts(): Parameters<typeof mergePull>[0] {
    return { client: this.#client, reader: this.#lookingClient, place: this.place.base };
  }

  async #ofBranch(branch: string): Promise<readonly Pull[]> {
    const { head, base } = this.place;
    const query = { ...named(base), head: `${head.owner}:${branch}`, state: 'all', per_page: 100 } as const;
    return this.#asked(async () =>
      z.array(Pull).parse(await this.#client.paginate('GET /repos/{owner}/{repo}/pulls', query)),
    );
  }

  async #numbered(number: number): Promise<Pull | undefined> {
    const at = { ...named(this.place.base), pull_number: number };
    return this.#asked(async () => {
      try {
        const { data } = await this.#client.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', at);
        return Pull.parse(data);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    });
  }

  /** The names of the repository that is pushed to: a remote may still have the one before it was renamed. */
  async #headsOf(pulls: readonly Pull[]): Promise<readonly string[]> {
    const { owner, name } = this.place.head;
    const names = [`${owner}/${name}`.toLowerCase()];
    if (pulls.every((one) => !one.head.repo || isIn(one, names))) return names;
    const at = named(this.place.head);
    return this.#asked(async () => {
      try {
        const { data } = await this.#client.request('GET /repos/{owner}/{repo}', at);
        return [...names, Repository.parse(data).full_name.toLowerCase()];
      } catch (error) {
        if (isMissing(error)) return names;
        throw error;
      }
    });
  }

  /** Throws FORGE_REFUSED where a push to the branch wouldn't change the pull request. */
  #checkHead(pull: Pull, branch: string, heads: readonly string[]): void {
    if (isIn(pull, heads) && pull.head.ref === branch) return;
    const { html_url, head } = pull;
    const [is, wanted] = [head.repo?.full_name, `${this.place.head.owner}/${this.place.head.name}`];
    const name = is === undefined ? 'headGone' : isIn(pull, heads) ? 'headRenamed' : 'headElsewhere';
    const why = because(name, { location: html_url, head: head.ref, is: is ?? '', branch, wanted });
    throw new BeadsmithError('FORGE_REFUSED', { host: this.place.base.host, ...why });
  }

  async #branch(client: Client, name: string): Promise<z.infer<typeof Branch> | undefined> {
    const at = { ...named(this.place.base), branch: name };
    try {
      return Branch.parse((await client.request('GET /repos/{owner}/{repo}/branches/{branch}', at)).data);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async #asked<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw failureOf(this.place.base.host, error, this.#now());
    }
  }
}

function tailOf(evidence: string | undefined): string {
  return evidence === undefined ? '' : evidenceBlock(evidence);
}

function isIn({ head }: Pull, repositories: readonly string[]): boolean {
  return head.repo ? repositories.includes(head.repo.full_name.toLowerCase()) : false;
}

function shown(pull: Pull): ForgePullRequest {
  const { number, html_url: location, head, base } = pull;
  return { number, location, state: stateOf(pull), commit: head.sha, base: base.ref };
}
