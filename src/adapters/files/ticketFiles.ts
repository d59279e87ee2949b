import { constants } from 'node:fs';
import { lstat, open, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { isSafeRelativePath } from '../../domain/core/ids.ts';
import type { TicketFiles } from '../../engine/ports/ports.ts';
import { writeAtomically } from '../system/files.ts';
import { inHeldFolder, removeHeld } from '../system/heldFolder.ts';

/**
 * Files of worktrees. Writes go only below `.ticket/`, and never through a link, which an agent could have
 * put there. Reads go anywhere in the worktree and follow links as far as they stay in it. Throws
 * OUTSIDE_WORKTREE otherwise.
 */
export class WorktreeFiles implements TicketFiles {
  async write(
    worktree: string,
    path: string,
    content: string,
    options: { readonly executable?: boolean } = {},
  ): Promise<void> {
    // No sync, which would delay the database's: after a power cut all is written again from that.
    const how = { mode: options.executable === true ? 0o755 : 0o644, durable: false };
    await this.#below(worktree, path, { make: true }, (folder, name) =>
      writeAtomically(join(folder, name), content, how),
    );
  }

  async append(worktree: string, path: string, content: string): Promise<void> {
    const { O_APPEND, O_CREAT, O_WRONLY } = constants;
    // Windows has no such flag, and no links that an unprivileged agent could create.
    const noFollow = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW;
    await this.#below(worktree, path, { make: true }, async (folder, name) => {
      const handle = await open(join(folder, name), O_APPEND | O_CREAT | O_WRONLY | noFollow, 0o644).catch(
        (error: unknown) => {
          throw new BeadsmithError('OUTSIDE_WORKTREE', { path }, { cause: error });
        },
      );
      try {
        await handle.writeFile(content);
      } finally {
        await handle.close();
      }
    });
  }

  async read(worktree: string, path: string): Promise<string | undefined> {
    const file = await this.#readable(worktree, path);
    return file === undefined || !(await lstat(file)).isFile() ? undefined : readFile(file, 'utf8');
  }

  async remove(worktree: string, path: string): Promise<void> {
    await this.#below(worktree, path, { make: false }, removeHeld);
  }

  async exists(worktree: string, path: string): Promise<boolean> {
    return (await this.#readable(worktree, path)) !== undefined;
  }

  /** Works with a name in a real folder below `.ticket/`. Without `make` a missing folder is passed over. */
  async #below(
    worktree: string,
    path: string,
    options: { readonly make: boolean },
    work: (folder: string, name: string) => Promise<void>,
  ): Promise<void> {
    if (!isSafeRelativePath(path) || !path.startsWith('.ticket/'))
      throw new BeadsmithError('OUTSIDE_WORKTREE', { path });
    if (!(await stat(worktree).catch(() => undefined)))
      throw new BeadsmithError('WORKTREE_LOST', { path: worktree });
    const parts = path.split('/');
    const done = await inHeldFolder(worktree, parts.slice(0, -1), options, (folder) =>
      work(folder, parts.at(-1) ?? ''),
    );
    if (!done.ok && (done.why === 'blocked' || options.make))
      throw new BeadsmithError('OUTSIDE_WORKTREE', { path });
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
