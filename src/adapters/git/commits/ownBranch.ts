import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { ticketBranch } from '../../../domain/core/ids.ts';
import type { TicketId } from '../../../domain/core/ids.ts';
import type { Commits } from './commits.ts';
import type { GitCli } from '../cli/gitCli.ts';
import { none, type Revisions } from '../cli/revisions.ts';
import { placeOf } from '../worktrees/worktreeIndex.ts';
import type { WorktreeIndex } from '../worktrees/worktreeIndex.ts';
import type { OwnWorktree } from '../worktrees/worktreePlaces.ts';

/**
 * Returns the ref of the commit at which a ticket's branch started. It distinguishes our branch from another
 * one of the same name.
 */
export function startRef(ticket: TicketId): string {
  return `refs/beadsmith/${ticket}/worktree/start`;
}

export function branchRef(ticket: TicketId): string {
  return `refs/heads/${ticketBranch(ticket)}`;
}

/** Keeps HEAD of a worktree on the ticket's branch, and keeps what would be lost under refs. */
export class OwnBranch {
  readonly #cli: GitCli;
  readonly #revisions: Revisions;
  readonly #index: WorktreeIndex;
  readonly #commits: Commits;

  constructor(cli: GitCli, revisions: Revisions, index: WorktreeIndex, commits: Commits) {
    this.#cli = cli;
    this.#revisions = revisions;
    this.#index = index;
    this.#commits = commits;
  }

  /**
   * Brings HEAD back to the ticket's branch if an agent left it (detached, another branch, a half-done
   * rebase). Files stay as they are; commits made elsewhere are kept under
   * `refs/beadsmith/<ticket>/worktree/stray-<hash>` and show up as changes. Answers the commit HEAD is at
   * then. Throws WORKTREE_LOST, and WORKTREE_FAILED while another checkout has the branch.
   */
  async attach(own: OwnWorktree): Promise<string> {
    const place = placeOf(own);
    const branch = branchRef(own.ticket);
    await this.#refuseElsewhere(own);
    const head = await text(join(own.gitDir, 'HEAD'));
    const tip = await this.#revisions.find(place, branch);
    if (head === `ref: ${branch}` && tip !== undefined) return tip;
    const stray = await this.#revisions.find(place, 'HEAD');
    if (stray !== undefined && stray !== tip) {
      await this.#revisions.update(
        place,
        `refs/beadsmith/${own.ticket}/worktree/stray-${stray.slice(0, 12)}`,
        stray,
      );
    }
    const back = tip ?? stray;
    // Neither: the branch and its commits are gone.
    if (back === undefined) throw new BeadsmithError('WORKTREE_LOST', { path: own.path });
    if (tip === undefined) {
      // The branch was deleted or renamed: it is created again at the worktree's commit.
      await this.#revisions.update(place, branch, back);
    }
    await this.endUnfinished(own);
    await this.#cli.run(place, { args: ['symbolic-ref', 'HEAD', branch] });
    await this.#cli.run(place, { args: ['reset', '--mixed', '--quiet'] });
    return back;
  }

  /** Takes HEAD off the ticket's branch, if it is on it. Files and index don't change. */
  async detach(own: OwnWorktree): Promise<void> {
    const place = placeOf(own);
    if ((await text(join(own.gitDir, 'HEAD'))) !== `ref: ${branchRef(own.ticket)}`) return;
    const commit = await this.#revisions.commit(place, 'HEAD');
    await this.#cli.run(place, { args: ['update-ref', '--no-deref', 'HEAD', commit] });
  }

  /**
   * Takes the ticket's branch back to `to`, even if it was rewritten: commits since then become changes of
   * files again, and stay under the first free ref of `refs/beadsmith/<ticket>/undone/<n>`. Files don't
   * change. Answers that ref; null if the branch was there.
   */
  async takeBack(own: OwnWorktree, to: string): Promise<string | null> {
    const place = placeOf(own);
    const head = await this.attach(own);
    if (head === to) return null;
    const ref = await this.#revisions.keepUnderFree(place, `refs/beadsmith/${own.ticket}/undone`, head);
    await this.#revisions.update(place, 'HEAD', to, head);
    await this.#cli.run(place, { args: ['reset', '--mixed', '--quiet'] });
    return ref;
  }

  /** Ends an unfinished merge, rebase or cherry-pick; the files don't change. */
  async endUnfinished(own: OwnWorktree): Promise<void> {
    const names = [
      'rebase-merge',
      'rebase-apply',
      'sequencer',
      'MERGE_HEAD',
      'MERGE_MSG',
      'MERGE_MODE',
      'CHERRY_PICK_HEAD',
      'REVERT_HEAD',
    ];
    for (const name of [...names, 'AUTO_MERGE', 'BISECT_LOG'])
      await rm(join(own.gitDir, name), { recursive: true, force: true });
  }

  /**
   * A commit of the worktree's current files on top of HEAD (`parent`), under the first free ref. For the
   * same state it returns the same commit.
   */
  async keep(own: OwnWorktree, ref: string, message: string, parent: string): Promise<string> {
    const place = placeOf(own);
    const tree = await this.#index.tree(own);
    const args = ['for-each-ref', '--format=%(refname) %(objectname) %(tree) %(parent)', ref, `${ref}-*`];
    const there = (await this.#cli.text(place, ...args)).split('\n').map((line) => line.split(' '));
    const same = there.find(([, , keptTree, keptParent]) => keptTree === tree && keptParent === parent)?.[1];
    if (same !== undefined) return same;
    const taken = new Set(there.map(([name]) => name));
    const commit = await this.#commits.make(place, { tree, parents: [parent], message, internal: true });
    let free = ref;
    for (let number = 2; taken.has(free); number += 1) free = `${ref}-${String(number)}`;
    // Never over another one: it may be all that is left of an earlier attempt.
    await this.#revisions.update(place, free, commit, none);
    return commit;
  }

  /**
   * As `keep`, but only if there is something that isn't in HEAD, or if HEAD is about to leave its commit
   * (`leaves`).
   */
  async keepChanges(
    own: OwnWorktree,
    name: string,
    head: string,
    options: { readonly leaves: boolean },
  ): Promise<void> {
    if (!options.leaves && (await this.#index.changes(own)).length === 0) return;
    await this.keep(own, `refs/beadsmith/${own.ticket}/worktree/${name}`, `${own.ticket}: ${name}`, head);
  }

  /**
   * Throws WORKTREE_FAILED while the branch is checked out elsewhere, too: if it moved, that checkout would
   * show changes that its person never made. Read from files, because it is asked before each change.
   */
  async #refuseElsewhere(own: OwnWorktree): Promise<void> {
    const common = dirname(dirname(own.gitDir));
    const folders = (await readdir(join(common, 'worktrees'))).map((name) => join(common, 'worktrees', name));
    for (const folder of [common, ...folders]) {
      if (folder === own.gitDir || (await text(join(folder, 'HEAD'))) !== `ref: ${branchRef(own.ticket)}`)
        continue;
      const path = folder === common ? common : await text(join(folder, 'gitdir'));
      // git keeps its notes of a folder that was deleted.
      if (path === '' || !existsSync(path)) continue;
      const place = basename(path) === '.git' ? dirname(path) : path;
      const reason = `its branch ${ticketBranch(own.ticket)} is checked out at ${place}`;
      throw new BeadsmithError('WORKTREE_FAILED', { path: own.path, reason });
    }
  }
}

async function text(file: string): Promise<string> {
  return (await readFile(file, 'utf8').catch(() => '')).trim();
}
