import type { TicketId } from '../../../domain/core/ids.ts';
import type { Git } from '../../../engine/ports/gitPort.ts';
import type { BaseTaken } from '../../../engine/ports/ports.ts';
import { refuseRefOf, type RepositoryParts } from '../commits/ownBranch.ts';
import type { ScratchWorktrees } from '../checkouts/scratchWorktrees.ts';
import { placeOf } from '../worktrees/worktreeIndex.ts';
import type { OwnWorktree } from '../worktrees/worktreePlaces.ts';

/** `start`: where the work began. `linear`: it may be rewritten. */
export interface BaseRequest {
  readonly ticket: TicketId;
  readonly start: string;
  readonly head: string;
  readonly base: string;
  readonly message: string;
  readonly linear: boolean;
}

const rebaseForm = [
  '--quiet --merge --empty=drop --no-autosquash --no-autostash --no-update-refs',
  '--no-rebase-merges --no-fork-point --no-verify',
].flatMap((line) => line.split(' '));

/**
 * Puts work on another base commit (docs/decisions/076-update-from-base.md), in the scratch worktree or as
 * trees: no branch moves.
 */
export class BaseUpdate {
  readonly #parts: RepositoryParts;
  readonly #scratch: ScratchWorktrees;

  constructor(parts: RepositoryParts, scratch: ScratchWorktrees) {
    this.#parts = parts;
    this.#scratch = scratch;
  }

  async take(request: BaseRequest): Promise<BaseTaken> {
    const { start, head, base } = request;
    if (await this.#parts.revisions.isAncestor(this.#parts.main, base, head))
      return { kind: 'taken', commit: head, how: 'none' };
    if (request.linear && !(await this.#hasMerges(start, head))) {
      const rebased = await this.#rebase(request);
      if (rebased !== undefined) return { kind: 'taken', commit: rebased, how: 'rebase' };
    }
    const { tree, files, parents } = await this.#merge(request);
    if (files.length > 0) return { kind: 'conflicts', tree, files, parents };
    const commit = await this.#parts.commits.make(this.#parts.main, {
      tree,
      parents,
      message: request.message,
    });
    return { kind: 'taken', commit, how: 'merge' };
  }

  async open(own: OwnWorktree, tree: string): Promise<void> {
    await this.#parts.branch.attach(own);
    await this.#parts.branch.endUnfinished(own);
    await this.#parts.cli.run(placeOf(own), { args: ['read-tree', '--reset', '-u', tree] });
  }

  /** Commits a merged tree as resolved, with these untracked files, under `ref`. */
  async close(own: OwnWorktree, work: Parameters<Git['resolvedConflicts']>[1]): Promise<string> {
    const place = placeOf(own);
    refuseRefOf(own, work.ref);
    await this.#parts.branch.takeBack(own, work.head);
    // An agent may have committed. The disk counts, for files that the merge knows.
    await this.#parts.cli.run(place, { args: ['read-tree', '--reset', work.tree] });
    const wanted = new Set(work.untracked);
    const changes = (await this.#parts.index.changes(own)).filter(
      ({ path, untracked }) => !untracked || wanted.has(path),
    );
    const tree = await this.#parts.index.treeOf(own, changes);
    const commit = await this.#parts.commits.make(place, {
      tree,
      parents: work.parents,
      message: work.message,
    });
    await this.#parts.revisions.update(place, work.ref, commit);
    return commit;
  }

  async #hasMerges(start: string, head: string): Promise<boolean> {
    const args = ['rev-list', '--merges', '--max-count=1', '--end-of-options', head, `^${start}`];
    return (await this.#parts.cli.run(this.#parts.main, { args })).stdout !== '';
  }

  async #rebase({ ticket, start, head, base }: BaseRequest): Promise<string | undefined> {
    await this.#scratch.checkOut(ticket, head, []);
    const place = placeOf(await this.#scratch.own(ticket));
    const env = await this.#parts.commits.identity(place);
    const { code } = await this.#parts.commits.signed(place, false, (sign) => {
      const signing = sign ? '--gpg-sign' : '--no-gpg-sign';
      const args = ['rebase', ...rebaseForm, signing, '--onto', base, start];
      return this.#parts.cli.run(place, { args, env, allow: [0, 1] });
    });
    if (code === 0) return this.#parts.revisions.commit(place, 'HEAD');
    await this.#parts.cli.run(place, { args: ['rebase', '--abort'], allow: [0, 1, 128] });
    return undefined;
  }

  /** Merges as trees. A rewritten base doesn't come back; the work counts from its start. */
  async #merge({
    start,
    head,
    base,
    message,
  }: BaseRequest): Promise<{ tree: string; files: readonly string[]; parents: readonly string[] }> {
    const isRewritten = !(await this.#parts.revisions.isAncestor(this.#parts.main, start, base));
    const sides = isRewritten
      ? await Promise.all([base, head].map((commit) => this.#onTop(commit, start, message)))
      : [base, head];
    const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ...sides];
    const [tree = '', ...files] = await this.#parts.cli.records(this.#parts.main, args, [0, 1]);
    return { tree, files: [...new Set(files)], parents: isRewritten ? [base] : [head, base] };
  }

  async #onTop(commit: string, parent: string, message: string): Promise<string> {
    const tree = await this.#parts.revisions.tree(this.#parts.main, commit);
    return this.#parts.commits.make(this.#parts.main, { tree, parents: [parent], message, internal: true });
  }
}
