import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BeadsmithError } from '../../domain/errors.ts';
import type { Commits } from './commits.ts';
import type { GitCli, Place } from './gitCli.ts';
import { parseWorktrees } from './parseGit.ts';
import type { Revisions } from './revisions.ts';

export interface MergeRequest {
  readonly base: string;
  readonly commit: string;
  readonly message: string;
}

/**
 * Merges a ticket's commit into its base branch without a checkout: a fast-forward if possible, otherwise a merge commit made from trees
 * (docs/decisions/042-integration-and-merge.md). If the base is checked out somewhere, that checkout must have no changed files, and is
 * fast-forwarded.
 */
export class MergeBranch {
  readonly #cli: GitCli;
  readonly #main: Place;
  readonly #commonDir: string;
  readonly #revisions: Revisions;
  readonly #commits: Commits;

  /** `main`: the main checkout, or the bare repository. */
  constructor(parts: { cli: GitCli; main: string; commonDir: string; revisions: Revisions; commits: Commits }) {
    this.#cli = parts.cli;
    this.#main = { cwd: parts.main };
    this.#commonDir = parts.commonDir;
    this.#revisions = parts.revisions;
    this.#commits = parts.commits;
  }

  /** Answers the branch's new commit. Throws MERGE_REFUSED, BASE_BRANCH_MISSING, REVISION_UNKNOWN. */
  async merge(request: MergeRequest): Promise<string> {
    const { base } = request;
    const ref = `refs/heads/${base}`;
    const before = await this.#revisions.find(this.#main, ref);
    if (before === undefined) throw new BeadsmithError('BASE_BRANCH_MISSING', { branch: base, branches: await this.#branches() });
    const commit = await this.#revisions.commit(this.#main, request.commit);
    if (await this.#revisions.isAncestor(this.#main, commit, before)) return before;
    const checkout = await this.#checkoutOf(base);
    if (checkout) await this.#refuseDirty(base, checkout);
    else await refuseRebased(base, this.#commonDir);
    const forward = await this.#revisions.isAncestor(this.#main, before, commit);
    const merged = forward ? commit : await this.#mergeCommit(request, before, commit);
    try {
      if (checkout) await this.#cli.run(checkout, { args: followArgs(merged) });
      else await this.#revisions.update(this.#main, ref, merged, before);
    } catch (error) {
      if (!(error instanceof BeadsmithError) || error.code !== 'GIT_FAILED') throw error;
      throw new BeadsmithError('MERGE_REFUSED', { base, reason: String(error.args['reason']) }, { cause: error });
    }
    return merged;
  }

  async #mergeCommit({ base, message }: MergeRequest, before: string, commit: string): Promise<string> {
    const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', before, commit];
    const { code, stdout } = await this.#cli.run(this.#main, { args, allow: [0, 1] });
    const [tree = '', ...files] = stdout.split('\0').filter((field) => field !== '');
    if (code === 1) {
      const reason = `these files conflict: ${[...new Set(files)].join(', ')}.`;
      throw new BeadsmithError('MERGE_REFUSED', { base, reason }, { diagnostics: { files: [...new Set(files)] } });
    }
    return this.#commits.make(this.#main, { tree, parents: [before, commit], message });
  }

  async #checkoutOf(base: string): Promise<Place | undefined> {
    const { stdout } = await this.#cli.run(this.#main, { args: ['worktree', 'list', '--porcelain', '-z'] });
    const [first, ...others] = parseWorktrees(stdout);
    // If a checkout is separate from its git dir, git lists the latter.
    const all = first ? [{ ...first, path: this.#main.cwd }, ...others] : [];
    // If the folder is gone, no file can get out of sync.
    const listed = all.find(({ branch, path }) => branch === base && existsSync(path));
    return listed && { cwd: listed.path };
  }

  /** Untracked files don't count: git itself refuses below to write over one. */
  async #refuseDirty(base: string, checkout: Place): Promise<void> {
    const args = ['status', '--porcelain=v2', '-z', '--untracked-files=no', '--ignore-submodules=dirty'];
    const { stdout } = await this.#cli.run(checkout, { args });
    const changed = stdout.split('\0').filter((record) => /^[12u] /.test(record)).length;
    if (changed === 0) return;
    const reason = `it is checked out at ${checkout.cwd} with changed files (${changed}).`;
    throw new BeadsmithError('MERGE_REFUSED', { base, reason });
  }

  async #branches(): Promise<string> {
    const names = await this.#cli.text(this.#main, 'for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads');
    return names.split('\n').join(', ');
  }
}

/** A branch that is being rebased is checked out nowhere, and the rebase could not end if it moved meanwhile. */
async function refuseRebased(base: string, commonDir: string): Promise<void> {
  const worktrees = await readdir(join(commonDir, 'worktrees')).catch(() => []);
  for (const gitDir of [commonDir, ...worktrees.map((name) => join(commonDir, 'worktrees', name))]) {
    for (const kind of ['rebase-merge', 'rebase-apply']) {
      const head = await readFile(join(gitDir, kind, 'head-name'), 'utf8').catch(() => '');
      if (head.trim() === `refs/heads/${base}`) throw new BeadsmithError('MERGE_REFUSED', { base, reason: 'a rebase of it is under way.' });
    }
  }
}

/** Fast-forwards a clean checkout and its branch, only if the branch hasn't moved since, and without overwriting untracked files. */
function followArgs(commit: string): readonly string[] {
  return ['merge', '--ff-only', '--quiet', '--no-squash', '--no-autostash', '--no-overwrite-ignore', '--no-stat', commit];
}
