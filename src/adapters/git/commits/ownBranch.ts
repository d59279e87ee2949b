import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { ticketBranch, type TicketId, ticketRef, ticketRefs } from '../../../domain/core/ids.ts';
import type { Commits } from './commits.ts';
import type { GitCli, Place } from '../cli/gitCli.ts';
import { type ListedWorktree, parseWorktrees } from '../cli/parseGit.ts';
import { none, type Revisions } from '../cli/revisions.ts';
import { placeOf, type WorktreeIndex } from '../worktrees/worktreeIndex.ts';
import type { OwnWorktree, WorktreePlaces } from '../worktrees/worktreePlaces.ts';
import { textAt } from '../../system/files.ts';

export function branchRef(ticket: TicketId): string {
  return `refs/heads/${ticketBranch(ticket)}`;
}

export interface GitParts {
  readonly cli: GitCli;
  readonly revisions: Revisions;
  readonly index: WorktreeIndex;
  readonly commits: Commits;
  readonly branch: OwnBranch;
}

/**
 * `locked` runs one change to the list of worktrees at a time, over all processes: git's bookkeeping breaks
 * otherwise (docs/decisions/012-git-calls.md). Throws GIT_LOCKED.
 */
export interface RepositoryParts extends GitParts {
  readonly main: Place;
  readonly places: WorktreePlaces;
  readonly locked: <T>(task: () => Promise<T>) => Promise<T>;
}

export async function listWorktrees({
  cli,
  main,
}: Pick<RepositoryParts, 'cli' | 'main'>): Promise<readonly ListedWorktree[]> {
  return parseWorktrees((await cli.run(main, { args: ['worktree', 'list', '--porcelain', '-z'] })).stdout);
}

/** Uses `remove`: `prune` would also forget worktrees on unmounted disks. */
export async function unregister(parts: RepositoryParts, path: string): Promise<void> {
  if (!(await listWorktrees(parts)).some((listed) => listed.path === path)) return;
  await parts.cli.run(parts.main, { args: ['worktree', 'remove', '--force', '--force', '--', path] });
}

/** `start`: the hash of its parent. `ref`: keeps it until the branch has it. */
export interface CandidateWork {
  readonly start: string;
  readonly paths: readonly string[];
  readonly message: string;
  readonly trailers: Readonly<Record<string, string>>;
  readonly ref: string;
}

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
   * Brings HEAD back to the ticket's branch; files stay. Commits made elsewhere are kept as
   * `refs/beadsmith/<ticket>/worktree/stray-<hash>`. Answers HEAD. Throws WORKTREE_LOST, and WORKTREE_FAILED
   * while another checkout has the branch.
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
      const ref = ticketRef(own.ticket, `worktree/stray-${stray.slice(0, 12)}`);
      await this.#revisions.update(place, ref, stray);
    }
    const back = tip ?? stray;
    if (back === undefined) throw new BeadsmithError('WORKTREE_LOST', { path: own.path });
    if (tip === undefined) await this.#revisions.update(place, branch, back);
    await this.endUnfinished(own);
    await this.#cli.run(place, { args: ['symbolic-ref', 'HEAD', branch] });
    await this.#cli.run(place, { args: ['reset', '--mixed', '--quiet'] });
    return back;
  }

  /** Takes HEAD off the ticket's branch; files and index stay. */
  async detach(own: OwnWorktree): Promise<void> {
    const place = placeOf(own);
    if ((await text(join(own.gitDir, 'HEAD'))) !== `ref: ${branchRef(own.ticket)}`) return;
    const commit = await this.#revisions.commit(place, 'HEAD');
    await this.#cli.run(place, { args: ['update-ref', '--no-deref', 'HEAD', commit] });
  }

  /**
   * Takes the branch back to `to`; files stay. Later commits are kept as
   * `refs/beadsmith/<ticket>/undone/<n>`. Answers that ref, or null if it was there.
   */
  async takeBack(own: OwnWorktree, to: string): Promise<string | null> {
    const place = placeOf(own);
    const head = await this.attach(own);
    if (head === to) return null;
    const ref = await this.#revisions.keepUnderFree(place, ticketRef(own.ticket, 'undone'), head);
    await this.#revisions.update(place, 'HEAD', to, head);
    await this.#cli.run(place, { args: ['reset', '--mixed', '--quiet'] });
    return ref;
  }

  async endUnfinished(own: OwnWorktree): Promise<void> {
    const merging = ['MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE', 'AUTO_MERGE'];
    const others = ['CHERRY_PICK_HEAD', 'REVERT_HEAD', 'BISECT_LOG'];
    for (const name of ['rebase-merge', 'rebase-apply', 'sequencer', ...merging, ...others])
      await rm(join(own.gitDir, name), { recursive: true, force: true });
  }

  /** Commits the files on `parent` (HEAD) under the first free ref, once for each state. */
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
    for (let number = 2; taken.has(free); number += 1) free = `${ref}-${number}`;
    // Never over another one, which may be all that is left of an attempt.
    await this.#revisions.update(place, free, commit, none);
    return commit;
  }

  async keepChanges(
    own: OwnWorktree,
    name: string,
    head: string,
    options: { readonly leaves: boolean },
  ): Promise<void> {
    if (!options.leaves && (await this.#index.changes(own)).length === 0) return;
    await this.keep(own, ticketRef(own.ticket, `worktree/${name}`), `${own.ticket}: ${name}`, head);
  }

  /**
   * A commit of exactly these paths on HEAD, to be proved (docs/decisions/048-clean-room-proof.md); null if
   * nothing changes. Branch, index and files stay.
   */
  async candidate(
    own: OwnWorktree,
    { start, paths, message, trailers, ref }: CandidateWork,
  ): Promise<string | null> {
    const place = placeOf(own);
    refuseRefOf(own, ref);
    const tree = await this.#index.treeWith(own, paths);
    if (tree === (await this.#revisions.tree(place, start))) return null;
    const commit = await this.#commits.make(place, { tree, parents: [start], message, trailers });
    await this.#revisions.update(place, ref, commit);
    return commit;
  }

  /** Moves the branch from `start` to a candidate; files stay. Throws GIT_FAILED. */
  async adopt(own: OwnWorktree, candidate: string, start: string): Promise<void> {
    const place = placeOf(own);
    const head = await this.attach(own);
    if (head !== candidate) await this.#revisions.update(place, 'HEAD', candidate, start);
    await this.#cli.run(place, { args: ['read-tree', '--reset', candidate] });
  }

  /**
   * Throws WORKTREE_FAILED while another checkout has the branch: it would show changes that its person never
   * made. Reads files only, as each change asks this.
   */
  async #refuseElsewhere(own: OwnWorktree): Promise<void> {
    const common = dirname(dirname(own.gitDir));
    const folders = (await readdir(join(common, 'worktrees'))).map((name) => join(common, 'worktrees', name));
    for (const folder of [common, ...folders]) {
      if (folder === own.gitDir || (await text(join(folder, 'HEAD'))) !== `ref: ${branchRef(own.ticket)}`)
        continue;
      const path = folder === common ? common : await text(join(folder, 'gitdir'));
      // git keeps notes of a folder that was deleted.
      if (path === '' || !existsSync(path)) continue;
      const place = basename(path) === '.git' ? dirname(path) : path;
      const reason = `its branch ${ticketBranch(own.ticket)} is checked out at ${place}`;
      throw new BeadsmithError('WORKTREE_FAILED', { path: own.path, reason });
    }
  }
}

export function refuseRefOf({ ticket }: OwnWorktree, ref: string): void {
  if (!ref.startsWith(ticketRefs(ticket))) throw new BeadsmithError('OUTSIDE_WORKTREE', { path: ref });
}

async function text(file: string): Promise<string> {
  return (await textAt(file)).trim();
}
