import { randomUUID } from 'node:crypto';
import { copyFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Unlisted } from '../../engine/ports/ports.ts';
import type { GitCli, Place } from './gitCli.ts';
import { isKeptOut, parseStatus, parseUnlisted } from './parseGit.ts';
import type { ChangedPath } from './parseGit.ts';
import { durable } from './revisions.ts';
import type { OwnWorktree } from './worktreePlaces.ts';

export function placeOf(own: OwnWorktree): Place {
  return { cwd: own.path, gitDir: own.gitDir };
}

/** What lies in a worktree, and trees made of it. Symbolic links are recorded as links; nothing follows them. */
export class WorktreeIndex {
  readonly #cli: GitCli;

  constructor(cli: GitCli) {
    this.#cli = cli;
  }

  /** Changed paths against HEAD. */
  async changes(own: OwnWorktree): Promise<readonly ChangedPath[]> {
    await this.#reveal(own, undefined);
    return parseStatus(await this.#status(own, undefined));
  }

  /** As `changes`, but first takes everything out of the index that an agent staged; the files stay. */
  async unstagedChanges(own: OwnWorktree): Promise<readonly ChangedPath[]> {
    await this.#reveal(own, undefined);
    const status = await this.#status(own, undefined);
    if (!status.split('\0').some((record) => /^(?:1 [^.]|u )/.test(record))) return parseStatus(status);
    await this.#cli.run(placeOf(own), { args: ['reset', '--mixed', '--quiet'] });
    return parseStatus(await this.#status(own, undefined));
  }

  /** What can't be in a commit, or isn't meant to be. */
  async unlisted(own: OwnWorktree): Promise<Unlisted> {
    return parseUnlisted(await this.#status(own, undefined, ['--ignored=matching']));
  }

  /** The tree of everything that would be committed, without touching the worktree's index. */
  async tree(own: OwnWorktree): Promise<string> {
    return this.#withCopy(own, async (index) => {
      await this.#reveal(own, index);
      const status = await this.#status(own, index);
      if (mayHoldKeptOut(status)) {
        const paths = ['.ticket', '.opencode', 'opencode.json', 'opencode.jsonc'];
        const args = ['--literal-pathspecs', 'reset', '--quiet', 'HEAD', '--', ...paths];
        await this.#cli.run(placeOf(own), { args, ...at(index) });
      }
      await this.stage(own, parseStatus(status), index);
    });
  }

  /** The tree of HEAD with these changes and no others, without touching the worktree's index. */
  async treeOf(own: OwnWorktree, changes: readonly ChangedPath[]): Promise<string> {
    return this.#withCopy(own, (index) => this.stage(own, changes, index));
  }

  /** Brings these paths of an index to what lies on the disk. */
  async stage(own: OwnWorktree, changes: readonly ChangedPath[], index?: string): Promise<void> {
    const gone = changes.filter(({ onDisk }) => !onDisk);
    const there = changes.filter(({ onDisk }) => onDisk);
    // First what is gone: a folder may have become a file, or the other way around.
    await this.#update(own, ['--force-remove'], gone, index);
    await this.#update(own, ['--add', '--remove', '--replace'], there, index);
  }

  /** Writes the tree of a copy of the worktree's index that `change` has changed. */
  async #withCopy(own: OwnWorktree, change: (index: string) => Promise<void>): Promise<string> {
    const index = join(own.gitDir, `beadsmith-index-${randomUUID()}`);
    try {
      await copyIndex(join(own.gitDir, 'index'), index);
      await change(index);
      const { stdout } = await this.#cli.run(placeOf(own), { args: ['write-tree'], config: durable, ...at(index) });
      return stdout.trim();
    } finally {
      await rm(index, { force: true });
      await rm(`${index}.lock`, { force: true });
    }
  }

  /** Clears "assume unchanged", which would hide an agent's change from the tested commit. */
  async #reveal(own: OwnWorktree, index: string | undefined): Promise<void> {
    const { stdout } = await this.#cli.run(placeOf(own), { args: ['ls-files', '-v', '-z'], ...at(index) });
    const hidden = stdout.split('\0').filter((entry) => /^[a-z] /.test(entry));
    if (hidden.length === 0) return;
    const input = hidden.map((entry) => `${entry.slice(2)}\0`).join('');
    const args = ['update-index', '--no-assume-unchanged', '-z', '--stdin'];
    await this.#cli.run(placeOf(own), { args, input, ...at(index) });
  }

  async #status(own: OwnWorktree, index: string | undefined, more: readonly string[] = []): Promise<string> {
    const args = ['status', '--porcelain=v2', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=dirty', ...more];
    return (await this.#cli.run(placeOf(own), { args, ...at(index) })).stdout;
  }

  async #update(own: OwnWorktree, options: readonly string[], changes: readonly ChangedPath[], index: string | undefined): Promise<void> {
    if (changes.length === 0) return;
    const input = changes.map(({ path }) => `${path}\0`).join('');
    await this.#cli.run(placeOf(own), { args: ['update-index', ...options, '-z', '--stdin'], input, config: durable, ...at(index) });
  }
}

/** With its time: by that git knows which files may have changed since without looking like it. */
async function copyIndex(from: string, to: string): Promise<void> {
  const { atime, mtime } = await stat(from);
  await copyFile(from, to);
  await utimes(to, atime, mtime);
}

function at(index: string | undefined): { env?: Readonly<Record<string, string>> } {
  return index === undefined ? {} : { env: { GIT_INDEX_FILE: index } };
}

/** Whether an agent may have staged what never belongs to a commit. */
function mayHoldKeptOut(status: string): boolean {
  return status.split('\0').some(
    (record) =>
      /^[1u] /.test(record) &&
      isKeptOut(
        record
          .split(' ')
          .slice(record.startsWith('1') ? 8 : 10)
          .join(' '),
      ),
  );
}
