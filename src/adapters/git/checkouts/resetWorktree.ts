import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { classifyChange } from '../../../domain/core/noise.ts';
import { codeOf, reasonOf, lstatAt, realAt } from '../../system/files.ts';
import type { GitCli } from '../cli/gitCli.ts';
import { type WorktreeIndex, placeOf } from '../worktrees/worktreeIndex.ts';
import { type OwnWorktree, ensureTicketFolder } from '../worktrees/worktreePlaces.ts';
import type { GitParts } from '../commits/ownBranch.ts';

/**
 * Moves away what no commit can keep and a reset would destroy: repositories, files whose names aren't UTF-8,
 * ignored files (docs/decisions/011-attempt-refs.md). Generated files are removed.
 */
export class LeftFiles {
  readonly #cli: GitCli;
  readonly #index: WorktreeIndex;

  constructor(cli: GitCli, index: WorktreeIndex) {
    this.#cli = cli;
    this.#index = index;
  }

  /** Answers the folder with what was taken, or null. Throws GIT_FAILED if it is in use. */
  async take(own: OwnWorktree, ignored: readonly string[] | 'all'): Promise<string | null> {
    const found = await this.#index.inspect(own);
    const wanted = new Set(ignored === 'all' ? found.ignored : ignored);
    const cleared = found.ignored.filter((path) => wanted.has(path));
    const generated = cleared.filter(
      (path) =>
        classifyChange({ path: `${path}/x`, state: 'untracked' }) === 'noise' && !path.startsWith('.env'),
    );
    const unreadable = found.unreadable.length > 0 ? await this.#unreadable(own) : [];
    const names = [
      ...found.repositories,
      ...cleared.filter((path) => !generated.includes(path)),
      ...unreadable,
    ];
    const folder =
      names.length === 0
        ? null
        : await freeFolder(join(own.gitDir, '..', '..', 'beadsmith', 'left', own.ticket));
    for (const name of names) await move(own.path, folder ?? '', name);
    for (const path of generated) await rm(join(own.path, path), { recursive: true, force: true });
    return folder;
  }

  /** Names as bytes: they can't be named otherwise. */
  async #unreadable(own: OwnWorktree): Promise<readonly Buffer[]> {
    const args = ['ls-files', '--modified', '--others', '--exclude-standard', '-z'];
    const { bytes = new Uint8Array() } = await this.#cli.run(placeOf(own), { args, bytes: true });
    const names: Buffer[] = [];
    const all = Buffer.from(bytes);
    for (let at = 0; at < all.length;) {
      const end = all.indexOf(0, at);
      const name = all.subarray(at, end < 0 ? all.length : end);
      if (name.toString('utf8').includes('\uFFFD')) names.push(name);
      at = at + name.length + 1;
    }
    return names;
  }
}

async function freeFolder(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  for (let number = 1; ; number += 1) {
    const folder = join(parent, String(number));
    try {
      await mkdir(folder);
      return folder;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}

async function move(worktree: string, folder: string, name: string | Buffer): Promise<void> {
  const shown = name.toString();
  const [from, to] =
    typeof name === 'string'
      ? [join(worktree, name), join(folder, name)]
      : [
          Buffer.concat([Buffer.from(`${worktree}/`), name]),
          Buffer.concat([Buffer.from(`${folder}/`), name]),
        ];
  if (!(await lstatAt(from))) return;
  // Folders of such a name may be unreadable too, so the name stays flat.
  await mkdir(dirname(join(folder, shown)), { recursive: true });
  try {
    await rename(
      from,
      typeof to === 'string' || !shown.slice(0, shown.lastIndexOf('/') + 1).includes('\uFFFD')
        ? to
        : flat(folder, name),
    );
  } catch (error) {
    if (codeOf(error) !== 'EXDEV' || typeof from !== 'string' || typeof to !== 'string') {
      const reason = `"${shown}" is in use, or can't be moved out of the worktree: ${reasonOf(error)}`;
      throw new BeadsmithError('GIT_FAILED', { command: 'reset', reason }, { cause: error });
    }
    await cp(from, to, { recursive: true, verbatimSymlinks: true });
    await rm(from, { recursive: true, force: true });
  }
}

function flat(folder: string, name: string | Buffer): Buffer {
  const bytes = Buffer.from(name);
  return Buffer.concat([Buffer.from(`${folder}/`), bytes.map((byte) => (byte === 0x2f ? 0x25 : byte))]);
}

export class ResetWorktree {
  readonly #parts: GitParts;
  readonly #left: LeftFiles;

  constructor(parts: GitParts, left: LeftFiles) {
    this.#parts = parts;
    this.#left = left;
  }

  /**
   * Resets to a commit. What is dropped is kept under `refs/beadsmith/<ticket>/worktree/before-reset`;
   * `.ticket/` and ignored paths but `clear` stay. Answers as `LeftFiles.take`.
   */
  async hard(own: OwnWorktree, commit: string, clear: readonly string[]): Promise<string | null> {
    const place = placeOf(own);
    const target = await this.#parts.revisions.commit(place, commit);
    const head = await this.#parts.branch.attach(own);
    await this.#parts.branch.endUnfinished(own);
    await this.#parts.branch.keepChanges(own, 'before-reset', head, { leaves: head !== target });
    const left = await this.#left.take(own, clear);
    await this.#parts.cli.run(place, { args: ['reset', '--hard', '--quiet', target] });
    // `-f` twice also removes an agent's own repository.
    await this.#parts.cli.run(place, { args: ['clean', '-f', '-f', '-d', '-q', '--exclude=/.ticket'] });
    const ticketFolder = join(own.path, '.ticket');
    // An agent replaced the folder, whose content the database has.
    if ((await lstatAt(ticketFolder))?.isDirectory() === false) await rm(ticketFolder);
    await ensureTicketFolder(own.path);
    return left;
  }

  async paths(own: OwnWorktree, paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    const place = placeOf(own);
    const { stdout } = await this.#parts.cli.run(place, {
      args: ['ls-tree', '-r', '-z', '--name-only', '--full-tree', 'HEAD'],
    });
    const tracked = new Set(stdout.split('\0'));
    const untracked = paths.filter((name) => !tracked.has(name));
    for (const path of untracked) await this.#removeFile(own, path);
    if (untracked.length > 0) {
      const args = ['update-index', '--force-remove', '-z', '--stdin'];
      await this.#parts.cli.run(place, { args, input: untracked.map((path) => `${path}\0`).join('') });
    }
    const restored = paths.filter((name) => tracked.has(name));
    if (restored.length === 0) return;
    const from = ['--pathspec-from-file=-', '--pathspec-file-nul', 'HEAD'];
    const args = ['--literal-pathspecs', 'checkout', '--quiet', ...from];
    await this.#parts.cli.run(place, { args, input: restored.map((path) => `${path}\0`).join('') });
  }

  async #removeFile(own: OwnWorktree, path: string): Promise<void> {
    const full = join(own.path, path);
    const parent = await realAt(dirname(full));
    if (parent === undefined) return; // gone with its folder
    if (parent !== own.path && !parent.startsWith(own.path + sep))
      throw new BeadsmithError('OUTSIDE_WORKTREE', { path });
    await rm(full, { recursive: true, force: true });
  }
}
