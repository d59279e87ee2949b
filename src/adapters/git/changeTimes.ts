import { lstat } from 'node:fs/promises';
import { join } from 'node:path';

const atOnce = 50;

/**
 * When each of these paths of a worktree last changed on the disk, in milliseconds since 1970; null if it is gone. The time of the last change can't be
 * set by a program, as the time of modification can. A path that can't be read has none.
 */
export async function changeTimes(folder: string, paths: readonly string[]): Promise<ReadonlyMap<string, number | null>> {
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
    const isGone = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
    return isGone ? null : undefined;
  }
}
