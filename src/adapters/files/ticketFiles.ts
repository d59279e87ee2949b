import { constants } from 'node:fs';
import { lstat, mkdir, open, readFile, realpath, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { BeadsmithError } from '../../domain/errors.ts';
import { isSafeRelativePath } from '../../domain/ids.ts';
import type { TicketFiles } from '../../engine/ports/ports.ts';
import { writeAtomically } from '../system/files.ts';

/**
 * Files of worktrees. Writes go only below `.ticket/`, and never through a link, which an agent could have put there. Reads go anywhere in the
 * worktree and follow links as far as they stay in it. Throws OUTSIDE_WORKTREE otherwise.
 */
export class WorktreeFiles implements TicketFiles {
  async write(worktree: string, path: string, content: string, options: { readonly executable?: boolean } = {}): Promise<void> {
    const file = await this.#writable(worktree, path, { make: true });
    // No sync: after a power cut the next process writes everything again from the database, and each sync delays the database's own.
    await writeAtomically(file, content, { mode: options.executable === true ? 0o755 : 0o644, durable: false });
  }

  async append(worktree: string, path: string, content: string): Promise<void> {
    const file = await this.#writable(worktree, path, { make: true });
    const { O_APPEND, O_CREAT, O_WRONLY } = constants;
    // Windows has no such flag, and no links that an unprivileged agent could create.
    const noFollow = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW;
    const handle = await open(file, O_APPEND | O_CREAT | O_WRONLY | noFollow, 0o644).catch((error: unknown) => {
      throw new BeadsmithError('OUTSIDE_WORKTREE', { path }, { cause: error });
    });
    try {
      await handle.writeFile(content);
    } finally {
      await handle.close();
    }
  }

  async read(worktree: string, path: string): Promise<string | undefined> {
    const file = await this.#readable(worktree, path);
    return file === undefined || !(await lstat(file)).isFile() ? undefined : readFile(file, 'utf8');
  }

  async remove(worktree: string, path: string): Promise<void> {
    const file = await this.#writable(worktree, path, { make: false });
    await rm(file, { recursive: true, force: true });
  }

  async exists(worktree: string, path: string): Promise<boolean> {
    return (await this.#readable(worktree, path)) !== undefined;
  }

  /** The full path of something below `.ticket/` whose folders are all real ones. `make`: missing folders are created. */
  async #writable(worktree: string, path: string, { make }: { readonly make: boolean }): Promise<string> {
    if (!isSafeRelativePath(path) || !path.startsWith('.ticket/')) throw new BeadsmithError('OUTSIDE_WORKTREE', { path });
    const parts = path.split('/');
    let folder = await realpath(worktree).catch(() => undefined);
    if (folder === undefined) throw new BeadsmithError('WORKTREE_LOST', { path: worktree });
    for (const part of parts.slice(0, -1)) {
      folder = join(folder, part);
      if (make) await mkdir(folder).catch(ignoreExisting);
      const found = await lstat(folder).catch(() => undefined);
      if (!found && !make) return join(worktree, path);
      if (found?.isDirectory() !== true) throw new BeadsmithError('OUTSIDE_WORKTREE', { path });
    }
    return join(folder, parts.at(-1) ?? '');
  }

  /** The real path of something in the worktree; undefined if there is nothing. */
  async #readable(worktree: string, path: string): Promise<string | undefined> {
    if (!isSafeRelativePath(path)) throw new BeadsmithError('OUTSIDE_WORKTREE', { path });
    const root = await realpath(worktree).catch(() => undefined);
    const file = await realpath(join(worktree, path)).catch(() => undefined);
    if (root === undefined || file === undefined) return undefined;
    if (!file.startsWith(root + sep)) throw new BeadsmithError('OUTSIDE_WORKTREE', { path });
    return file;
  }
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}
