import { Recent } from '../../../base/recent.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { TicketPrefix } from '../../../domain/core/ids.ts';
import type { GitCli, Place } from './gitCli.ts';

/** Names of commits and refs, checked before git sees them. */
export class Revisions {
  readonly #cli: GitCli;
  /** Full hashes that are known to name a commit. */
  readonly #known = new Set<string>();
  readonly #trees = new Recent<string>(64);

  constructor(cli: GitCli) {
    this.#cli = cli;
  }

  /**
   * The full hash of the commit a revision names, or undefined. A text that git could take for an option
   * names nothing.
   */
  async find(place: Place, revision: string): Promise<string | undefined> {
    if (this.#known.has(revision)) return revision;
    if (revision === '' || revision.startsWith('-') || revision.length > 1_000 || /\p{Cc}/u.test(revision))
      return undefined;
    const sha = (await this.#cli.object(place, `${revision}^{commit}`, 'info'))?.sha;
    if (sha !== undefined) this.#known.add(sha);
    return sha;
  }

  /** The full hash of a commit's tree. `commit`: a full hash. */
  async tree(place: Place, commit: string): Promise<string> {
    const sha = await this.#trees.of(
      commit,
      async () => (await this.#cli.object(place, `${commit}^{tree}`, 'info'))?.sha ?? '',
    );
    if (sha === '') throw new BeadsmithError('REVISION_UNKNOWN', { revision: commit });
    return sha;
  }

  /** As `find`, but throws REVISION_UNKNOWN. */
  async commit(place: Place, revision: string): Promise<string> {
    const sha = await this.find(place, revision);
    if (sha === undefined) throw new BeadsmithError('REVISION_UNKNOWN', { revision });
    return sha;
  }

  /** Checks whether `ancestor` is `commit` or one of its ancestors. Both are full hashes. */
  async isAncestor(place: Place, ancestor: string, commit: string): Promise<boolean> {
    const { code } = await this.#cli.run(place, {
      args: ['merge-base', '--is-ancestor', ancestor, commit],
      allow: [0, 1],
    });
    return code === 0;
  }

  /**
   * The highest number of a ticket. Also counts refs of earlier tickets, so that a number whose branch was
   * deleted isn't used again.
   */
  async highestTicket(place: Place, prefix: string): Promise<number> {
    const valid = TicketPrefix.safeParse(prefix);
    if (!valid.success)
      throw new BeadsmithError('INVALID_INPUT', { what: 'The ticket prefix', reason: prefix });
    const refs = await this.#cli.text(place, 'for-each-ref', '--format=%(refname)');
    const pattern = new RegExp(
      `^refs/(?:heads/ticket|remotes/[^/]+/ticket|beadsmith)/${valid.data}-([1-9][0-9]{0,8})(?:/|$)`,
    );
    return Math.max(0, ...refs.split('\n').map((ref) => Number(pattern.exec(ref)?.[1] ?? 0)));
  }

  /**
   * Sets one of our refs: `refs/beadsmith/…` or a ticket's branch. `from` as in `update`; zeros mean that it
   * must not exist yet.
   */
  async updateOwn(place: Place, ref: string, to: string, from?: string): Promise<void> {
    if (!/^refs\/(?:beadsmith|heads\/ticket)\/[\w./-]+$/.test(ref))
      throw new BeadsmithError('OUTSIDE_WORKTREE', { path: ref });
    const before = from === undefined ? undefined : /^0+$/.test(from) ? none : await this.commit(place, from);
    await this.update(place, ref, await this.commit(place, to), before);
  }

  /**
   * Keeps a commit under `<folder>/<n>`, with the first number that is free or has it already. A ref that is
   * there never moves. Answers the ref.
   */
  async keepUnderFree(place: Place, folder: string, commit: string): Promise<string> {
    for (let number = 1; ; number += 1) {
      const ref = `${folder}/${String(number)}`;
      const there = await this.find(place, ref);
      if (there === undefined) await this.update(place, ref, commit, none);
      if (there === undefined || there === commit) return ref;
    }
  }

  /** Sets a ref. `from`: the value it must have now; undefined for any, `none` if it must not exist. */
  async update(place: Place, ref: string, to: string, from?: string): Promise<void> {
    const args = ['update-ref', '--create-reflog', '-m', 'beadsmith', ref, to];
    if (from !== undefined) args.push(from === none ? '0'.repeat(to.length) : from);
    await this.#cli.run(place, { args, config: durable });
  }
}

/** As `from` of `update`: the ref must not exist yet. */
export const none = 'none';

/** Objects and refs that a bead's receipt refers to must survive a power cut. */
export const durable: readonly string[] = ['core.fsync=all'];

/**
 * As `durable`, where the index is a copy that is removed at once: it lists all files, and the disk would be
 * waited for, for nothing.
 */
export const durableWithoutIndex: readonly string[] = ['core.fsync=objects,derived-metadata,reference'];
