import { randomUUID } from 'node:crypto';
import { copyFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { InspectedWorktree } from '../../../engine/ports/ports.ts';
import type { GitCli, Place } from '../cli/gitCli.ts';
import {
  canBeNamed,
  isKeptOut,
  parseStatus,
  refusePathsOutside,
  toFileChanges,
  type ChangedPath,
  parseUnlisted,
  parseUnmerged,
} from '../cli/parseGit.ts';
import { durable, durableWithoutIndex } from '../cli/revisions.ts';
import type { OwnWorktree } from './worktreePlaces.ts';

export function placeOf(own: Pick<OwnWorktree, 'path' | 'gitDir'>): Place {
  return { cwd: own.path, gitDir: own.gitDir };
}

/** A worktree's files, and trees of them. Symbolic links are recorded, never followed. */
export class WorktreeIndex {
  readonly #cli: GitCli;
  readonly #plain = new Map<string, string>();

  constructor(cli: GitCli) {
    this.#cli = cli;
  }

  async changes(own: OwnWorktree): Promise<readonly ChangedPath[]> {
    return parseStatus(await this.#revealed(own, () => this.#status(own, undefined)));
  }

  async unstagedChanges(own: OwnWorktree, paths: readonly string[]): Promise<readonly ChangedPath[]> {
    const few = canBeNamed(paths) ? ['--', ...paths] : [];
    const staged = { args: ['diff-index', '--cached', '--quiet', 'HEAD', '--'], allow: [0, 1] };
    const [, { code }] = await Promise.all([
      this.#reveal(own, undefined, few),
      this.#cli.run(placeOf(own), staged),
    ]);
    if (code === 1) await this.#cli.run(placeOf(own), { args: ['reset', '--mixed', '--quiet'] });
    if (paths.length === 0) return [];
    const wanted = new Set(paths);
    return parseStatus(await this.#status(own, undefined, few)).filter(({ path }) => wanted.has(path));
  }

  /** HEAD's tree with only these changes; the worktree's index stays. */
  async treeOf(own: OwnWorktree, changes: readonly ChangedPath[]): Promise<string> {
    return this.#withCopy(own, (index) => this.stage(own, changes, index));
  }

  async inspect(own: OwnWorktree): Promise<InspectedWorktree> {
    const status = await this.#revealed(own, () => this.#status(own, undefined, ['--ignored=matching']));
    return { changes: toFileChanges(parseStatus(status)), ...parseUnlisted(status) };
  }

  async tree(own: OwnWorktree): Promise<string> {
    return this.#withCopy(own, async (index) => {
      const status = await this.#revealed(own, () => this.#status(own, index), index);
      if (mayHoldKeptOut(status)) {
        const args = ['--literal-pathspecs', 'reset', '--quiet', 'HEAD', '--', '.ticket'];
        await this.#cli.run(placeOf(own), { args, ...at(index) });
      }
      await this.stage(own, parseStatus(status), index);
    });
  }

  /** Of files in conflict the index has no single version. */
  async staged(own: OwnWorktree): Promise<{ readonly tree: string; readonly conflicts: readonly string[] }> {
    let conflicts: readonly string[] = [];
    const tree = await this.#withCopy(own, async (index) => {
      const list = { args: ['ls-files', '--unmerged', '-z'], ...at(index) };
      conflicts = parseUnmerged((await this.#cli.run(placeOf(own), list)).stdout);
      if (conflicts.length === 0) return;
      const input = conflicts.map((path) => `${path}\0`).join('');
      const args = [
        '--literal-pathspecs',
        'reset',
        '--quiet',
        '--pathspec-from-file=-',
        '--pathspec-file-nul',
      ];
      await this.#cli.run(placeOf(own), { args: [...args, 'HEAD'], input, ...at(index) });
    });
    return { tree, conflicts: conflicts.filter((path) => !isKeptOut(path) && !path.includes('\uFFFD')) };
  }

  /** HEAD's tree with these paths as on disk. Unstages everything. Throws OUTSIDE_WORKTREE. */
  async treeWith(own: OwnWorktree, paths: readonly string[]): Promise<string> {
    refusePathsOutside(paths);
    return this.treeOf(own, await this.unstagedChanges(own, paths));
  }

  async stage(own: OwnWorktree, changes: readonly ChangedPath[], index?: string): Promise<void> {
    const gone = changes.filter(({ onDisk }) => !onDisk);
    const there = changes.filter(({ onDisk }) => onDisk);
    // First what is gone: a folder may have become a file, or the reverse.
    await this.#update(own, ['--force-remove'], gone, index);
    await this.#update(own, ['--add', '--remove', '--replace'], there, index);
  }

  async #withCopy(own: OwnWorktree, change: (index: string) => Promise<void>): Promise<string> {
    return withIndexIn(own.gitDir, async (index) => {
      await copyIndex(join(own.gitDir, 'index'), index);
      await change(index);
      const call = { args: ['write-tree'], config: durableWithoutIndex, ...at(index) };
      return (await this.#cli.run(placeOf(own), call)).stdout.trim();
    });
  }

  async #revealed(own: OwnWorktree, look: () => Promise<string>, index?: string): Promise<string> {
    const [hid, seen] = await Promise.all([this.#reveal(own, index), look()]);
    return hid ? look() : seen;
  }

  /** Clears "assume unchanged", which would hide changes from the tested commit. Tells if there was any. */
  async #reveal(own: OwnWorktree, index: string | undefined, only: readonly string[] = []): Promise<boolean> {
    const file = index ?? join(own.gitDir, 'index');
    const stamp = await stampOf(file);
    if (stamp !== undefined && this.#plain.get(file) === stamp) return false;
    const list = ['--literal-pathspecs', 'ls-files', '-v', '-z', ...only];
    const { stdout } = await this.#cli.run(placeOf(own), { args: list, ...at(index) });
    // Usually none, and parsing a long list takes long.
    if (!/(?:^|\0)[a-z] /.test(stdout)) {
      if (stamp !== undefined && index === undefined && only.length === 0) this.#plain.set(file, stamp);
      return false;
    }
    const hidden = stdout.split('\0').filter((entry) => /^[a-z] /.test(entry));
    const input = hidden.map((entry) => `${entry.slice(2)}\0`).join('');
    const args = ['update-index', '--no-assume-unchanged', '-z', '--stdin'];
    await this.#cli.run(placeOf(own), { args, input, ...at(index) });
    return true;
  }

  async #status(own: OwnWorktree, index: string | undefined, more: readonly string[] = []): Promise<string> {
    const form = '--porcelain=v2 -z --untracked-files=all --no-renames --ignore-submodules=dirty'.split(' ');
    const args = ['--literal-pathspecs', 'status', ...form, ...more];
    return (await this.#cli.run(placeOf(own), { args, ...at(index) })).stdout;
  }

  async #update(
    own: OwnWorktree,
    options: readonly string[],
    changes: readonly ChangedPath[],
    index: string | undefined,
  ): Promise<void> {
    if (changes.length === 0) return;
    const input = changes.map(({ path }) => `${path}\0`).join('');
    const config = index === undefined ? durable : durableWithoutIndex;
    const args = ['update-index', ...options, '-z', '--stdin'];
    await this.#cli.run(placeOf(own), { args, input, config, ...at(index) });
  }
}

export async function withIndexIn<T>(gitDir: string, use: (index: string) => Promise<T>): Promise<T> {
  const index = join(gitDir, `beadsmith-index-${randomUUID()}`);
  try {
    return await use(index);
  } finally {
    await rm(index, { force: true });
    await rm(`${index}.lock`, { force: true });
  }
}

/** Changes with the file: the inode's time can't be set. */
async function stampOf(file: string): Promise<string | undefined> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return found && [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}

/** Keeps its time, by which git knows which files may have changed. */
export async function copyIndex(from: string, to: string): Promise<void> {
  const { atime, mtime } = await stat(from);
  await copyFile(from, to);
  await utimes(to, atime, mtime);
}

function at(index: string | undefined): { env?: Readonly<Record<string, string>> } {
  return index === undefined ? {} : { env: { GIT_INDEX_FILE: index } };
}

/** Checks whether an agent may have staged what is kept out. */
function mayHoldKeptOut(status: string): boolean {
  return status.split('\0').some((record) => {
    const fields = record.split(' ').slice(record.startsWith('1') ? 8 : 10);
    return /^[1u] /.test(record) && isKeptOut(fields.join(' '));
  });
}
