import { constants } from 'node:fs';
import { copyFile, cp, readdir, readlink, realpath, rename, rm, stat, symlink } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { WorktreeInput } from '../../domain/environment/inputs.ts';
import { isRelativePath } from '../../domain/core/ids.ts';
import { inHeldFolder } from '../system/heldFolder.ts';
import type { InputSize } from '../../engine/ports/workplacePort.ts';
import { isWithin, reasonOf, lstatAt, realAt, statAt } from '../system/files.ts';

/**
 * Puts approved inputs of the checkout into a worktree: files again each time (agents may have changed them),
 * folders once. Links are copied as their targets; nothing is written through a link. Returns what couldn't
 * be done, in words.
 */
export async function provideInputs(
  checkout: string,
  worktree: string,
  inputs: readonly WorktreeInput[],
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const input of inputs) {
    const problem = await provide(checkout, worktree, input).catch(reasonOf);
    if (problem !== undefined) problems.push(`${input.path}: ${problem}`);
  }
  return problems;
}

async function provide(
  checkout: string,
  worktree: string,
  { path, use }: WorktreeInput,
): Promise<string | undefined> {
  if (use === 'leave') return undefined;
  if (!isRelativePath(path) || path === '.ticket' || path.startsWith('.ticket/'))
    return 'this place is not for inputs';
  const named = join(checkout, path);
  const found = await statAt(named);
  if (!found) return 'it is no longer in the checkout';
  const [root, from] =
    use === 'copy' ? await Promise.all([realpath(checkout), realpath(named)]) : [checkout, named];
  if (use === 'copy' && !isWithin(root, from)) return linkOut(named, from);
  const parts = path.split('/');
  const done = await inHeldFolder(worktree, parts.slice(0, -1), { make: true }, (folder) =>
    put(
      from,
      { root, isFile: found.isFile(), isFolder: found.isDirectory() },
      join(folder, parts.at(-1) ?? ''),
      use,
    ),
  );
  return done.ok ? done.value : 'a link or a file is in the way';
}

async function leadsOut(checkout: string, path: string): Promise<string | undefined> {
  const named = join(checkout, path);
  const [root, from] = await Promise.all([realpath(checkout), realAt(named)]);
  if (from === undefined) return undefined;
  if (!isWithin(root, from)) return linkOut(named, from);
  return (await stat(from)).isDirectory() ? linkLeadingOut(root, from) : undefined;
}

/**
 * Finds a link in a folder by whose copy an agent could write outside. A target outside the repository is the
 * person's to copy. Checks every file, so only before a copy.
 */
async function linkLeadingOut(root: string, folder: string): Promise<string | undefined> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const to = await realAt(path);
    // Fine: relative within the repository, or the system's, which nobody overwrites.
    const isSafe =
      to === undefined || inSystem(to) || (isWithin(root, to) && !isAbsolute(await readlink(path)));
    if (!isSafe) return linkOut(path, to);
  }
  return undefined;
}

function inSystem(path: string): boolean {
  return /^\/(?:usr|bin|lib|lib64|opt|nix)\//.test(path);
}

function linkOut(path: string, to: string): string {
  return `${path} is a link to ${to}, which is outside of the worktree. Put a copy in its place, or choose \`link\``;
}

async function put(
  from: string,
  { root, isFile, isFolder }: { readonly root: string; readonly isFile: boolean; readonly isFolder: boolean },
  to: string,
  use: 'copy' | 'link',
): Promise<string | undefined> {
  const present = await lstatAt(to);
  if (use === 'link') {
    if (present?.isSymbolicLink() === true && (await readlink(to)) === from) return undefined;
    if (present?.isDirectory() === true) return 'a folder is in the way of the link';
    await rm(to, { force: true });
    await symlink(from, to);
    return undefined;
  }
  if (isFolder) {
    if (present?.isDirectory() === true) return undefined;
    const outside = await linkLeadingOut(root, from);
    if (outside !== undefined) return outside;
    await rm(to, { force: true });
    await cp(from, to, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
    return undefined;
  }
  if (!isFile) return 'it is neither a file nor a folder';
  if (present?.isDirectory() === true) return 'a folder is in the way';
  const part = `${to}.beadsmith-part`;
  await rm(part, { force: true });
  await copyFile(from, part, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  await rename(part, to);
  return undefined;
}

/** Too much to count, and to copy. */
const mostBytes = 1_000_000_000;
const mostFiles = 50_000;

/**
 * Sizes up an input without following its links, and finds one that leads out of the repository; undefined if
 * it isn't there. Stops at a gigabyte and at 50,000 files, where no link is looked for.
 */
export async function inputSize(checkout: string, path: string): Promise<InputSize | undefined> {
  const size = await sizeOf(join(checkout, path));
  const link = size === undefined || size.isMore ? undefined : await leadsOut(checkout, path);
  return size && (link === undefined ? size : { ...size, link });
}

async function sizeOf(path: string): Promise<InputSize | undefined> {
  const found = await statAt(path);
  if (!found) return undefined;
  if (!found.isDirectory()) return { bytes: found.size, files: 1, isMore: false };
  let [bytes, files] = [0, 0];
  const folders = [path];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const inner = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(inner);
      else {
        files += 1;
        bytes += (await lstatAt(inner))?.size ?? 0;
      }
      if (bytes > mostBytes || files > mostFiles) return { bytes, files, isMore: true };
    }
  }
  return { bytes, files, isMore: false };
}
