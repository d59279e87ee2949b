import { constants } from 'node:fs';
import {
  copyFile,
  cp,
  lstat,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { WorktreeInput } from '../../domain/environment/inputs.ts';
import { isRelativePath } from '../../domain/core/ids.ts';
import { inHeldFolder } from '../system/heldFolder.ts';
import type { InputSize } from '../../engine/ports/workplacePort.ts';
import { reasonOf } from '../system/files.ts';

/**
 * Puts approved inputs of the person's checkout into a worktree. Files are copied again each time, since an
 * agent may have changed the copy; a folder is copied once. A link is copied as what it leads to. Nothing is
 * written through a link, which an agent could have put there. Returns what couldn't be done, in words.
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
  const found = await stat(named).catch(() => undefined);
  if (!found) return 'it is no longer in the checkout';
  const [root, from] =
    use === 'copy' ? await Promise.all([realpath(checkout), realpath(named)]) : [checkout, named];
  if (use === 'copy' && !isBelow(root, from)) return linkOut(named, from);
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

/** The link that keeps a file or folder from being copied, as it leads out; undefined for none. */
export async function leadsOut(checkout: string, path: string): Promise<string | undefined> {
  const named = join(checkout, path);
  const [root, from] = await Promise.all([realpath(checkout), realpath(named).catch(() => undefined)]);
  if (from === undefined) return undefined;
  if (!isBelow(root, from)) return linkOut(named, from);
  return (await stat(from)).isDirectory() ? linkLeadingOut(root, from) : undefined;
}

/**
 * Finds a link in a folder that a copy must not have: the copy of a link is a link, by which an agent writes
 * to its target. A target outside of the repository is the person's to copy. Every file is checked, so this
 * is asked only before a copy is made.
 */
async function linkLeadingOut(root: string, folder: string): Promise<string | undefined> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const to = await realpath(path).catch(() => undefined);
    // A relative link within the repository is fine, and nobody overwrites what the system has.
    const isSafe =
      to === undefined || inSystem(to) || (isBelow(root, to) && !isAbsolute(await readlink(path)));
    if (!isSafe) return linkOut(path, to);
  }
  return undefined;
}

function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(`${root}/`);
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
  const present = await lstat(to).catch(() => undefined);
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

/** More than this takes too long to count, and is too much to copy. */
const mostBytes = 1_000_000_000;
const mostFiles = 50_000;

/**
 * Sizes up a file or folder of the checkout, without following the links in it, and finds a link that leads
 * out of the repository; undefined if it isn't there. It stops counting at a gigabyte, and at 50,000 files,
 * and looks for no link where there is more.
 */
export async function inputSize(checkout: string, path: string): Promise<InputSize | undefined> {
  const size = await sizeOf(join(checkout, path));
  const link = size === undefined || size.isMore ? undefined : await leadsOut(checkout, path);
  return size && (link === undefined ? size : { ...size, link });
}

async function sizeOf(path: string): Promise<InputSize | undefined> {
  const found = await stat(path).catch(() => undefined);
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
        bytes += (await lstat(inner).catch(() => undefined))?.size ?? 0;
      }
      if (bytes > mostBytes || files > mostFiles) return { bytes, files, isMore: true };
    }
  }
  return { bytes, files, isMore: false };
}
