import { constants, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { codeOf } from '../../system/files.ts';
import { isBootstrapTool, isToolCache } from '../../../domain/proof/bootstrapTools.ts';

/** ELF, Mach-O, Windows, Java classes, WebAssembly, archives. */
const beginnings = '7f454c46 feedface feedfacf cefaedfe cffaedfe cafebabe 4d5a9000 0061736d 213c6172'.split(
  ' ',
);
/** Reading more would take long, and nobody left as many by mistake. */
const most = 2_000;
const atOnce = 50;

/** Files that a compiler wrote, by their first bytes. Links and unreadable files are none. */
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
 * Times of the inodes' last change, in milliseconds since 1970; null if gone or unreadable. Unlike the time
 * of modification, no program can set it.
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
    return ['ENOENT', 'ENOTDIR'].includes(codeOf(error)) ? null : undefined;
  }
}

/** Paths that a bootstrap made, and folders that hold tools. */
const Made = z.object({ made: z.array(z.string()).readonly(), folders: z.array(z.string()).readonly() });
export type Made = z.infer<typeof Made>;

export const ToolNote = Made.extend({ facts: z.record(z.string(), z.string()) });
export type ToolNote = z.infer<typeof ToolNote>;

/** Read at most; the rest isn't known. */
const mostEntries = 200_000;
/** The thread is held up for a few milliseconds. */
const entriesAtOnce = 500;

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

export async function alteredTools(worktree: string, before: ToolNote): Promise<readonly string[]> {
  const { facts } = await noteTools(worktree, before);
  return [...new Set([...Object.keys(before.facts), ...Object.keys(facts)])].filter(
    (path) => facts[path] !== before.facts[path],
  );
}

/**
 * Times in nanoseconds. The inode's can't be set, but linking a file again changes it, so it counts only for
 * files with one name.
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

/** Last one first; none of a folder that can't be read. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted().toReversed();
  } catch {
    return [];
  }
}
