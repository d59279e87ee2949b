import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BeadsmithError } from '../../domain/errors.ts';
import { ticketBranch } from '../../domain/ids.ts';
import type { TicketId } from '../../domain/ids.ts';
import type { Commits } from './commits/commits.ts';
import type { GitCli } from './gitCli.ts';
import { parseWorktrees } from './parseGit.ts';
import { none, type Revisions } from './revisions.ts';
import { placeOf } from './worktrees/worktreeIndex.ts';
import type { WorktreeIndex } from './worktrees/worktreeIndex.ts';
import type { OwnWorktree } from './worktrees/worktreePlaces.ts';

/** Where a ticket's branch started. It distinguishes our branch from another one of the same name. */
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
   * Brings HEAD back to the ticket's branch if an agent left it (detached, another branch, a half-done rebase). Files stay as they are; commits
   * made elsewhere are kept under `refs/beadsmith/<ticket>/worktree/stray-<hash>` and show up as changes. Answers the commit HEAD is at then. Throws WORKTREE_LOST.
   */
  async attach(own: OwnWorktree): Promise<string> {
    const place = placeOf(own);
    const branch = branchRef(own.ticket);
    const head = await readFile(join(own.gitDir, 'HEAD'), 'utf8').catch(() => '');
    const tip = await this.#revisions.find(place, branch);
    if (head.trim() === `ref: ${branch}` && tip !== undefined) return tip;
    const stray = await this.#revisions.find(place, 'HEAD');
    await this.#refuseElsewhere(own);
    if (stray !== undefined && stray !== tip) {
      await this.#revisions.update(place, `refs/beadsmith/${own.ticket}/worktree/stray-${stray.slice(0, 12)}`, stray);
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

  /**
   * Takes the ticket's branch back to `to`, even if it was rewritten: commits since then become changes of files again, and stay under the first free ref of
   * `refs/beadsmith/<ticket>/undone/<n>`. Files don't change. Answers that ref; null if the branch was there.
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
    const names = ['rebase-merge', 'rebase-apply', 'sequencer', 'MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'];
    for (const name of [...names, 'AUTO_MERGE', 'BISECT_LOG']) await rm(join(own.gitDir, name), { recursive: true, force: true });
  }

  /** A commit of the worktree's current files on top of HEAD (`parent`), under the first free ref. For the same state it returns the same commit. */
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

  /** As `keep`, but only if there is something that isn't in HEAD, or if HEAD is about to leave its commit (`leaves`). */
  async keepChanges(own: OwnWorktree, name: string, head: string, options: { readonly leaves: boolean }): Promise<void> {
    if (!options.leaves && (await this.#index.changes(own)).length === 0) return;
    await this.keep(own, `refs/beadsmith/${own.ticket}/worktree/${name}`, `${own.ticket}: ${name}`, head);
  }

  async #refuseElsewhere(own: OwnWorktree): Promise<void> {
    const { stdout } = await this.#cli.run(placeOf(own), { args: ['worktree', 'list', '--porcelain', '-z'] });
    const branch = ticketBranch(own.ticket);
    const other = parseWorktrees(stdout).find((listed) => listed.branch === branch && listed.path !== own.path);
    if (!other) return;
    const reason = `its branch ${branch} is checked out at ${other.path}`;
    throw new BeadsmithError('WORKTREE_FAILED', { path: own.path, reason });
  }
}
