import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The first bytes of compiled programs, libraries and objects: ELF, Mach-O (both byte orders and fat),
 * Windows, Java classes, WebAssembly, archives.
 */
const beginnings = [
  '7f454c46',
  'feedface',
  'feedfacf',
  'cefaedfe',
  'cffaedfe',
  'cafebabe',
  '4d5a9000',
  '0061736d',
  '213c6172',
];
/** More than this nobody left behind by mistake, and reading them all would take long. */
const most = 2_000;
const atOnce = 50;

/**
 * Finds the files of a worktree among these that a compiler wrote, by their first bytes. Links are not
 * followed, and a file that can't be read isn't one.
 */
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
