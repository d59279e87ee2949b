import { existsSync } from 'node:fs';
import { readFile, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { RepositoryParts } from '../commits/ownBranch.ts';
import type { Place } from '../cli/gitCli.ts';
import { type ListedWorktree, parseWorktrees } from '../cli/parseGit.ts';
import { durable } from '../cli/revisions.ts';
import { copyIndex, withIndexIn } from '../worktrees/worktreeIndex.ts';
import { withCheckoutsLocked } from '../cli/staleLock.ts';
import { exists } from '../../system/files.ts';

export interface MergeRequest {
  readonly base: string;
  readonly commit: string;
  readonly message: string;
  /** The commit that the base branch must still be at. */
  readonly from?: string;
}

/** The commit the base branch is at, and the one to which a merge would bring it. */
export interface MergeProposal {
  readonly from: string;
  readonly to: string;
}

/** `patienceMs`: how long a merge waits for the locks of checkouts. */
interface MergeParts extends RepositoryParts {
  readonly commonDir: string;
  readonly patienceMs: number;
}

/**
 * Merges a ticket's commit into its base branch without a checkout: a fast-forward if possible, otherwise a
 * merge commit made from trees (docs/decisions/042-integration-and-merge.md). If the base is checked out
 * somewhere, that checkout must have no changed files, and is fast-forwarded.
 */
export class MergeBranch {
  readonly #parts: MergeParts;

  constructor(parts: MergeParts) {
    this.#parts = parts;
  }

  /** The commit the base would get, and its current one. Nothing moves. Throws what `merge` throws. */
  async propose(request: Omit<MergeRequest, 'from'>): Promise<MergeProposal> {
    const { from } = await this.#open(request.base);
    const commit = await this.#parts.revisions.commit(this.#parts.main, request.commit);
    if (await this.#parts.revisions.isAncestor(this.#parts.main, commit, from)) return { from, to: from };
    const isForward = await this.#parts.revisions.isAncestor(this.#parts.main, from, commit);
    return { from, to: isForward ? commit : await this.#mergeCommit(request, from, commit) };
  }

  /**
   * Answers the branch's new commit. The checkouts of the person are locked while the branch moves, and
   * checked again first: what was seen before may have changed. Throws MERGE_REFUSED, BASE_BRANCH_MISSING,
   * REVISION_UNKNOWN, GIT_LOCKED.
   */
  async merge(request: MergeRequest): Promise<string> {
    const { base } = request;
    const looked = await this.#checkoutOf(base);
    const { from, to } = await this.propose(request);
    if (to === from) return from;
    if (request.from !== undefined && request.from !== from) throw moved(base);
    const open = (await this.#checkouts()).filter(
      ({ branch, path }) => !branch?.startsWith('ticket/') && !this.#parts.places.isScratch(path),
    );
    const gitDirs = await Promise.all(
      open.map(({ path }) => this.#parts.cli.text({ cwd: path }, 'rev-parse', '--absolute-git-dir')),
    );
    try {
      await withCheckoutsLocked(gitDirs, this.#parts.patienceMs, () =>
        this.#move(base, { from, to, looked }),
      );
    } catch (error) {
      if (!(error instanceof BeadsmithError) || error.code !== 'GIT_FAILED') throw error;
      const reason = String(error.args['reason']);
      throw new BeadsmithError('MERGE_REFUSED', { base, reason, remedy: remedyOf(reason) }, { cause: error });
    }
    return to;
  }

  /** Moves the branch and the checkout of it, whose index is locked. */
  async #move(
    base: string,
    { from, to, looked }: MergeProposal & { readonly looked: Place | undefined },
  ): Promise<void> {
    const checkout = await this.#checkoutOf(base);
    if (checkout?.cwd !== looked?.cwd || (await this.#open(base)).from !== from) throw moved(base);
    const ref = `refs/heads/${base}`;
    if (!checkout) return this.#parts.revisions.update(this.#parts.main, ref, to, from);
    await this.#refuseUnsigned(checkout, to);
    const gitDir = await this.#parts.cli.text(checkout, 'rev-parse', '--absolute-git-dir');
    const index = join(gitDir, 'index');
    await withIndexIn(gitDir, async (next) => {
      const run = (...args: readonly string[]) =>
        this.#parts.cli.run(checkout, { args, env: { GIT_INDEX_FILE: next }, config: durable });
      await copyIndex(index, next);
      await run('update-index', '-q', '--refresh');
      // First whether every file can follow: it can't where an untracked one is in the way.
      await run('read-tree', '--dry-run', '-m', '-u', from, to);
      await this.#refuseOverwriting(checkout, from, to);
      await this.#parts.revisions.update(checkout, ref, to, from);
      try {
        await run('read-tree', '-m', '-u', from, to);
      } catch (error) {
        await this.#parts.revisions.update(checkout, ref, from, to);
        throw error;
      }
      // `git switch --create` takes no lock: the checkout may be on a branch that stays where the base was.
      if ((await this.#checkoutOf(base))?.cwd !== checkout.cwd) await run('read-tree', '-m', '-u', to, from);
      await rename(next, index);
    });
  }

  /** For git an ignored file may be written over. It is the person's all the same. */
  async #refuseOverwriting(checkout: Place, from: string, to: string): Promise<void> {
    const form = ['-r', '-z', '--no-renames', '--name-only', '--diff-filter=A', '--end-of-options'];
    const args = ['diff-tree', ...form, from, to];
    const added = (await this.#parts.cli.run(checkout, { args })).stdout
      .split('\0')
      .filter((path) => path !== '');
    const found = await Promise.all(added.map((path) => exists(join(checkout.cwd, path))));
    const there = added.filter((_, index) => found[index]);
    if (there.length === 0) return;
    const { stdout } = await this.#parts.cli.run(checkout, {
      args: ['--literal-pathspecs', 'ls-files', '--others', '-z', '--', ...there.slice(0, 500)],
    });
    const files = stdout.split('\0').filter((path) => path !== '');
    if (files.length === 0) return;
    const reason = `these untracked working tree files would be overwritten: ${files.slice(0, 20).join(', ')}.`;
    throw new BeadsmithError('GIT_FAILED', { command: 'merge', reason });
  }

  /** As `git merge` does, if the person set it. */
  async #refuseUnsigned(checkout: Place, commit: string): Promise<void> {
    const args = ['config', '--type=bool', '--get', 'merge.verifySignatures'];
    const { stdout } = await this.#parts.cli.run(checkout, { args, allow: [0, 1] });
    if (stdout.trim() !== 'true') return;
    const verify = { args: ['verify-commit', commit], allow: [0, 1] };
    const { code, stderr } = await this.#parts.cli.run(checkout, verify);
    if (code === 0) return;
    const reason = `the signature of ${commit.slice(0, 12)} can't be verified. ${stderr.trim()}`.trim();
    throw new BeadsmithError('GIT_FAILED', { command: 'verify-commit', reason });
  }

  /** Returns the commit the base branch is at. Throws what prevents moving it. */
  async #open(base: string): Promise<{ readonly from: string }> {
    const from = await this.#parts.revisions.find(this.#parts.main, `refs/heads/${base}`);
    if (from === undefined)
      throw new BeadsmithError('BASE_BRANCH_MISSING', { branch: base, branches: await this.#branches() });
    const checkout = await this.#checkoutOf(base);
    if (checkout) await this.#refuseDirty(base, checkout);
    else await refuseRebased(base, this.#parts.commonDir);
    return { from };
  }

  async #mergeCommit({ base, message }: MergeRequest, before: string, commit: string): Promise<string> {
    const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', before, commit];
    const { code, stdout } = await this.#parts.cli.run(this.#parts.main, { args, allow: [0, 1] });
    const [tree = '', ...found] = stdout.split('\0').filter((field) => field !== '');
    if (code !== 1)
      return this.#parts.commits.make(this.#parts.main, { tree, parents: [before, commit], message });
    const files = [...new Set(found)];
    const reason = `these files conflict: ${files.join(', ')}.`;
    const remedy = 'Update from base: an agent resolves the conflicts, or you do.';
    throw new BeadsmithError('MERGE_REFUSED', { base, reason, remedy }, { diagnostics: { files } });
  }

  async #checkoutOf(base: string): Promise<Place | undefined> {
    const listed = (await this.#checkouts()).find(({ branch }) => branch === base);
    return listed && { cwd: listed.path };
  }

  /** All checkouts whose folder exists: if it is gone, no file can get out of sync. */
  async #checkouts(): Promise<readonly ListedWorktree[]> {
    const { stdout } = await this.#parts.cli.run(this.#parts.main, {
      args: ['worktree', 'list', '--porcelain', '-z'],
    });
    const [first, ...others] = parseWorktrees(stdout);
    // If a checkout is separate from its git dir, git lists the latter.
    const all = first ? [{ ...first, path: this.#parts.main.cwd }, ...others] : [];
    return all.filter(({ path }) => existsSync(path));
  }

  /** Untracked files don't count: git itself refuses below to write over one. */
  async #refuseDirty(base: string, checkout: Place): Promise<void> {
    const args = ['status', '--porcelain=v2', '-z', '--untracked-files=no', '--ignore-submodules=dirty'];
    const { stdout } = await this.#parts.cli.run(checkout, { args });
    const changed = stdout.split('\0').filter((record) => /^[12u] /.test(record)).length;
    if (changed === 0) return;
    const reason = `it is checked out at ${checkout.cwd} with changed files (${changed}).`;
    const remedy = 'Commit or stash them there, then merge again.';
    throw new BeadsmithError('MERGE_REFUSED', { base, reason, remedy });
  }

  async #branches(): Promise<string> {
    const args = ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads'];
    return (await this.#parts.cli.text(this.#parts.main, ...args)).split('\n').join(', ');
  }
}

/** A branch that is being rebased is checked out nowhere, and its rebase couldn't end if it moved. */
async function refuseRebased(base: string, commonDir: string): Promise<void> {
  const worktrees = await readdir(join(commonDir, 'worktrees')).catch(() => []);
  for (const gitDir of [commonDir, ...worktrees.map((name) => join(commonDir, 'worktrees', name))]) {
    for (const kind of ['rebase-merge', 'rebase-apply']) {
      const head = await readFile(join(gitDir, kind, 'head-name'), 'utf8').catch(() => '');
      if (head.trim() !== `refs/heads/${base}`) continue;
      const remedy = 'Finish or abort that rebase, then merge again.';
      throw new BeadsmithError('MERGE_REFUSED', { base, reason: 'a rebase of it is under way.', remedy });
    }
  }
}

function moved(base: string): BeadsmithError {
  const reason = 'it moved meanwhile, or its checkout changed.';
  return new BeadsmithError('MERGE_REFUSED', { base, reason, remedy: 'Merge again.' });
}

/** Returns advice for a person whose checkout refuses to follow. */
function remedyOf(reason: string): string {
  if (/signature|signed/i.test(reason)) {
    return 'The repository takes signed commits only (merge.verifySignatures). Set up signing in git and update from base, or merge the branch yourself.';
  }
  if (/untracked working tree file/i.test(reason)) return 'Move those files away, then merge again.';
  return 'Resolve the problem, then merge again.';
}
