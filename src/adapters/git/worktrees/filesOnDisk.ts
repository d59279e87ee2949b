import { constants, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { isBootstrapTool, isToolCache } from '../../../domain/proof/bootstrapTools.ts';

/** First bytes of compiled files: ELF, Mach-O, Windows, Java classes, WebAssembly, archives. */
const beginnings = '7f454c46 feedface feedfacf cefaedfe cffaedfe cafebabe 4d5a9000 0061736d 213c6172'.split(
  ' ',
);
/** More than this nobody left behind by mistake, and reading them all would take long. */
const most = 2_000;
const atOnce = 50;

/** Finds files that a compiler wrote, by their first bytes. Links and unreadable files are none. */
export async function programsAmong(folder: string, paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (let at = 0; at < Math.min(paths.length, most); at += atOnce) {
    const some = paths.slice(at, at + atOnce);
    const are = await Promise.all(some.map((path) => isProgram(join(folder, path)).catch(() => false)));
    found.push(...some.filter((_, index) => are[index]));
  }
  return found;
}

async function isProgram(path: string): Promise<boolean> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && beginnings.includes(buffer.toString('hex'));
  } finally {
    await file.close();
  }
}

/**
 * Returns the time at which each of these paths of a worktree last changed on the disk, in milliseconds since
 * 1970; null if it is gone. The time of the last change can't be set by a program, as the time of
 * modification can. A path that can't be read has none.
 */
export async function changeTimes(
  folder: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, number | null>> {
  const times = new Map<string, number | null>();
  for (let at = 0; at < paths.length; at += atOnce) {
    const some = paths.slice(at, at + atOnce);
    const found = await Promise.all(some.map((path) => timeOf(join(folder, path))));
    for (const [index, path] of some.entries()) {
      const time = found[index];
      if (time !== undefined) times.set(path, time);
    }
  }
  return times;
}

async function timeOf(path: string): Promise<number | null | undefined> {
  try {
    return (await lstat(path)).ctimeMs;
  } catch (error) {
    const isGone =
      error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
    return isGone ? null : undefined;
  }
}

/** Paths that a bootstrap made in the worktree, and folders that hold tools whatever their names are. */
const Made = z.object({ made: z.array(z.string()).readonly(), folders: z.array(z.string()).readonly() });
export type Made = z.infer<typeof Made>;

/** Tools as the bootstrap left them: facts that change when a file is written, replaced or redirected. */
export const ToolNote = Made.extend({ facts: z.record(z.string(), z.string()) });
export type ToolNote = z.infer<typeof ToolNote>;

/** So many files and folders are read. What is left then isn't known. */
const mostEntries = 200_000;
/** The thread is held up for so many of them at once: a few milliseconds. */
const entriesAtOnce = 500;

/** Notes the tools that lie in a worktree. No content is read. */
export async function noteTools(
  worktree: string,
  { made, folders }: Made,
  most = mostEntries,
): Promise<ToolNote> {
  const facts: Record<string, string> = {};
  const left = made.toSorted().toReversed();
  for (let seen = 1; seen <= most; seen += 1) {
    const path = left.pop();
    if (path === undefined) break;
    if (seen % entriesAtOnce === 0) await setImmediate();
    if (isToolCache(path)) continue;
    const found = factsOf(join(worktree, path));
    if (found === 'folder') left.push(...namesIn(join(worktree, path)).map((name) => `${path}/${name}`));
    else if (found !== undefined && isBootstrapTool(path, folders)) facts[path] = found;
  }
  return { made, folders, facts };
}

/** The paths of tools that aren't as they were noted: changed, new or gone. */
export async function alteredTools(worktree: string, before: ToolNote): Promise<readonly string[]> {
  const { facts } = await noteTools(worktree, before);
  return [...new Set([...Object.keys(before.facts), ...Object.keys(facts)])].filter(
    (path) => facts[path] !== before.facts[path],
  );
}

/**
 * Times in nanoseconds. That of the last change of the inode can't be set, but a package manager that links a
 * file once more into another project changes it as well, so it counts for files with one name only.
 */
function factsOf(path: string): string | undefined {
  try {
    const found = lstatSync(path, { bigint: true });
    if (found.isDirectory()) return 'folder';
    const { size, mode, ino, nlink, mtimeNs, ctimeNs } = found;
    return [
      size,
      mode,
      ino,
      mtimeNs,
      nlink > 1n ? '' : ctimeNs,
      found.isSymbolicLink() ? readlinkSync(path) : '',
    ].join(' ');
  } catch {
    return undefined;
  }
}

/** The names in a folder, the last one first. A folder that can't be read is as an empty one. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted().toReversed();
  } catch {
    return [];
  }
}
