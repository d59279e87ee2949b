import { lstat, realpath, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { GitCli } from '../cli/gitCli.ts';
import type { LeftFiles } from '../worktrees/leftFiles.ts';
import type { OwnBranch } from '../commits/ownBranch.ts';
import type { Revisions } from '../cli/revisions.ts';
import { ensureTicketFolder } from './ticketWorktrees.ts';
import { placeOf } from '../worktrees/worktreeIndex.ts';
import type { OwnWorktree } from '../worktrees/worktreePlaces.ts';

/** Reverts changes in a worktree. The caller has proved that the worktree is ours (`WorktreePlaces.own`). */
export class ResetWorktree {
  readonly #cli: GitCli;
  readonly #revisions: Revisions;
  readonly #branch: OwnBranch;
  readonly #left: LeftFiles;

  constructor(cli: GitCli, revisions: Revisions, branch: OwnBranch, left: LeftFiles) {
    this.#cli = cli;
    this.#revisions = revisions;
    this.#branch = branch;
    this.#left = left;
  }

  /**
   * The worktree as it was at a commit, and the ticket's branch there. What is dropped is kept first, under
   * `refs/beadsmith/<ticket>/worktree/before-reset` (docs/decisions/011-attempt-refs.md). `.ticket/` stays,
   * and so do ignored paths but `clear`. Answers the folder that has what no commit can keep; null if there
   * was nothing.
   */
  async hard(own: OwnWorktree, commit: string, clear: readonly string[]): Promise<string | null> {
    const place = placeOf(own);
    const target = await this.#revisions.commit(place, commit);
    const head = await this.#branch.attach(own);
    await this.#branch.endUnfinished(own);
    await this.#branch.keepChanges(own, 'before-reset', head, { leaves: head !== target });
    const left = await this.#left.take(own, clear);
    await this.#cli.run(place, { args: ['reset', '--hard', '--quiet', target] });
    // `-f` twice also removes an agent's own repository inside the worktree.
    await this.#cli.run(place, { args: ['clean', '-f', '-f', '-d', '-q', '--exclude=/.ticket'] });
    const ticketFolder = join(own.path, '.ticket');
    // An agent replaced the folder. Its content is written again from the database.
    if ((await lstat(ticketFolder).catch(() => undefined))?.isDirectory() === false) await rm(ticketFolder);
    await ensureTicketFolder(own.path);
    return left;
  }

  /** These paths as they are in HEAD; what HEAD doesn't have is removed. Other paths stay as they are. */
  async paths(own: OwnWorktree, paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    const place = placeOf(own);
    const { stdout } = await this.#cli.run(place, {
      args: ['ls-tree', '-r', '-z', '--name-only', '--full-tree', 'HEAD'],
    });
    const tracked = new Set(stdout.split('\0'));
    const untracked = paths.filter((name) => !tracked.has(name));
    for (const path of untracked) await this.#removeFile(own, path);
    if (untracked.length > 0) {
      const args = ['update-index', '--force-remove', '-z', '--stdin'];
      await this.#cli.run(place, { args, input: untracked.map((path) => `${path}\0`).join('') });
    }
    const restored = paths.filter((name) => tracked.has(name));
    if (restored.length === 0) return;
    const args = [
      '--literal-pathspecs',
      'checkout',
      '--quiet',
      '--pathspec-from-file=-',
      '--pathspec-file-nul',
      'HEAD',
    ];
    await this.#cli.run(place, { args, input: restored.map((path) => `${path}\0`).join('') });
  }

  async #removeFile(own: OwnWorktree, path: string): Promise<void> {
    const full = join(own.path, path);
    const parent = await realpath(dirname(full)).catch(() => undefined);
    if (parent === undefined) return; // gone with its folder
    if (parent !== own.path && !parent.startsWith(own.path + sep))
      throw new BeadsmithError('OUTSIDE_WORKTREE', { path });
    await rm(full, { recursive: true, force: true });
  }
}
