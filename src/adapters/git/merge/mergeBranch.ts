import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { BeadsmithError, type ErrorArgs } from '../../../domain/core/errors.ts';
import { isTicketBranch } from '../../../domain/core/ids.ts';
import { because, type mergeReasons } from '../../../domain/forge/forgeReasons.ts';
import { listWorktrees, type RepositoryParts } from '../commits/ownBranch.ts';
import type { Place } from '../cli/gitCli.ts';
import type { ListedWorktree } from '../cli/parseGit.ts';
import { durable } from '../cli/revisions.ts';
import { copyIndex, withIndexIn } from '../worktrees/worktreeIndex.ts';
import { withCheckoutsLocked } from '../cli/staleLock.ts';
import { exists, namesAt, textAt } from '../../system/files.ts';

export interface MergeRequest {
  readonly base: string;
  readonly commit: string;
  readonly message: string;
  readonly from?: string;
}

export interface MergeProposal {
  readonly from: string;
  readonly to: string;
}

/** `branch`: of the ticket, which may have the merge's commits. */
export interface UndoRequest extends MergeProposal {
  readonly base: string;
  readonly branch: string;
}

interface Move extends MergeProposal {
  /** The base's checkout when the work began. */
  readonly looked: Place | undefined;
  readonly isMerge: boolean;
}

interface MergeParts extends RepositoryParts {
  readonly commonDir: string;
  readonly patienceMs: number;
}

/**
 * Merges into the base branch without a checkout: fast-forward, else a merge commit of trees
 * (docs/decisions/042-integration-and-merge.md). A checkout of the base must be unchanged, and is
 * fast-forwarded.
 */
export class MergeBranch {
  readonly #parts: MergeParts;

  constructor(parts: MergeParts) {
    this.#parts = parts;
  }

  /** The base's commit after a merge, and now. Throws what `merge` throws. */
  async propose(request: Omit<MergeRequest, 'from'>): Promise<MergeProposal> {
    const { from } = await this.#open(request.base);
    const commit = await this.#parts.revisions.commit(this.#parts.main, request.commit);
    if (await this.#parts.revisions.isAncestor(this.#parts.main, commit, from)) return { from, to: from };
    const isForward = await this.#parts.revisions.isAncestor(this.#parts.main, from, commit);
    return { from, to: isForward ? commit : await this.#mergeCommit(request, from, commit) };
  }

  /**
   * Answers the branch's new commit. Checkouts are locked while it moves, and checked again first. Throws
   * MERGE_REFUSED, BASE_BRANCH_MISSING, REVISION_UNKNOWN, GIT_LOCKED.
   */
  async merge(request: MergeRequest): Promise<string> {
    const { base } = request;
    const looked = await this.#checkoutOf(base);
    const { from, to } = await this.propose(request);
    if (to === from) return from;
    if (request.from !== undefined && request.from !== from) throw refused(base, 'baseMoved');
    await this.#moveLocked(base, { from, to, looked, isMerge: true });
    return to;
  }

  /**
   * Takes the base from its merge (`from`) back to where it was (`to`), once, if nothing else has the merge.
   * Throws UNDO_REFUSED, REVISION_UNKNOWN, GIT_LOCKED.
   */
  async undo({ base, branch, ...request }: UndoRequest): Promise<void> {
    const { main, revisions } = this.#parts;
    const [from, to] = await revisions.pair(main, request.from, request.to);
    const tip = await revisions.find(main, `refs/heads/${base}`);
    // An interrupted attempt undid it.
    if (tip === to) return;
    if (tip !== from) throw kept(base, tip === undefined ? 'undoGone' : 'undoMoved');
    const on = await this.#refsWith(from, [`refs/heads/${base}`, `refs/heads/${branch}`], `/${branch}`);
    if (on.length > 0) throw kept(base, 'undoUsed', { refs: on.slice(0, 5).join(', ') });
    try {
      const looked = await this.#checkoutOf(base);
      await this.#open(base);
      await this.#moveLocked(base, { from, to, looked, isMerge: false });
    } catch (error) {
      if (!(error instanceof BeadsmithError) || error.code !== 'MERGE_REFUSED') throw error;
      throw new BeadsmithError('UNDO_REFUSED', error.args, { cause: error });
    }
  }

  /** Branches, of remotes too, and tags that contain a commit, but these and those on remotes that end so. */
  async #refsWith(commit: string, but: readonly string[], ofRemotes: string): Promise<readonly string[]> {
    const args = ['for-each-ref', `--contains=${commit}`, '--format=%(refname)'];
    const places = ['refs/heads', 'refs/remotes', 'refs/tags'];
    const found = (await this.#parts.cli.text(this.#parts.main, ...args, ...places)).split('\n');
    return found
      .filter((ref) => ref !== '' && !but.includes(ref))
      .filter((ref) => !(ref.startsWith('refs/remotes/') && ref.endsWith(ofRemotes)))
      .map((ref) => ref.replace(/^refs\/(?:heads|remotes|tags)\//, ''));
  }

  async #moveLocked(base: string, work: Move): Promise<void> {
    const open = (await this.#checkouts()).filter(
      ({ branch, path }) =>
        (branch === null || !isTicketBranch(branch)) && !this.#parts.places.isScratch(path),
    );
    const gitDirs = await Promise.all(
      open.map(({ path }) => this.#parts.cli.text({ cwd: path }, 'rev-parse', '--absolute-git-dir')),
    );
    try {
      await withCheckoutsLocked(gitDirs, this.#parts.patienceMs, () => this.#move(base, work));
    } catch (error) {
      if (!(error instanceof BeadsmithError) || error.code !== 'GIT_FAILED') throw error;
      const said = String(error.args['reason']);
      throw refused(base, /untracked working tree file/i.test(said) ? 'untrackedSaid' : 'gitRefused', {
        said,
      });
    }
  }

  async #move(base: string, { from, to, looked, isMerge }: Move): Promise<void> {
    const checkout = await this.#checkoutOf(base);
    if (checkout?.cwd !== looked?.cwd || (await this.#open(base)).from !== from)
      throw refused(base, 'baseMoved');
    const ref = `refs/heads/${base}`;
    if (!checkout) return this.#parts.revisions.update(this.#parts.main, ref, to, from);
    if (isMerge) await this.#refuseUnsigned(base, checkout, to);
    const gitDir = await this.#parts.cli.text(checkout, 'rev-parse', '--absolute-git-dir');
    const index = join(gitDir, 'index');
    await withIndexIn(gitDir, async (next) => {
      const run = (...args: readonly string[]) =>
        this.#parts.cli.run(checkout, { args, env: { GIT_INDEX_FILE: next }, config: durable });
      await copyIndex(index, next);
      await run('update-index', '-q', '--refresh');
      // First whether every file can follow: an untracked one may be in the way.
      await run('read-tree', '--dry-run', '-m', '-u', from, to);
      await this.#refuseOverwriting(base, checkout, from, to);
      await this.#parts.revisions.update(checkout, ref, to, from);
      try {
        await run('read-tree', '-m', '-u', from, to);
      } catch (error) {
        await this.#parts.revisions.update(checkout, ref, from, to);
        throw error;
      }
      // `git switch --create` takes no lock: the checkout may be on a new branch where the base was.
      if ((await this.#checkoutOf(base))?.cwd !== checkout.cwd) await run('read-tree', '-m', '-u', to, from);
      await rename(next, index);
    });
  }

  /** git would overwrite an ignored file, which is the person's all the same. */
  async #refuseOverwriting(base: string, checkout: Place, from: string, to: string): Promise<void> {
    const form = ['-r', '-z', '--no-renames', '--name-only', '--diff-filter=A', '--end-of-options'];
    const added = await this.#parts.cli.records(checkout, ['diff-tree', ...form, from, to]);
    const found = await Promise.all(added.map((path) => exists(join(checkout.cwd, path))));
    const there = added.filter((_, index) => found[index]);
    if (there.length === 0) return;
    const list = ['--literal-pathspecs', 'ls-files', '--others', '-z', '--', ...there.slice(0, 500)];
    const files = await this.#parts.cli.records(checkout, list);
    if (files.length > 0) throw refused(base, 'untracked', { files: files.slice(0, 20).join(', ') });
  }

  /** Refuses as `git merge` does, if the person set it. */
  async #refuseUnsigned(base: string, checkout: Place, commit: string): Promise<void> {
    const args = ['config', '--type=bool', '--get', 'merge.verifySignatures'];
    const { stdout } = await this.#parts.cli.run(checkout, { args, allow: [0, 1] });
    if (stdout.trim() !== 'true') return;
    const verify = { args: ['verify-commit', commit], allow: [0, 1] };
    const { code, stderr } = await this.#parts.cli.run(checkout, verify);
    if (code !== 0) throw refused(base, 'unsigned', { commit: commit.slice(0, 12), said: stderr.trim() });
  }

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
    const why = because('filesConflict', { files: files.join(', ') });
    throw new BeadsmithError('MERGE_REFUSED', { base, ...why }, { diagnostics: { files } });
  }

  async #checkoutOf(base: string): Promise<Place | undefined> {
    const listed = (await this.#checkouts()).find(({ branch }) => branch === base);
    return listed && { cwd: listed.path };
  }

  async #checkouts(): Promise<readonly ListedWorktree[]> {
    const [first, ...others] = await listWorktrees(this.#parts);
    // For a checkout apart from its git dir, git lists the latter.
    const all = first ? [{ ...first, path: this.#parts.main.cwd }, ...others] : [];
    return all.filter(({ path }) => existsSync(path));
  }

  /** Untracked files don't count: git refuses to overwrite one. */
  async #refuseDirty(base: string, checkout: Place): Promise<void> {
    const args = ['status', '--porcelain=v2', '-z', '--untracked-files=no', '--ignore-submodules=dirty'];
    const records = await this.#parts.cli.records(checkout, args);
    const changed = records.filter((record) => /^[12u] /.test(record)).length;
    if (changed > 0) throw refused(base, 'checkoutDirty', { path: checkout.cwd, changed });
  }

  async #branches(): Promise<string> {
    const args = ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads'];
    return (await this.#parts.cli.text(this.#parts.main, ...args)).split('\n').join(', ');
  }
}

/** A rebase couldn't end if its branch moved. */
async function refuseRebased(base: string, commonDir: string): Promise<void> {
  const worktrees = await namesAt(join(commonDir, 'worktrees'));
  for (const gitDir of [commonDir, ...worktrees.map((name) => join(commonDir, 'worktrees', name))]) {
    for (const kind of ['rebase-merge', 'rebase-apply']) {
      const head = await textAt(join(gitDir, kind, 'head-name'));
      if (head.trim() === `refs/heads/${base}`) throw refused(base, 'isRebased');
    }
  }
}

function refused(base: string, why: keyof typeof mergeReasons, holes: ErrorArgs = {}): BeadsmithError {
  return new BeadsmithError('MERGE_REFUSED', { base, ...because(why, holes) });
}

/** The merge stays. */
function kept(base: string, why: keyof typeof mergeReasons, holes: ErrorArgs = {}): BeadsmithError {
  return new BeadsmithError('UNDO_REFUSED', { base, ...because(why, holes) });
}
