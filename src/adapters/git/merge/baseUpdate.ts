import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { TicketId } from '../../../domain/core/ids.ts';
import type { Git } from '../../../engine/ports/gitPort.ts';
import type { BaseTaken } from '../../../engine/ports/ports.ts';
import type { Commits } from '../commits/commits.ts';
import type { GitCli, Place } from '../cli/gitCli.ts';
import type { OwnBranch } from '../commits/ownBranch.ts';
import type { Revisions } from '../cli/revisions.ts';
import type { ScratchWorktrees } from '../checkouts/scratchWorktrees.ts';
import { placeOf, type WorktreeIndex } from '../worktrees/worktreeIndex.ts';
import type { OwnWorktree } from '../worktrees/worktreePlaces.ts';

/**
 * `start`: the base commit that the work began at. `head`: the work. `base`: the commit it is to stand on.
 * `linear`: whether it may be rewritten.
 */
export interface BaseRequest {
  readonly ticket: TicketId;
  readonly start: string;
  readonly head: string;
  readonly base: string;
  readonly message: string;
  readonly linear: boolean;
}

/**
 * Puts a ticket's work on another base commit (docs/decisions/076-update-from-base.md). Commits are made in
 * the scratch worktree or from trees: no branch moves, and no other checkout changes.
 */
export class BaseUpdate {
  readonly #cli: GitCli;
  readonly #main: Place;
  readonly #revisions: Revisions;
  readonly #index: WorktreeIndex;
  readonly #commits: Commits;
  readonly #branch: OwnBranch;
  readonly #scratch: ScratchWorktrees;

  constructor(parts: {
    cli: GitCli;
    main: Place;
    revisions: Revisions;
    index: WorktreeIndex;
    commits: Commits;
    branch: OwnBranch;
    scratch: ScratchWorktrees;
  }) {
    this.#cli = parts.cli;
    this.#main = parts.main;
    this.#revisions = parts.revisions;
    this.#index = parts.index;
    this.#commits = parts.commits;
    this.#branch = parts.branch;
    this.#scratch = parts.scratch;
  }

  /**
   * Rebases the work if that needs nobody's decision, else merges; `conflicts` with the merged tree, conflict
   * markers included, if neither works.
   */
  async take(request: BaseRequest): Promise<BaseTaken> {
    const { start, head, base } = request;
    if (await this.#revisions.isAncestor(this.#main, base, head))
      return { kind: 'taken', commit: head, how: 'none' };
    if (request.linear && !(await this.#hasMerges(start, head))) {
      const rebased = await this.#rebase(request);
      if (rebased !== undefined) return { kind: 'taken', commit: rebased, how: 'rebase' };
    }
    const { tree, files, parents } = await this.#merge(request);
    if (files.length > 0) return { kind: 'conflicts', tree, files, parents };
    const commit = await this.#commits.make(this.#main, { tree, parents, message: request.message });
    return { kind: 'taken', commit, how: 'merge' };
  }

  /**
   * Writes a merged tree with its conflicts into a ticket's worktree, for someone to resolve. What was
   * changed there is lost.
   */
  async open(own: OwnWorktree, tree: string): Promise<void> {
    await this.#branch.attach(own);
    await this.#branch.endUnfinished(own);
    await this.#cli.run(placeOf(own), { args: ['read-tree', '--reset', '-u', tree] });
  }

  /**
   * A commit of a merged tree as it was resolved in the worktree: tracked files as they are there, and these
   * untracked ones. Kept under `ref`.
   */
  async close(own: OwnWorktree, work: Parameters<Git['resolvedConflicts']>[1]): Promise<string> {
    const place = placeOf(own);
    if (!work.ref.startsWith(`refs/beadsmith/${own.ticket}/`))
      throw new BeadsmithError('OUTSIDE_WORKTREE', { path: work.ref });
    await this.#branch.takeBack(own, work.head);
    // An agent may have staged or committed. What counts is what is on the disk, of the files that the merge
    // knows.
    await this.#cli.run(place, { args: ['read-tree', '--reset', work.tree] });
    const wanted = new Set(work.untracked);
    const changes = (await this.#index.changes(own)).filter(
      ({ path, untracked }) => !untracked || wanted.has(path),
    );
    const tree = await this.#index.treeOf(own, changes);
    const commit = await this.#commits.make(place, { tree, parents: work.parents, message: work.message });
    await this.#revisions.update(place, work.ref, commit);
    return commit;
  }

  async #hasMerges(start: string, head: string): Promise<boolean> {
    const args = ['rev-list', '--merges', '--max-count=1', '--end-of-options', head, `^${start}`];
    return (await this.#cli.run(this.#main, { args })).stdout !== '';
  }

  async #rebase({ ticket, start, head, base }: BaseRequest): Promise<string | undefined> {
    await this.#scratch.checkOut(ticket, head, []);
    const place = placeOf(await this.#scratch.own(ticket));
    const fixed = [
      '--no-autosquash',
      '--no-autostash',
      '--no-update-refs',
      '--no-rebase-merges',
      '--no-fork-point',
      '--no-verify',
    ];
    const env = await this.#commits.identity(place);
    const { code } = await this.#commits.signed(place, false, (sign) => {
      const args = [
        'rebase',
        '--quiet',
        '--merge',
        '--empty=drop',
        ...fixed,
        sign ? '--gpg-sign' : '--no-gpg-sign',
        '--onto',
        base,
        start,
      ];
      return this.#cli.run(place, { args, env, allow: [0, 1] });
    });
    if (code === 0) return this.#revisions.commit(place, 'HEAD');
    await this.#cli.run(place, { args: ['rebase', '--abort'], allow: [0, 1, 128] });
    return undefined;
  }

  /**
   * The work and the base merged as trees. A base that was rewritten must not come back as a parent, and the
   * work counts from where it began.
   */
  async #merge({
    start,
    head,
    base,
    message,
  }: BaseRequest): Promise<{ tree: string; files: readonly string[]; parents: readonly string[] }> {
    const isRewritten = !(await this.#revisions.isAncestor(this.#main, start, base));
    const sides = isRewritten
      ? await Promise.all([base, head].map((commit) => this.#onTop(commit, start, message)))
      : [base, head];
    const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ...sides];
    const { stdout } = await this.#cli.run(this.#main, { args, allow: [0, 1] });
    const [tree = '', ...files] = stdout.split('\0').filter((field) => field !== '');
    return { tree, files: [...new Set(files)], parents: isRewritten ? [base] : [head, base] };
  }

  /** The files of a commit as a child of `parent`: git then merges it as if it began there. */
  async #onTop(commit: string, parent: string, message: string): Promise<string> {
    const tree = await this.#cli.text(
      this.#main,
      'rev-parse',
      '--verify',
      '--end-of-options',
      `${commit}^{tree}`,
    );
    return this.#commits.make(this.#main, { tree, parents: [parent], message, internal: true });
  }
}
