import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { GitCli } from '../cli/gitCli.ts';
import { fillSubmodules } from './submodules.ts';
import { placeOf } from './worktreeIndex.ts';
import type { OwnWorktree } from './worktreePlaces.ts';

/**
 * Gives a worktree what git's own checkout leaves out and the person's checkout has: submodules, and the
 * content of files in Git LFS (docs/decisions/186-submodules-and-large-files.md). `checkout`: the person's
 * folder. Throws GIT_FAILED and GIT_SETTING_REFUSED.
 */
export async function fillWorktree(cli: GitCli, own: OwnWorktree, checkout: string): Promise<void> {
  await fillSubmodules(cli, own, checkout);
  await fillLargeFiles(cli, own);
}

/** Puts the content that is in the local store in the place of its pointer; nothing is downloaded. */
async function fillLargeFiles(cli: GitCli, own: OwnWorktree): Promise<void> {
  const store = join(dirname(dirname(own.gitDir)), 'lfs', 'objects');
  if (!(await lstat(store).catch(() => undefined))?.isDirectory()) return;
  // Without the filter git takes the content for a change.
  const settings = await cli.settings(placeOf(own));
  if (!settings.some(({ name }) => name === 'filter.lfs.process' || name === 'filter.lfs.clean')) return;
  // Where its program is missing, or can't read an object, pointers stay: whether the work needs the content
  // shows in its checks.
  await cli.run(placeOf(own), { args: ['lfs', 'checkout'], allow: [0, 1, 2, 128] });
}
