import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { Commits } from './commits.ts';
import type { GitCli } from '../cli/gitCli.ts';
import type { OwnBranch } from './ownBranch.ts';
import type { Revisions } from '../cli/revisions.ts';
import { placeOf, type WorktreeIndex } from '../worktrees/worktreeIndex.ts';
import type { OwnWorktree } from '../worktrees/worktreePlaces.ts';

/**
 * The parts of a candidate. `start`: the full hash of its parent commit. `ref`: the ref that keeps it until
 * the branch has it.
 */
export interface CandidateWork {
  readonly start: string;
  readonly paths: readonly string[];
  readonly message: string;
  readonly trailers: Readonly<Record<string, string>>;
  readonly ref: string;
}

/**
 * Candidates: commits that are proved before the ticket's branch gets them
 * (docs/decisions/048-clean-room-proof.md).
 */
export class Candidates {
  readonly #cli: GitCli;
  readonly #revisions: Revisions;
  readonly #index: WorktreeIndex;
  readonly #commits: Commits;
  readonly #branch: OwnBranch;

  constructor(parts: {
    cli: GitCli;
    revisions: Revisions;
    index: WorktreeIndex;
    commits: Commits;
    branch: OwnBranch;
  }) {
    this.#cli = parts.cli;
    this.#revisions = parts.revisions;
    this.#index = parts.index;
    this.#commits = parts.commits;
    this.#branch = parts.branch;
  }

  /**
   * A commit of exactly these paths on top of HEAD; null if they change nothing. Branch, index and files stay
   * as they are.
   */
  async make(
    own: OwnWorktree,
    { start, paths, message, trailers, ref }: CandidateWork,
  ): Promise<string | null> {
    const place = placeOf(own);
    if (!ref.startsWith(`refs/beadsmith/${own.ticket}/`))
      throw new BeadsmithError('OUTSIDE_WORKTREE', { path: ref });
    const tree = await this.#index.treeWith(own, paths);
    if (tree === (await this.#revisions.tree(place, start))) return null;
    const commit = await this.#commits.make(place, { tree, parents: [start], message, trailers });
    await this.#revisions.update(place, ref, commit);
    return commit;
  }

  /**
   * Gives the ticket's branch a candidate, if it is still at `start` or has it already. Files don't change.
   * Throws GIT_FAILED.
   */
  async adopt(own: OwnWorktree, candidate: string, start: string): Promise<void> {
    const place = placeOf(own);
    const head = await this.#branch.attach(own);
    if (head !== candidate) await this.#revisions.update(place, 'HEAD', candidate, start);
    // As a mixed reset, without checking every file.
    await this.#cli.run(place, { args: ['read-tree', '--reset', candidate] });
  }
}
