import { rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { TicketId } from '../../../domain/core/ids.ts';
import type { CheckedOut } from '../../../domain/team/checkedOut.ts';
import { exists } from '../../system/files.ts';
import { listWorktrees, type RepositoryParts, unregister } from '../commits/ownBranch.ts';
import { fillWorktree } from '../worktrees/fillWorktree.ts';
import { placeOf } from '../worktrees/worktreeIndex.ts';
import type { OwnWorktree } from '../worktrees/worktreePlaces.ts';

/**
 * A person's checkouts of a team's tickets. They are on no branch: one with the ticket's name may be of a
 * ticket of this clone.
 */
export class TeamCheckouts {
  readonly #parts: RepositoryParts;

  constructor(parts: RepositoryParts) {
    this.#parts = parts;
  }

  /**
   * Makes it at a commit, or takes it there if nothing of the person is in the way. Throws WORKTREE_EXISTS,
   * GIT_FAILED.
   */
  async checkOut(ticket: string, revision: string): Promise<CheckedOut> {
    const { cli, revisions, places, main } = this.#parts;
    const [id, commit] = [TicketId.parse(ticket), await revisions.commit(main, revision)];
    return this.#parts.locked(async () => {
      const path = await places.teamPath(id);
      const own = await places.ofTeam(path).catch(() => undefined);
      // git writes the index last: without one, it was cut off, and nothing in it is the person's.
      const isWhole = own !== undefined && (await exists(join(own.gitDir, 'index')));
      if (!isWhole && !own && (await exists(path))) throw new BeadsmithError('WORKTREE_EXISTS', { path });
      if (!isWhole) return this.#make(path, commit);
      const head = await revisions.commit(placeOf(own), 'HEAD');
      if (head === commit) return { path, state: 'current' };
      if (await this.#isUsed(own, head, commit)) return { path, state: 'kept' };
      // Ignored files are the person's, too.
      const args = ['checkout', '--quiet', '--no-overwrite-ignore', '--detach', commit, '--'];
      await cli.run(placeOf(own), { args });
      await fillWorktree(cli, own, main.cwd);
      return { path, state: 'updated' };
    });
  }

  async all(): Promise<readonly OwnWorktree[]> {
    const listed = await listWorktrees(this.#parts);
    const found = listed.map(({ path }) => this.#parts.places.ofTeam(path).catch(() => undefined));
    return (await Promise.all(found)).flatMap((own) => own ?? []);
  }

  /** Keeps changes, and commits that no ref has, as `refs/beadsmith/checkouts/<ticket>/removed`. */
  async remove(ticket: string): Promise<void> {
    await this.#parts.locked(async () => {
      const own = (await this.all()).find((one) => one.ticket === ticket);
      if (!own) return;
      if (await exists(join(own.gitDir, 'index'))) await this.#keep(own);
      await unregister(this.#parts, own.path);
      await rmdir(dirname(own.path)).catch(() => undefined);
    });
  }

  async #keep(own: OwnWorktree): Promise<void> {
    const { cli, revisions, index, branch } = this.#parts;
    const head = await revisions.commit(placeOf(own), 'HEAD');
    const holders = ['for-each-ref', '--count=1', `--contains=${head}`, '--format=%(refname)'];
    const isHeld = (await cli.text(placeOf(own), ...holders)) !== '';
    if (isHeld && (await index.changes(own)).length === 0) return;
    const ref = `refs/beadsmith/checkouts/${own.ticket}/removed`;
    await branch.keep(own, ref, `${own.ticket}: removed`, head);
  }

  async #make(path: string, commit: string): Promise<CheckedOut> {
    const { cli, places, main } = this.#parts;
    await unregister(this.#parts, path);
    await places.prepareFolder(dirname(path));
    try {
      const args = ['worktree', 'add', '--no-checkout', '--detach', '--', path, commit];
      await cli.run(main, { args });
      const own = await places.ofTeam(path);
      await cli.run(placeOf(own), { args: ['reset', '--hard', '--quiet'] });
      await fillWorktree(cli, own, main.cwd);
    } catch (error) {
      await unregister(this.#parts, path).catch(() => undefined);
      throw error;
    }
    return { path, state: 'made' };
  }

  /** On a branch, with a commit that the ticket doesn't have, or with a change. */
  async #isUsed(own: OwnWorktree, head: string, commit: string): Promise<boolean> {
    const { cli, revisions, index } = this.#parts;
    const asked = { args: ['symbolic-ref', '--quiet', 'HEAD'], allow: [0, 1] };
    if ((await cli.run(placeOf(own), asked)).code === 0) return true;
    if (!(await revisions.isAncestor(placeOf(own), head, commit))) return true;
    return (await index.changes(own)).length > 0;
  }
}
