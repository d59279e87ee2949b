import { Recent } from '../../../base/recent.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { CommitSha, ticketBranches, ticketNumberPattern, TicketPrefix } from '../../../domain/core/ids.ts';
import type { GitCli, Place } from './gitCli.ts';
import type { BaseBranch } from '../../../engine/ports/ports.ts';

const ownRef = new RegExp(`^refs/(?:beadsmith|heads/${ticketBranches})/[\\w./-]+$`);

export class Revisions {
  readonly #cli: GitCli;
  readonly #known = new Set<string>();
  readonly #trees = new Recent<string>(64);

  constructor(cli: GitCli) {
    this.#cli = cli;
  }

  /** The full hash of a commit; undefined for none, and for git's options. */
  async find(place: Place, revision: string): Promise<string | undefined> {
    if (this.#known.has(revision)) return revision;
    if (revision === '' || revision.startsWith('-') || revision.length > 1_000 || /\p{Cc}/u.test(revision))
      return undefined;
    const sha = (await this.#cli.object(place, `${revision}^{commit}`, 'info'))?.sha;
    if (sha !== undefined) this.#known.add(sha);
    return sha;
  }

  async tree(place: Place, commit: string): Promise<string> {
    const sha = await this.#trees.of(
      commit,
      async () => (await this.#cli.object(place, `${commit}^{tree}`, 'info'))?.sha ?? '',
    );
    if (sha === '') throw new BeadsmithError('REVISION_UNKNOWN', { revision: commit });
    return sha;
  }

  /** Throws REVISION_UNKNOWN where `find` is undefined. */
  async commit(place: Place, revision: string): Promise<string> {
    const sha = await this.find(place, revision);
    if (sha === undefined) throw new BeadsmithError('REVISION_UNKNOWN', { revision });
    return sha;
  }

  async pair(place: Place, from: string, to: string): Promise<readonly [from: string, to: string]> {
    return [await this.commit(place, from), await this.commit(place, to)];
  }

  /** The trees of two commits. A full hash may also be a tree's own. */
  async trees(place: Place, from: string, to: string): Promise<readonly [from: string, to: string]> {
    const find = async (revision: string): Promise<string> =>
      this.tree(place, CommitSha.safeParse(revision).success ? revision : await this.commit(place, revision));
    return [await find(from), await find(to)];
  }

  async isAncestor(place: Place, ancestor: string, commit: string): Promise<boolean> {
    const { code } = await this.#cli.run(place, {
      args: ['merge-base', '--is-ancestor', ancestor, commit],
      allow: [0, 1],
    });
    return code === 0;
  }

  /** The highest number of a ticket, also of those that are gone: none is used twice. */
  async highestTicket(place: Place, prefix: string): Promise<number> {
    const valid = TicketPrefix.safeParse(prefix);
    if (!valid.success)
      throw new BeadsmithError('INVALID_INPUT', { what: 'The ticket prefix', reason: prefix });
    const refs = await this.#cli.text(place, 'for-each-ref', '--format=%(refname)');
    const pattern = new RegExp(
      `^refs/(?:(?:heads|remotes/[^/]+)/${ticketBranches}|beadsmith)/${valid.data}-(${ticketNumberPattern})(?:/|$)`,
    );
    return Math.max(0, ...refs.split('\n').map((ref) => Number(pattern.exec(ref)?.[1] ?? 0)));
  }

  async updateOwn(place: Place, ref: string, to: string, from?: string): Promise<void> {
    if (!ownRef.test(ref)) throw new BeadsmithError('OUTSIDE_WORKTREE', { path: ref });
    const before = from === undefined ? undefined : /^0+$/.test(from) ? none : await this.commit(place, from);
    await this.update(place, ref, await this.commit(place, to), before);
  }

  /** Keeps a commit under the first free `<folder>/<n>`, or where it is. Answers the ref. */
  async keepUnderFree(place: Place, folder: string, commit: string): Promise<string> {
    for (let number = 1; ; number += 1) {
      const ref = `${folder}/${number}`;
      const there = await this.find(place, ref);
      if (there === undefined) await this.update(place, ref, commit, none);
      if (there === undefined || there === commit) return ref;
    }
  }

  /** Sets a ref. `from`: the value it must have, `none` if it must not exist; undefined for any. */
  async update(place: Place, ref: string, to: string, from?: string): Promise<void> {
    const args = ['update-ref', '--create-reflog', '-m', 'beadsmith', ref, to];
    if (from !== undefined) args.push(from === none ? '0'.repeat(to.length) : from);
    await this.#cli.run(place, { args, config: durable });
  }
}

export const none = 'none';

/** Settings for objects and refs that must survive a power cut. */
export const durable: readonly string[] = ['core.fsync=all'];

export const durableWithoutIndex: readonly string[] = ['core.fsync=objects,derived-metadata,reference'];

/** Branches that tickets can start from (docs/decisions/075-base-branch.md). */
export class BaseBranches {
  readonly #cli: GitCli;
  readonly #revisions: Revisions;

  constructor(cli: GitCli, revisions: Revisions) {
    this.#cli = cli;
    this.#revisions = revisions;
  }

  async all(place: Place): Promise<readonly string[]> {
    const names = await this.#cli.text(place, 'for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads');
    return names.split('\n').filter((name) => name !== '');
  }

  /** The branch of origin/HEAD, else the current one; undefined on a detached HEAD. Throws NO_COMMITS. */
  async usual(place: Place): Promise<string | undefined> {
    const originHead = 'refs/remotes/origin/HEAD';
    const format = '--format=%(HEAD)%(refname)%00%(symref)';
    const refs = (await this.#cli.text(place, 'for-each-ref', format, 'refs/heads', originHead))
      .split('\n')
      .flatMap((line) => {
        const [name = '', target = ''] = line.slice(1).split('\0');
        return name === '' ? [] : [{ name, target, current: line.startsWith('*') }];
      });
    const branches = refs.flatMap(({ name }) => (name.startsWith(heads) ? [name.slice(heads.length)] : []));
    if (branches.length === 0) throw new BeadsmithError('NO_COMMITS');
    const current = refs.find((ref) => ref.current)?.name.slice(heads.length) ?? (await this.#unborn(place));
    if (current === undefined) return undefined;
    const origin = refs
      .find(({ name }) => name === originHead)
      ?.target.replace(/^refs\/remotes\/origin\//, '');
    return [origin, current].find((name) => name !== undefined && branches.includes(name));
  }

  async #unborn(place: Place): Promise<string | undefined> {
    const { stdout } = await this.#cli.run(place, {
      args: ['symbolic-ref', '--quiet', 'HEAD'],
      allow: [0, 1, 128],
    });
    return stdout.startsWith(heads) ? stdout.trim().slice(heads.length) : undefined;
  }

  async find(place: Place, name: string): Promise<BaseBranch | undefined> {
    if (!isPlainName(name)) return undefined;
    const local = await this.#revisions.find(place, `refs/heads/${name}`);
    const plain = name.replace(/^origin\//, '');
    const origin = await this.#revisions.find(
      place,
      `refs/remotes/origin/${local === undefined ? plain : name}`,
    );
    if (local === undefined && origin === undefined) return undefined;
    const branch = local === undefined ? plain : name;
    const own = local ?? (await this.#revisions.find(place, `refs/heads/${branch}`));
    const [ahead, behind] =
      own === undefined || origin === undefined ? [0, 0] : await this.#apart(place, own, origin);
    return {
      branch,
      commit: local ?? origin ?? '',
      side: local === undefined ? 'origin' : 'local',
      ahead,
      behind,
    };
  }

  async #apart(place: Place, local: string, origin: string): Promise<readonly [number, number]> {
    const counts = await this.#cli.text(place, 'rev-list', '--left-right', '--count', `${local}...${origin}`);
    const [ahead = 0, behind = 0] = counts.split('\t').map(Number);
    return [ahead, behind];
  }
}

const heads = 'refs/heads/';

function isPlainName(name: string): boolean {
  return !/[\s~^:?*[\\]|\.\.|@\{|^(?:origin\/)?HEAD$/.test(name);
}
