import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TicketFiles } from '../../../src/engine/ports/ports.ts';

/** `.ticket/` of a worktree on the disk, without the care of the product's own adapter. */
export class PlainFiles implements TicketFiles {
  async write(
    worktree: string,
    path: string,
    content: string,
    options: { readonly executable?: boolean } = {},
  ): Promise<void> {
    await mkdir(dirname(join(worktree, path)), { recursive: true });
    await writeFile(join(worktree, path), content, { mode: options.executable ? 0o755 : 0o644 });
  }

  async append(worktree: string, path: string, content: string): Promise<void> {
    await appendFile(join(worktree, path), content);
  }

  async read(worktree: string, path: string): Promise<string | undefined> {
    return existsSync(join(worktree, path)) ? readFile(join(worktree, path), 'utf8') : undefined;
  }

  async remove(worktree: string, path: string): Promise<void> {
    await rm(join(worktree, path), { recursive: true, force: true });
  }

  async exists(worktree: string, path: string): Promise<boolean> {
    return existsSync(join(worktree, path));
  }
}
