import { rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ScratchName } from '../../../domain/core/ids.ts';
import { type RepositoryParts, unregister } from '../commits/ownBranch.ts';
import { isKeptOut, parseStatus, toFileChanges } from '../cli/parseGit.ts';
import type { FileChange } from '../../../engine/ports/ports.ts';
import {
  readJson,
  writeAtomically,
  removeFolder,
  exists,
  namesAt,
  textAt,
  makePrivateFolder,
} from '../../system/files.ts';
import { alteredTools, type Made, noteTools, ToolNote } from '../worktrees/filesOnDisk.ts';
import { copyIndex, placeOf } from '../worktrees/worktreeIndex.ts';
import { fillWorktree, removeLinksAbove } from '../worktrees/fillWorktree.ts';
import { ensureTicketFolder, type OwnWorktree } from '../worktrees/worktreePlaces.ts';

/**
 * The worktree for a proof: detached, away from others (docs/decisions/048-clean-room-proof.md). Each
 * checkout discards what it finds but `keep`.
 */
export class ScratchWorktrees {
  readonly #parts: RepositoryParts;

  constructor(parts: RepositoryParts) {
    this.#parts = parts;
  }

  /**
   * Checks out exactly the files of a commit; ignored and untracked files below `keep` stay. Throws
   * REVISION_UNKNOWN, OUTSIDE_WORKTREE, GIT_FAILED.
   */
  async checkOut(
    name: ScratchName,
    revision: string,
    keep: readonly string[],
  ): Promise<{ readonly path: string; readonly created: boolean }> {
    const commit = await this.#parts.revisions.commit(this.#parts.main, revision);
    return this.#parts.locked(async () => {
      const path = await this.#parts.places.scratchPath(name);
      const present = await this.#complete(path);
      const own = present ?? (await this.#create(path, commit));
      const place = placeOf(own);
      await this.#forgetIndex(name, own);
      await this.#parts.branch.endUnfinished(own);
      await removeLinksAbove(this.#parts.cli, own);
      // A test may have switched to a branch, which must not move.
      await this.#parts.cli.run(place, {
        args: ['checkout', '--quiet', '--force', '--detach', commit, '--'],
      });
      const kept = ['.ticket', ...keep].map((name) => `--exclude=/${escaped(name)}`);
      await this.#parts.cli.run(place, { args: ['clean', '-f', '-f', '-d', '-x', '-q', ...kept] });
      await fillWorktree(this.#parts.cli, own, this.#parts.main.cwd);
      await this.#keepIndex(name, own);
      await ensureTicketFolder(own.path);
      return { path: own.path, created: present === undefined };
    });
  }

  /** Finds what the last checkout's commit doesn't have, whatever commands told git meanwhile. */
  async found(
    name: ScratchName,
  ): Promise<{ readonly changes: readonly FileChange[]; readonly ignored: readonly string[] }> {
    const own = await this.own(name);
    const form = ['--untracked-files=all', '--ignored=matching', '--no-renames', '--ignore-submodules=all'];
    const args = ['status', '--porcelain=v2', '-z', ...form];
    const index = this.#parts.places.scratchIndex(name);
    const env = (await exists(index)) ? { GIT_INDEX_FILE: index } : {};
    const { stdout } = await this.#parts.cli.run(placeOf(own), { args, env });
    const ignored = stdout
      .split('\0')
      .flatMap((record) => (record.startsWith('! ') ? [record.slice(2).replace(/\/$/, '')] : []));
    return {
      changes: toFileChanges(parseStatus(stdout)),
      ignored: ignored.filter((path) => !isKeptOut(path)),
    };
  }

  /** Notes what a bootstrap made (docs/decisions/176-tools-stay-as-the-bootstrap-made-them.md). */
  async noteTools(name: ScratchName, made: Made): Promise<void> {
    const [own, file] = [await this.own(name), this.#parts.places.scratchTools(name)];
    const note = await noteTools(own.path, made);
    await makePrivateFolder(dirname(file));
    await writeAtomically(file, JSON.stringify(note), { mode: 0o600, durable: false });
  }

  async alteredTools(name: ScratchName): Promise<readonly string[] | undefined> {
    const note = await readJson(this.#parts.places.scratchTools(name), ToolNote);
    const own = await this.#complete(await this.#parts.places.scratchPath(name));
    return own ? note && alteredTools(own.path, note) : [];
  }

  /** The worktree, proved to be ours. Throws OUTSIDE_WORKTREE, WORKTREE_LOST. */
  async own(name: ScratchName): Promise<OwnWorktree> {
    return this.#parts.places.scratch(await this.#parts.places.scratchPath(name));
  }

  async remove(name: ScratchName): Promise<void> {
    await this.#parts.locked(async () => {
      const path = await this.#parts.places.scratchPath(name);
      await this.#clear(path);
      for (const file of [this.#parts.places.scratchIndex(name), this.#parts.places.scratchTools(name)])
        await rm(file, { force: true });
      // Not empty where others need it.
      await rmdir(dirname(path)).catch(() => undefined);
    });
  }

  /** Puts back the index of the last checkout: commands may have marked files as unchanged. */
  async #forgetIndex(name: ScratchName, own: OwnWorktree): Promise<void> {
    const [kept, index] = [this.#parts.places.scratchIndex(name), join(own.gitDir, 'index')];
    if (await exists(kept)) await copyIndex(kept, index);
    else await rm(index, { force: true });
  }

  /** Keeps the index where commands don't look for it. */
  async #keepIndex(name: ScratchName, own: OwnWorktree): Promise<void> {
    const kept = this.#parts.places.scratchIndex(name);
    await makePrivateFolder(dirname(kept));
    await copyIndex(join(own.gitDir, 'index'), kept);
  }

  /** The worktree, if it has an index: a killed git leaves one without. */
  async #complete(path: string): Promise<OwnWorktree | undefined> {
    const own = await this.#parts.places.scratch(path).catch(() => undefined);
    return own && (await exists(join(own.gitDir, 'index'))) ? own : undefined;
  }

  async #create(path: string, commit: string): Promise<OwnWorktree> {
    await this.#clear(path);
    await removeGoneScratch(dirname(dirname(path)));
    await this.#parts.cli.run(this.#parts.main, {
      args: ['worktree', 'add', '--detach', '--no-checkout', '--', path, commit],
    });
    return this.#parts.places.scratch(path);
  }

  async #clear(path: string): Promise<void> {
    // First the folder: git refuses to remove a worktree whose link is broken, but forgets one that is gone.
    await rm(path, { recursive: true, force: true });
    await unregister(this.#parts, path);
  }
}

function escaped(path: string): string {
  return path.replace(/[\\*?[\]!# ]/g, '\\$&');
}

async function removeGoneScratch(folder: string): Promise<void> {
  for (const repository of await namesAt(folder)) {
    const own = join(folder, repository);
    const links = await Promise.all((await namesAt(own)).map((name) => gitDirOf(join(own, name))));
    // One that is being made has no link yet.
    if (links.length === 0 || links.includes(undefined)) continue;
    const isThere = await Promise.all(links.map((gitDir) => stat(gitDir ?? '').then(Boolean, () => false)));
    if (!isThere.includes(true)) await removeFolder(own);
  }
}

async function gitDirOf(worktree: string): Promise<string | undefined> {
  const text = await textAt(join(worktree, '.git'));
  return /^gitdir: (.+)$/.exec(text.trim())?.[1];
}
