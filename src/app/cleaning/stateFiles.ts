import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The size of a file, or of all files of a folder. `at`: when the newest of them was written, in milliseconds
 * since 1970.
 */
export interface Measured {
  readonly count: number;
  readonly bytes: number;
  readonly at: number;
}

/** Links aren't followed. What isn't there takes nothing. */
export async function measure(path: string): Promise<Measured> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return { count: 0, bytes: 0, at: 0 };
  if (!found.isDirectory()) return { count: 1, bytes: found.size, at: found.mtimeMs };
  const names = await readdir(path).catch(() => []);
  let sum: Measured = { count: 0, bytes: 0, at: 0 };
  for (const name of names) {
    const one = await measure(join(path, name));
    sum = { count: sum.count + one.count, bytes: sum.bytes + one.bytes, at: Math.max(sum.at, one.at) };
  }
  return sum;
}

/** Removes a file or folder of ours; a link is removed, never what it leads to. */
export async function removePath(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}
