import { lstat, mkdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ScratchName } from '../../../domain/core/ids.ts';
import type { GitCli, Place } from '../cli/gitCli.ts';
import type { OwnBranch } from '../commits/ownBranch.ts';
import { isKeptOut, parseStatus, parseWorktrees, toFileChanges } from '../cli/parseGit.ts';
import type { FileChange } from '../../../engine/ports/ports.ts';
import type { Revisions } from '../cli/revisions.ts';
import { readJson, writeAtomically } from '../../system/files.ts';
import { alteredTools, type Made, noteTools, ToolNote } from '../worktrees/bootstrapTools.ts';
import { ensureTicketFolder } from './ticketWorktrees.ts';
import { copyIndex, placeOf } from '../worktrees/worktreeIndex.ts';
import { removeGoneScratch } from '../worktrees/goneScratch.ts';
import { fillWorktree } from '../worktrees/fillWorktree.ts';
import { removeLinksAbove } from '../worktrees/submodules.ts';
import type { OwnWorktree, WorktreePlaces } from '../worktrees/worktreePlaces.ts';

type Locked = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * The scratch worktree of a ticket: detached at the commit that is being proved, away from the worktrees of
 * tickets (docs/decisions/048-clean-room-proof.md). Nothing in it is a person's work: each checkout discards
 * what it finds, except the paths it is told to keep.
 */
export class ScratchWorktrees {
  readonly #cli: GitCli;
  readonly #main: Place;
  readonly #places: WorktreePlaces;
  readonly #revisions: Revisions;
  readonly #branch: OwnBranch;
  readonly #locked: Locked;

  constructor(parts: {
    cli: GitCli;
    main: Place;
    places: WorktreePlaces;
    revisions: Revisions;
    branch: OwnBranch;
    locked: Locked;
  }) {
    this.#cli = parts.cli;
    this.#main = parts.main;
    this.#places = parts.places;
    this.#revisions = parts.revisions;
    this.#branch = parts.branch;
    this.#locked = parts.locked;
  }

  /**
   * Checks out exactly the files of a commit. `keep`: paths, relative to the worktree, whose ignored and
   * untracked files stay, as a prepared environment does. `created`: the worktree was just made, so nothing
   * was kept. Throws REVISION_UNKNOWN, OUTSIDE_WORKTREE, GIT_FAILED.
   */
  async checkOut(
    name: ScratchName,
    revision: string,
    keep: readonly string[],
  ): Promise<{ readonly path: string; readonly created: boolean }> {
    const commit = await this.#revisions.commit(this.#main, revision);
    return this.#locked(async () => {
      const path = await this.#places.scratchPath(name);
      const present = await this.#complete(path);
      const own = present ?? (await this.#create(path, commit));
      const place = placeOf(own);
      await this.#forgetIndex(name, own);
      await this.#branch.endUnfinished(own);
      await removeLinksAbove(this.#cli, own);
      // A test may have switched to a branch, which must not move.
      await this.#cli.run(place, { args: ['checkout', '--quiet', '--force', '--detach', commit, '--'] });
      const kept = ['.ticket', ...keep].map((name) => `--exclude=/${escaped(name)}`);
      await this.#cli.run(place, { args: ['clean', '-f', '-f', '-d', '-x', '-q', ...kept] });
      await fillWorktree(this.#cli, own, this.#main.cwd);
      await this.#keepIndex(name, own);
      await ensureTicketFolder(own.path);
      return { path: own.path, created: present === undefined };
    });
  }

  /**
   * Finds what the commit of the last checkout doesn't have, whatever the commands in between told git.
   * `ignored`: ignored files and folders, a folder that is ignored as a whole as one path.
   */
  async found(
    name: ScratchName,
  ): Promise<{ readonly changes: readonly FileChange[]; readonly ignored: readonly string[] }> {
    const own = await this.own(name);
    const args = [
      'status',
      '--porcelain=v2',
      '-z',
      '--untracked-files=all',
      '--ignored=matching',
      '--no-renames',
      '--ignore-submodules=all',
    ];
    const index = this.#places.scratchIndex(name);
    const env = (await exists(index)) ? { GIT_INDEX_FILE: index } : {};
    const { stdout } = await this.#cli.run(placeOf(own), { args, env });
    const ignored = stdout
      .split('\0')
      .flatMap((record) => (record.startsWith('! ') ? [record.slice(2).replace(/\/$/, '')] : []));
    return {
      changes: toFileChanges(parseStatus(stdout)),
      ignored: ignored.filter((path) => !isKeptOut(path)),
    };
  }

  /**
   * Notes the tools that a bootstrap made in the worktree
   * (docs/decisions/176-tools-stay-as-the-bootstrap-made-them.md), where no command looks for it.
   */
  async noteTools(name: ScratchName, made: Made): Promise<void> {
    const [own, file] = [await this.own(name), this.#places.scratchTools(name)];
    const note = await noteTools(own.path, made);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeAtomically(file, JSON.stringify(note), { mode: 0o600, durable: false });
  }

  /**
   * The tools that aren't as they were noted; undefined if nothing is known of them. None if there is no
   * worktree.
   */
  async alteredTools(name: ScratchName): Promise<readonly string[] | undefined> {
    const note = await readJson(this.#places.scratchTools(name), ToolNote);
    const own = await this.#complete(await this.#places.scratchPath(name));
    return own ? note && alteredTools(own.path, note) : [];
  }

  /** The worktree, proved to be ours. Throws OUTSIDE_WORKTREE and WORKTREE_LOST. */
  async own(name: ScratchName): Promise<OwnWorktree> {
    return this.#places.scratch(await this.#places.scratchPath(name));
  }

  /**
   * Removes the worktree and all that is in it, and the folders it was in if they are empty then. None there
   * is no error.
   */
  async remove(name: ScratchName): Promise<void> {
    await this.#locked(async () => {
      const path = await this.#places.scratchPath(name);
      await this.#clear(path);
      for (const file of [this.#places.scratchIndex(name), this.#places.scratchTools(name)])
        await rm(file, { force: true });
      // A folder that others need isn't empty.
      await rmdir(dirname(path)).catch(() => undefined);
    });
  }

  /**
   * Replaces the worktree's index by that of the last checkout. Commands may have told theirs that a file is
   * unchanged, and git would then keep what they wrote. Without that one git checks out every file.
   */
  async #forgetIndex(name: ScratchName, own: OwnWorktree): Promise<void> {
    const [kept, index] = [this.#places.scratchIndex(name), join(own.gitDir, 'index')];
    if (await exists(kept)) await copyIndex(kept, index);
    else await rm(index, { force: true });
  }

  /** Keeps the index where commands don't look for it. */
  async #keepIndex(name: ScratchName, own: OwnWorktree): Promise<void> {
    const kept = this.#places.scratchIndex(name);
    await mkdir(dirname(kept), { recursive: true, mode: 0o700 });
    await copyIndex(join(own.gitDir, 'index'), kept);
  }

  /** The worktree, if git completed it: a killed git leaves one without an index. */
  async #complete(path: string): Promise<OwnWorktree | undefined> {
    const own = await this.#places.scratch(path).catch(() => undefined);
    return own && (await exists(join(own.gitDir, 'index'))) ? own : undefined;
  }

  async #create(path: string, commit: string): Promise<OwnWorktree> {
    await this.#clear(path);
    await removeGoneScratch(dirname(dirname(path)));
    await this.#cli.run(this.#main, {
      args: ['worktree', 'add', '--detach', '--no-checkout', '--', path, commit],
    });
    return this.#places.scratch(path);
  }

  async #clear(path: string): Promise<void> {
    // First the folder: git refuses to remove a worktree whose link is broken, but forgets one that is gone.
    await rm(path, { recursive: true, force: true });
    const { stdout } = await this.#cli.run(this.#main, { args: ['worktree', 'list', '--porcelain', '-z'] });
    if (!parseWorktrees(stdout).some((listed) => listed.path === path)) return;
    await this.#cli.run(this.#main, { args: ['worktree', 'remove', '--force', '--force', '--', path] });
  }
}

/** A path as a pattern that names only it. */
function escaped(path: string): string {
  return path.replace(/[\\*?[\]!# ]/g, '\\$&');
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
