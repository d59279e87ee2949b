import { constants } from 'node:fs';
import { copyFile, cp, lstat, mkdir, readlink, rename, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorktreeInput } from '../../domain/environment/inputs.ts';
import { isRelativePath } from '../../domain/ids.ts';

/**
 * Puts approved inputs of the person's checkout into a worktree. Files are copied again each time, since an agent may have changed the copy; a folder is
 * copied once. Nothing is written through a link, which an agent could have put there. Returns what couldn't be done, in words.
 */
export async function provideInputs(checkout: string, worktree: string, inputs: readonly WorktreeInput[]): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const input of inputs) {
    const problem = await provide(checkout, worktree, input).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
    if (problem !== undefined) problems.push(`${input.path}: ${problem}`);
  }
  return problems;
}

async function provide(checkout: string, worktree: string, { path, use }: WorktreeInput): Promise<string | undefined> {
  if (use === 'leave') return undefined;
  if (!isRelativePath(path) || path === '.ticket' || path.startsWith('.ticket/')) return 'this place is not for inputs';
  const from = join(checkout, path);
  const found = await stat(from).catch(() => undefined);
  if (!found) return 'it is no longer in the checkout';
  const to = await realPlace(worktree, path);
  if (to === undefined) return 'a link or a file is in the way';
  const present = await lstat(to).catch(() => undefined);
  if (use === 'link') {
    if (present?.isSymbolicLink() === true && (await readlink(to)) === from) return undefined;
    if (present?.isDirectory() === true) return 'a folder is in the way of the link';
    await rm(to, { force: true });
    await symlink(from, to);
    return undefined;
  }
  if (found.isDirectory()) {
    if (present?.isDirectory() === true) return undefined;
    await rm(to, { force: true });
    await cp(from, to, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
    return undefined;
  }
  if (!found.isFile()) return 'it is neither a file nor a folder';
  if (present?.isDirectory() === true) return 'a folder is in the way';
  const part = `${to}.beadsmith-part`;
  await rm(part, { force: true });
  await copyFile(from, part, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  await rename(part, to);
  return undefined;
}

/** The full path of a place in the worktree whose folders are all real ones; missing folders are made. */
async function realPlace(worktree: string, path: string): Promise<string | undefined> {
  const parts = path.split('/');
  let folder = worktree;
  for (const part of parts.slice(0, -1)) {
    folder = join(folder, part);
    await mkdir(folder).catch(() => undefined);
    if ((await lstat(folder).catch(() => undefined))?.isDirectory() !== true) return undefined;
  }
  return join(folder, parts.at(-1) ?? '');
}
