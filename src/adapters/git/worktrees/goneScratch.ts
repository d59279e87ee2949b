import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../../system/files.ts';

/**
 * Removes the scratch worktrees of repositories that are gone. `folder`: in the user's cache, with a folder
 * for each repository.
 */
export async function removeGoneScratch(folder: string): Promise<void> {
  for (const repository of await readdir(folder).catch(() => [])) {
    const own = join(folder, repository);
    const links = await Promise.all(
      (await readdir(own).catch(() => [])).map((name) => gitDirOf(join(own, name))),
    );
    // One that is being made has no link yet.
    if (links.length === 0 || links.includes(undefined)) continue;
    const isThere = await Promise.all(links.map((gitDir) => stat(gitDir ?? '').then(Boolean, () => false)));
    if (!isThere.includes(true)) await removeFolder(own);
  }
}

/** The git dir that a worktree names. */
async function gitDirOf(worktree: string): Promise<string | undefined> {
  const text = await readFile(join(worktree, '.git'), 'utf8').catch(() => '');
  return /^gitdir: (.+)$/.exec(text.trim())?.[1];
}
