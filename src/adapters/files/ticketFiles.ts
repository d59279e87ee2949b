import { constants } from 'node:fs';
import { lstat, open, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { isSafeRelativePath } from '../../domain/core/ids.ts';
import type { TicketFiles } from '../../engine/ports/ports.ts';
import { writeAtomically, realAt, statAt } from '../system/files.ts';
import { inHeldFolder, removeHeld } from '../system/heldFolder.ts';

/**
 * Writes only below `.ticket/` and never through a link; reads anywhere in the worktree, through links that
 * stay in it. Throws OUTSIDE_WORKTREE.
 */
export class WorktreeFiles implements TicketFiles {
  async write(
    worktree: string,
    path: string,
    content: string,
    options: { readonly executable?: boolean } = {},
  ): Promise<void> {
    // No sync: after a power cut all is written again from the database.
    const how = { mode: options.executable === true ? 0o755 : 0o644, durable: false };
    await this.#below(worktree, path, { make: true }, (folder, name) =>
      writeAtomically(join(folder, name), content, how),
    );
  }

  async append(worktree: string, path: string, content: string): Promise<void> {
    const { O_APPEND, O_CREAT, O_WRONLY } = constants;
    // Windows has no such flag, and an unprivileged agent can't create links there.
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

  /** Works in a real folder below `.ticket/`; without `make` a missing one is passed over. */
  async #below(
    worktree: string,
    path: string,
    options: { readonly make: boolean },
    work: (folder: string, name: string) => Promise<void>,
  ): Promise<void> {
    if (!isSafeRelativePath(path) || !path.startsWith('.ticket/'))
      throw new BeadsmithError('OUTSIDE_WORKTREE', { path });
    if (!(await statAt(worktree))) throw new BeadsmithError('WORKTREE_LOST', { path: worktree });
    const parts = path.split('/');
    const done = await inHeldFolder(worktree, parts.slice(0, -1), options, (folder) =>
      work(folder, parts.at(-1) ?? ''),
    );
    if (!done.ok && (done.why === 'blocked' || options.make))
      throw new BeadsmithError('OUTSIDE_WORKTREE', { path });
  }

  async #readable(worktree: string, path: string): Promise<string | undefined> {
    if (!isSafeRelativePath(path)) throw new BeadsmithError('OUTSIDE_WORKTREE', { path });
    const root = await realAt(worktree);
    const file = await realAt(join(worktree, path));
    if (root === undefined || file === undefined) return undefined;
    if (!file.startsWith(root + sep)) throw new BeadsmithError('OUTSIDE_WORKTREE', { path });
    return file;
  }
}
